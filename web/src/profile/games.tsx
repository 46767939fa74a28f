// Somebody's games, as many as one asks for, of the kind one asks for.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/players';
import type { Game } from '../api/types';
import { controlName } from '../game/clock';
import { resultText } from '../game/react';
import { t } from '../text';
import { date } from '../text/format';
import { wordsFor } from '../text/problem';
import { PlayerLink } from '../views/player_link';

interface Filters {
  variant: string;
  result: string;
  color: string;
  rated: string;
  opponent: string;
}

const ALL: Filters = { variant: '', result: '', color: '', rated: '', opponent: '' };
const PAGE = '20';

function query(filters: Filters, cursor: string | null): Record<string, string> {
  const chosen = Object.entries(filters).filter(([, value]) => value !== '') as [string, string][];
  return { state: 'COMPLETED', limit: PAGE, ...Object.fromEntries(chosen), ...(cursor ? { cursor } : {}) };
}

export function PlayerGames({ name, id }: { name: string; id: string }) {
  const [filters, setFilters] = useState(ALL);
  const [games, setGames] = useState<Game[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [state, setState] = useState<'loading' | 'done' | string>('loading');
  const load = async (from: string | null, isWanted: () => boolean) => {
    setState('loading');
    try {
      const page = await api.games(name, query(filters, from));
      if (!isWanted()) return;
      // What was withdrawn before it began is no game.
      const played = page.games.filter((game) => game.started_at);
      setGames((before) => (from ? [...before, ...played] : played));
      setCursor(page.next_cursor ?? null);
      setState('done');
    } catch (error) {
      if (isWanted()) setState(wordsFor(error));
    }
  };
  useEffect(() => {
    let wanted = true;
    void load(null, () => wanted);
    return () => void (wanted = false);
  }, [name, filters]);
  const set = (some: Partial<Filters>) => setFilters({ ...filters, ...some });
  return (
    <section aria-labelledby="player-games">
      <h2 id="player-games">{t.profile.games}</h2>
      <FilterRow filters={filters} set={set} />
      {state !== 'loading' && state !== 'done' ? (
        <p class="problem" role="alert">
          {state}
        </p>
      ) : games.length === 0 ? (
        <p class="hint">{state === 'loading' ? t.loading : t.profile.noGames}</p>
      ) : (
        <ul class="rows">
          {games.map((game) => (
            <Row key={game.id} game={game} id={id} />
          ))}
        </ul>
      )}
      {cursor && (
        <button type="button" disabled={state === 'loading'} onClick={() => void load(cursor, () => true)}>
          {t.profile.more}
        </button>
      )}
    </section>
  );
}

function FilterRow({ filters, set }: { filters: Filters; set(some: Partial<Filters>): void }) {
  const names = (texts: { readonly [name: string]: string | undefined }) =>
    Object.entries(texts).map(([value, text]) => [value, text ?? value] as const);
  return (
    <div class="filters" role="group" aria-label={t.profile.filters}>
      <Pick
        label={t.play.variant}
        value={filters.variant}
        any={t.profile.anyVariant}
        options={names(t.variants)}
        pick={(variant) => set({ variant })}
      />
      <Pick
        label={t.profile.anyResult}
        value={filters.result}
        any={t.profile.anyResult}
        options={names(t.profile.resultNames)}
        pick={(result) => set({ result })}
      />
      <Pick
        label={t.profile.anyColor}
        value={filters.color}
        any={t.profile.anyColor}
        options={[
          ['white', t.game.white],
          ['black', t.game.black],
        ]}
        pick={(color) => set({ color })}
      />
      <Pick
        label={t.profile.anyKind}
        value={filters.rated}
        any={t.profile.anyKind}
        options={[
          ['true', t.game.rated],
          ['false', t.game.casual],
        ]}
        pick={(rated) => set({ rated })}
      />
      <input
        aria-label={t.profile.opponent}
        placeholder={t.profile.opponent}
        maxLength={20}
        spellcheck={false}
        autocomplete="off"
        onChange={(event) => set({ opponent: event.currentTarget.value.trim() })}
      />
    </div>
  );
}

interface PickProps {
  label: string;
  value: string;
  any: string;
  options: (readonly [string, string])[];
  pick(value: string): void;
}

function Pick({ label, value, any, options, pick }: PickProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => pick(event.currentTarget.value)}>
      <option value="">{any}</option>
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}

function Row({ game, id }: { game: Game; id: string }) {
  const color = game.white === id ? 'white' : 'black';
  const opponent = color === 'white' ? game.players.black : game.players.white;
  const change = game.ratings?.[color];
  const by = change ? change.after - change.before : null;
  const outcome = !game.winner ? 'draw' : game.winner === color ? 'win' : 'loss';
  return (
    <li>
      <div class="game-row finished">
        <strong>{controlName(game.time_control)}</strong>
        <span>
          <span class={`dot ${color}`} aria-hidden="true" /> {opponent ? <PlayerLink {...opponent} /> : '…'}
        </span>
        <span class="tag">
          {t.variants[game.variant]}
          {by !== null && ` · ${by >= 0 ? '+' : '−'}${Math.abs(by)}`}
        </span>
        <a class={`go whole ${outcome}`} href={`/game/${game.id}`}>
          {resultText(game, null)}
          <small>{date(game.ended_at ?? game.created_at)}</small>
        </a>
      </div>
    </li>
  );
}
