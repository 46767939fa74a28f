// One game, and what an arbiter may do with it.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../api/schema';
import type { Game, GamePage } from '../api/types';
import { t } from '../text';
import { dateTime } from '../text/format';
import { wordsFor } from '../text/problem';
import { Sure } from '../views/act';
import { MiniBoard } from '../views/mini_board';
import { operate } from './access';
import { Clocks } from './clocks';
import { Outcome } from './parts';
import { useAct } from './use';

type Inspection = components['schemas']['Inspection'];

const RESULTS = ['white_wins', 'black_wins', 'draw'] as const;

/** So often is looked whether the game has gone on. */
const EVERY_MS = 3_000;

export function OneGame({ id }: { id: string }) {
  const { game, inside, missing, look } = useGame(id);
  const { problem, done, act } = useAct();
  if (missing) {
    return (
      <p class="problem" role="alert">
        {missing}
      </p>
    );
  }
  if (!game) return <p class="hint">{t.loading}</p>;
  const rule = async (what: string, body: object = {}): Promise<boolean> => {
    const path = `/v1/admin/games/${encodeURIComponent(id)}/${what}`;
    const isDone = await act(() => operate('POST', path, { body }), t.console.done);
    await look();
    return isDone;
  };
  const isOver = game.state === 'COMPLETED';
  return (
    <section class="one-game" aria-label={t.console.game}>
      <div class="one-board">
        <MiniBoard game={game} />
        <Names game={game} />
      </div>
      <div class="stack">
        <h2>
          {t.console.game} {game.id}: {t.console.states[game.state] ?? game.state}
        </h2>
        <Outcome problem={problem} done={done} />
        <div class="row">
          {game.state === 'PAUSED' ? (
            <button type="button" onClick={() => void rule('resume')}>
              {t.console.resume}
            </button>
          ) : (
            <button type="button" disabled={game.state !== 'ACTIVE'} onClick={() => void rule('pause')}>
              {t.console.pause}
            </button>
          )}
          <Sure label={t.console.abort} sign="✕" act={() => void rule('abort')} />
        </div>
        {game.clock_ms && !isOver && <Clocks game={game} set={(body) => rule('clock', body)} />}
        <Result game={game} decide={(result) => void rule('result', { result })} />
        {inside && <Log inside={inside} />}
      </div>
    </section>
  );
}

/** The game as it is now, and as it goes on; its last events with each change. */
function useGame(id: string) {
  const [game, setGame] = useState<Game | null>(null);
  const [inside, setInside] = useState<Inspection | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const isKnown = useRef(false);
  const look = async () => {
    try {
      const found = await operate<GamePage>('GET', `/v1/admin/games?search=${encodeURIComponent(id)}`);
      const one = found.games.find((each) => each.id === id);
      setMissing(one ? null : t.game.notFound);
      if (!one) return;
      isKnown.current = true;
      // Answers may overtake each other.
      setGame((before) => (before && before.version > one.version ? before : one));
    } catch (error) {
      // What is on the page stays there: somebody may be writing in it.
      if (!isKnown.current) setMissing(wordsFor(error));
    }
  };
  useEffect(() => {
    void look();
    const timer = setInterval(() => document.visibilityState === 'visible' && void look(), EVERY_MS);
    return () => clearInterval(timer);
  }, [id]);
  const version = game?.version;
  useEffect(() => {
    if (version === undefined) return;
    const path = `/v1/admin/games/${encodeURIComponent(id)}`;
    void operate<Inspection>('GET', path).then(setInside, () => undefined);
  }, [id, version]);
  return { game, inside, missing, look };
}

function Names({ game }: { game: Game }) {
  const players = (['white', 'black'] as const).flatMap((color) => game.players[color] ?? []);
  return (
    <ul class="links">
      {players.map((player) => (
        <li key={player.id}>
          <a href={`/console/players/${player.id}`}>{t.console.actOn(player.name)}</a>
        </li>
      ))}
    </ul>
  );
}

function Result({ game, decide }: { game: Game; decide(result: string): void }) {
  return (
    <fieldset>
      <legend>{game.state === 'COMPLETED' ? t.console.changeResult : t.console.setResult}</legend>
      <div class="row">
        {RESULTS.map((result) => (
          <Sure key={result} label={t.results[result]} sign={SIGNS[result]} act={() => decide(result)} />
        ))}
      </div>
    </fieldset>
  );
}

const SIGNS = { white_wins: '1–0', black_wins: '0–1', draw: '½' };

function Log({ inside }: { inside: Inspection }) {
  return (
    <details>
      <summary>{t.console.log}</summary>
      <ol class="log" start={inside.log[0]?.version}>
        {inside.log.map((entry) => (
          <li key={entry.version}>
            <small>{dateTime(entry.at)}</small> <code>{entry.event}</code>
          </li>
        ))}
      </ol>
    </details>
  );
}
