// One game, and what an arbiter may do with it.
import { useEffect, useState } from 'preact/hooks';
import type { components } from '../api/schema';
import type { Color, Game, GamePage } from '../api/types';
import { face, left, localMs, ServerTime } from '../game/clock';
import { t } from '../text';
import { dateTime } from '../text/format';
import { wordsFor } from '../text/problem';
import { Sure } from '../views/act';
import { MiniBoard } from '../views/mini_board';
import { operate } from './access';
import { clockMs } from './clock_ms';
import { Outcome } from './parts';
import { useAct } from './use';

type Inspection = components['schemas']['Inspection'];

const RESULTS = ['white_wins', 'black_wins', 'draw'] as const;

export function OneGame({ id }: { id: string }) {
  const [game, setGame] = useState<Game | null>(null);
  const [inside, setInside] = useState<Inspection | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const { problem, done, act } = useAct();
  const look = async () => {
    try {
      const found = await operate<GamePage>('GET', `/v1/admin/games?search=${encodeURIComponent(id)}`);
      const one = found.games.find((each) => each.id === id);
      setMissing(one ? null : t.game.notFound);
      if (one) setGame(one);
      setInside(await operate<Inspection>('GET', `/v1/admin/games/${encodeURIComponent(id)}`));
    } catch (error) {
      setMissing(wordsFor(error));
    }
  };
  useEffect(() => void look(), [id]);
  if (missing) {
    return (
      <p class="problem" role="alert">
        {missing}
      </p>
    );
  }
  if (!game) return <p class="hint">{t.loading}</p>;
  const rule = (what: string, body: object = {}) => {
    const path = `/v1/admin/games/${encodeURIComponent(id)}/${what}`;
    void act(() => operate('POST', path, { body }), t.console.done).then(look);
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
            <button type="button" onClick={() => rule('resume')}>
              {t.console.resume}
            </button>
          ) : (
            <button type="button" disabled={game.state !== 'ACTIVE'} onClick={() => rule('pause')}>
              {t.console.pause}
            </button>
          )}
          <Sure label={t.console.abort} sign="✕" act={() => rule('abort')} />
        </div>
        {game.clock_ms && !isOver && <Clocks key={game.version} game={game} set={(body) => rule('clock', body)} />}
        <Result game={game} decide={(result) => rule('result', { result })} />
        {inside && <Log inside={inside} />}
      </div>
    </section>
  );
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

/** Both clocks as they are now, in minutes and seconds, to be set. */
function Clocks({ game, set }: { game: Game; set(body: Record<string, number>): void }) {
  const time = new ServerTime();
  time.hear(Date.parse(game.clock_at), localMs());
  const now = face(game);
  const shown = (color: Color) => {
    const seconds = now ? Math.round(left(now, color, time.at(localMs())) / 1_000) : 0;
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };
  const [wrong, setWrong] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body: Record<string, number> = {};
    for (const color of ['white', 'black'] as const) {
      const text = String(form.get(color)).trim();
      const ms = clockMs(text);
      if (ms === null) return setWrong(true);
      if (text !== shown(color)) body[`${color}_ms`] = ms;
    }
    setWrong(false);
    if (Object.keys(body).length > 0) set(body);
  };
  const field = (color: Color) => (
    <label>
      {t.game[color]}
      <input name={color} defaultValue={shown(color)} inputMode="numeric" aria-invalid={wrong ? 'true' : undefined} />
    </label>
  );
  return (
    <form class="clocks" onSubmit={submit}>
      <fieldset>
        <legend>{t.console.clocks}</legend>
        <div class="row">
          {field('white')}
          {field('black')}
          <button type="submit">{t.console.setClocks}</button>
        </div>
      </fieldset>
      {wrong && (
        <p class="problem" role="alert">
          {t.console.badClock}
        </p>
      )}
    </form>
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
