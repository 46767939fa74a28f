// Many boards on one screen, for a club evening: the liveliest games, or those one names.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { stored } from '../stored';
import '../styles/watch.css';
import { t } from '../text';
import { useTitle } from '../title';
import { MiniBoard } from '../views/mini_board';
import { layout, type Layout } from './layout';
import { chosen, liveliest, Programme } from './programme';

const BOARDS_MAX = 12;

/** The games that were named; none: the liveliest. */
const wanted = stored<string[]>('arbiter.screens', [], (value) =>
  (value as unknown[]).filter((id): id is string => typeof id === 'string').slice(0, BOARDS_MAX),
);

/** A game's id, from itself or from its link. */
function idOf(text: string): string | null {
  const last = text
    .trim()
    .replace(/[?#].*$/, '')
    .split('/')
    .filter(Boolean)
    .pop();
  return last && /^[A-Za-z0-9]{4,32}$/.test(last) ? last : null;
}

export function ScreensPage() {
  useTitle(t.watch.many);
  const ids = wanted.value;
  const key = ids.join(',');
  const programme = useMemo(() => new Programme(() => (ids.length > 0 ? chosen(ids) : liveliest(BOARDS_MAX))), [key]);
  useEffect(() => () => programme.close(), [programme]);
  const games = programme.games.value;
  const { columns, size } = useLayout(games.length);
  return (
    <div class="many">
      <div class="split">
        <h1>{t.watch.many}</h1>
        <Choose />
      </div>
      {games.length === 0 ? (
        <p class="hint">{programme.isKnown.value ? t.tv.none : t.loading}</p>
      ) : (
        <div class="boards" data-count={games.length} style={{ '--columns': columns, '--size': `${size}px` }}>
          {games.map((game) => (
            <MiniBoard key={game.id} game={game} time={programme.time} />
          ))}
        </div>
      )}
    </div>
  );
}

/** What is left of the screen below the heading. */
const HEAD = { width: 40, height: 150 };

function useLayout(boards: number): Layout {
  const [view, setView] = useState({ width: innerWidth, height: innerHeight });
  useEffect(() => {
    const resized = () => setView({ width: innerWidth, height: innerHeight });
    addEventListener('resize', resized);
    return () => removeEventListener('resize', resized);
  }, []);
  return layout(boards, view.width - HEAD.width, view.height - HEAD.height);
}

function Choose() {
  const [problem, setProblem] = useState(false);
  const ids = wanted.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const id = idOf(String(new FormData(form).get('game')));
    setProblem(!id);
    if (!id) return;
    if (!ids.includes(id)) wanted.value = [...ids, id].slice(-BOARDS_MAX);
    form.reset();
  };
  const full = () => void document.querySelector('.many')?.requestFullscreen?.();
  return (
    <form class="row choose" onSubmit={submit}>
      <input
        name="game"
        aria-label={t.watch.add}
        placeholder={t.watch.add}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={problem ? 'true' : undefined}
        onInput={() => setProblem(false)}
      />
      <button type="submit">{t.watch.put}</button>
      <button type="button" disabled={ids.length === 0} onClick={() => (wanted.value = [])}>
        {t.watch.liveliest}
      </button>
      <button type="button" onClick={full}>
        {t.watch.fullScreen}
      </button>
      {problem && (
        <p class="problem" role="alert">
          {t.watch.noGame}
        </p>
      )}
    </form>
  );
}
