// What the server found: the opening, how well both played, the best move where the board is.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/analysis';
import { ApiError, sleep } from '../api/http';
import type { Color, Game } from '../api/types';
import { position, preview } from '../game/line';
import { resultText } from '../game/react';
import { t } from '../text';
import { number } from '../text/format';
import { wordsFor } from '../text/problem';
import { count, GLYPHS, JUDGEMENTS, scored, type Report } from './evaluation';
import type { Study } from './study';

const ASK_AGAIN_MS = 1_500;

export function ReportCard({ study, game }: { study: Study; game: Game }) {
  const { progress, problem, ask } = useReport(study, game);
  const report = study.report.value;
  return (
    <section class="card report" aria-labelledby="report">
      <h2 id="report">{report?.opening ? report.opening.name : (t.variants[game.variant] ?? game.variant)}</h2>
      <p class="hint">
        {report?.opening && <>{report.opening.eco} · </>}
        {resultText(game, null)} · <a href={`/game/${game.id}`}>{t.analysis.toGame}</a>
      </p>
      {report ? (
        <>
          <Accuracy report={report} study={study} />
          <Best study={study} />
        </>
      ) : progress ? (
        <p class="progress" role="status">
          <progress max={progress.total} value={progress.done} aria-label={t.analysis.working} />
          {progress.status === 'queued' ? t.analysis.queued : t.analysis.progress(progress.done, progress.total)}
        </p>
      ) : (
        game.moves.length > 0 && (
          <button type="button" class="primary" onClick={ask}>
            {t.analysis.ask}
          </button>
        )
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

function Accuracy({ report, study }: { report: Report; study: Study }) {
  const whiteBegins = study.root.value.fen.split(' ')[1] !== 'b';
  const side = (color: Color) => (
    <tr>
      <th scope="row">
        <span class={`dot ${color}`} aria-hidden="true" /> {t.game[color]}
      </th>
      <td>{report.accuracy[color] == null ? '–' : `${number(report.accuracy[color]!, 0)} %`}</td>
      {JUDGEMENTS.map((judgement) => {
        const n = count(report, whiteBegins, color, judgement);
        return (
          <td key={judgement} class={n > 0 ? judgement : undefined}>
            {n}
          </td>
        );
      })}
    </tr>
  );
  return (
    <table class="accuracy">
      <thead>
        <tr>
          <td />
          <th scope="col">{t.analysis.accuracy}</th>
          {JUDGEMENTS.map((judgement) => (
            <th key={judgement} scope="col">
              <abbr title={t.analysis.judgementsMany[judgement]}>{GLYPHS[judgement]}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {side('white')}
        {side('black')}
      </tbody>
    </table>
  );
}

/** How the shown position stands, and what is best in it. The space is always there. */
function Best({ study }: { study: Study }) {
  const place = study.place.value;
  const found = study.found(place);
  const best = study.best(place);
  const pos = best ? position(study.variant.value, place.fen) : null;
  const san = pos && best ? preview(pos, best)?.san : null;
  return (
    <p class="best">
      <b>{found ? scored(found) : place.ply === 0 ? '0.0' : '–'}</b>
      {san ? (
        <button type="button" class="link" onClick={() => study.play(best!)}>
          {t.analysis.best(san)}
        </button>
      ) : (
        <span class="hint">{place.isPlayed ? t.analysis.noBest : t.analysis.ownLine}</span>
      )}
    </p>
  );
}

/** Reads the analysis, and waits for one that is being made. */
function useReport(study: Study, game: Game) {
  const [progress, setProgress] = useState<api.Progress | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [wish, setWish] = useState(0);
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      let answer = wish > 0 ? await api.analyse(game.id) : await api.analysis(game.id);
      while (wanted && !api.isDone(answer)) {
        setProgress(answer);
        await sleep(ASK_AGAIN_MS);
        answer = await api.analysis(game.id);
      }
      if (!wanted || !api.isDone(answer)) return;
      study.report.value = answer;
      setProgress(null);
    };
    setProblem(null);
    look().catch((error: unknown) => {
      if (!wanted) return;
      setProgress(null);
      const isNone = error instanceof ApiError && error.code === 'no_analysis';
      if (!isNone || wish > 0) setProblem(wordsFor(error));
    });
    return () => void (wanted = false);
  }, [game, wish]);
  return { progress, problem, ask: () => setWish(wish + 1) };
}
