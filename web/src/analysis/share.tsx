// Links, code to embed, pictures and PGN of what is on the board.
import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import * as api from '../api/analysis';
import type { Game } from '../api/types';
import { t } from '../text';
import { CopyButton, CopyField } from '../views/copy';
import { Dialog } from '../views/dialog';
import type { Study } from './study';
import { write } from './written';

export function ShareAnalysis({ study }: { study: Study }) {
  const open = useMemo(() => signal(false), []);
  const own = () => write(study.root.value, study.marks.value, study.tags());
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => (open.value = true)}>
          {t.share.heading}
        </button>
        <CopyButton label={t.analysis.copyOwn} text={own} />
      </div>
      <Dialog open={open} title={t.share.heading}>
        {study.game && <Links game={study.game} />}
        <CopyField label={t.share.fen} value={study.place.value.fen} />
        {study.game && <Files game={study.game} hasEvaluations={study.report.value !== null} />}
        <button type="button" onClick={() => download(own(), 'analysis.pgn')}>
          {t.analysis.downloadOwn}
        </button>
      </Dialog>
    </>
  );
}

function Links({ game }: { game: Game }) {
  const frame = `<iframe src="${location.origin}/embed/${game.id}" width="420" height="520" title="${t.name}" loading="lazy"></iframe>`;
  return (
    <>
      <CopyField label={t.share.link} value={`${location.origin}/analysis/${game.id}`} />
      {game.visibility !== 'private' && (
        <>
          <CopyField label={t.analysis.embed} value={frame} />
          <CopyField label={t.analysis.picture} value={`${location.origin}/v1/games/${game.id}/board.png`} />
        </>
      )}
    </>
  );
}

function Files({ game, hasEvaluations }: { game: Game; hasEvaluations: boolean }) {
  const [clocks, setClocks] = useState(true);
  const [evals, setEvals] = useState(hasEvaluations);
  const text = () => api.pgn(game.id, { clocks, evals });
  return (
    <fieldset class="pgn-wishes">
      <legend>{t.analysis.pgn}</legend>
      <label class="switch">
        <input type="checkbox" checked={clocks} onChange={(event) => setClocks(event.currentTarget.checked)} />
        {t.analysis.withClocks}
      </label>
      <label class="switch">
        <input
          type="checkbox"
          checked={evals}
          disabled={!hasEvaluations}
          onChange={(event) => setEvals(event.currentTarget.checked)}
        />
        {t.analysis.withEvaluations}
      </label>
      <div class="row">
        <CopyButton label={t.share.copyPgn} text={text} />
        <button type="button" onClick={() => void text().then((pgn) => download(pgn, `${game.id}.pgn`))}>
          {t.share.download}
        </button>
      </div>
    </fieldset>
  );
}

function download(text: string, name: string): void {
  const file = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  Object.assign(document.createElement('a'), { href: file, download: name }).click();
  URL.revokeObjectURL(file);
}
