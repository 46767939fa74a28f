// Games in from PGN files, and out to them.
import { useState } from 'preact/hooks';
import { t } from '../text';
import { percent } from '../text/format';
import { wordsFor } from '../text/problem';
import { fetched, lapse } from './access';

interface Line {
  done?: number;
  total?: number;
  problem?: string;
  ok?: boolean;
  imported?: number;
  known?: number;
  left_out?: number;
}

const PROBLEMS_MAX = 100;

export function Files() {
  return (
    <section class="stack" aria-label={t.console.sections.files}>
      <Import />
      <Export />
    </section>
  );
}

function Import() {
  const [share, setShare] = useState<number | null>(null);
  const [end, setEnd] = useState<Line | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const [failed, setFailed] = useState<string | null>(null);
  const hear = (line: Line) => {
    if (line.problem) setProblems((before) => [...before, line.problem!].slice(-PROBLEMS_MAX));
    if (line.total) setShare((line.done ?? 0) / line.total);
    if (line.ok) setEnd(line);
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const file = new FormData(event.currentTarget as HTMLFormElement).get('file') as File;
    setEnd(null);
    setProblems([]);
    setFailed(null);
    setShare(0);
    try {
      const headers = { 'content-type': 'application/x-chess-pgn' };
      const answer = await fetched('/v1/admin/import/pgn', { method: 'POST', body: file, headers });
      await eachLine(answer, hear);
    } catch (error) {
      lapse(error);
      setFailed(wordsFor(error));
    }
    setShare(null);
  };
  return (
    <form class="card stack" onSubmit={(event) => void submit(event)}>
      <h2>{t.console.import}</h2>
      <p class="hint">{t.console.importHint}</p>
      <input name="file" type="file" accept=".pgn,application/x-chess-pgn" required aria-label={t.console.file} />
      <button type="submit" class="primary" disabled={share !== null}>
        {t.console.import}
      </button>
      <div aria-live="polite">
        {share !== null && <p>{t.console.importing(percent(share))}</p>}
        {end && <p class="done">{t.console.imported(end.imported ?? 0, end.known ?? 0, end.left_out ?? 0)}</p>}
        {failed && <p class="problem">{failed}</p>}
      </div>
      {problems.length > 0 && (
        <ul class="log">
          {problems.map((problem) => (
            <li key={problem}>
              <code>{problem}</code>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** An answer of JSON lines, each as soon as it is there. */
async function eachLine(answer: Response, hear: (line: Line) => void): Promise<void> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = done ? '' : lines.pop()!;
    for (const line of lines) if (line.trim()) hear(JSON.parse(line) as Line);
    if (done) return;
  }
}

function Export() {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const query = new URLSearchParams();
    for (const name of ['player', 'since']) {
      const text = String(form.get(name)).trim();
      if (text) query.set(name, text);
    }
    setBusy(true);
    setProblem(null);
    try {
      const answer = await fetched(`/v1/admin/export?${query}`);
      const file = URL.createObjectURL(await answer.blob());
      Object.assign(document.createElement('a'), { href: file, download: 'games.pgn' }).click();
      URL.revokeObjectURL(file);
    } catch (error) {
      lapse(error);
      setProblem(wordsFor(error));
    }
    setBusy(false);
  };
  return (
    <form class="card stack" onSubmit={(event) => void submit(event)}>
      <h2>{t.console.export}</h2>
      <p class="hint">{t.console.exportHint}</p>
      <div class="pair">
        <label>
          {t.console.onlyPlayer}
          <input name="player" spellcheck={false} autocomplete="off" />
        </label>
        <label>
          {t.console.onlySince}
          <input name="since" type="date" />
        </label>
      </div>
      <button type="submit" class="primary" disabled={isBusy}>
        {t.console.export}
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
