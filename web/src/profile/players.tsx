// Leaderboards, and a search for players.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/players';
import type { Leaderboard } from '../api/players';
import { t } from '../text';
import { number } from '../text/format';
import { wordsFor } from '../text/problem';
import { useTitle } from '../title';
import { PlayerLink } from '../views/player_link';
import { POOLS, poolName } from './pools';
import '../styles/profile.css';

export function PlayersPage() {
  useTitle(t.profile.heading);
  return (
    <div class="players">
      <h1>{t.profile.heading}</h1>
      <Search />
      <Leaders />
    </div>
  );
}

type Found = Awaited<ReturnType<typeof api.find>>['players'];
const NAME = /^[A-Za-z0-9_-]{1,20}$/;

function Search() {
  const [prefix, setPrefix] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (!NAME.test(prefix)) return setFound(prefix ? [] : null);
    let wanted = true;
    void api.find(prefix).then(
      ({ players }) => wanted && setFound(players),
      () => undefined,
    );
    return () => void (wanted = false);
  }, [prefix]);
  return (
    <section class="card" role="search">
      <label>
        {t.profile.search}
        <input
          type="search"
          value={prefix}
          placeholder={t.profile.searchHint}
          maxLength={20}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setPrefix(event.currentTarget.value.trim())}
        />
      </label>
      <div class="search-found" role="status">
        {found && found.length === 0 && <p class="hint">{t.profile.none}</p>}
        {found && found.length > 0 && (
          <ul class="names">
            {found.map((player) => (
              <li key={player.id}>
                <PlayerLink {...player} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function Leaders() {
  const [pool, setPool] = useState('blitz');
  const [board, setBoard] = useState<Leaderboard | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = (cursor: string | null, isWanted: () => boolean) => {
    setProblem(null);
    api.leaders(pool, cursor ?? undefined).then(
      (next) =>
        isWanted() &&
        setBoard((before) => (cursor && before ? { ...next, players: [...before.players, ...next.players] } : next)),
      (error: unknown) => isWanted() && setProblem(wordsFor(error)),
    );
  };
  useEffect(() => {
    let wanted = true;
    load(null, () => wanted);
    return () => void (wanted = false);
  }, [pool]);
  const next = board?.next_cursor;
  return (
    <section aria-labelledby="leaders">
      <div class="split">
        <h2 id="leaders">{t.profile.leaders}</h2>
        <select aria-label={t.profile.pool} value={pool} onChange={(event) => setPool(event.currentTarget.value)}>
          {POOLS.map((name) => (
            <option key={name} value={name}>
              {poolName(name)}
            </option>
          ))}
        </select>
      </div>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {board && board.players.length === 0 && <p class="hint">{t.profile.noLeaders}</p>}
      {board && board.players.length > 0 && <Table board={board} />}
      {next && (
        <button type="button" onClick={() => load(next, () => true)}>
          {t.profile.more}
        </button>
      )}
    </section>
  );
}

function Table({ board }: { board: Leaderboard }) {
  return (
    <table class="leaders">
      <thead>
        <tr>
          <th scope="col">{t.profile.rank}</th>
          <th scope="col">{t.profile.player}</th>
          <th scope="col">{t.profile.rating}</th>
          <th scope="col">{t.profile.games}</th>
        </tr>
      </thead>
      <tbody>
        {board.players.map((player, n) => (
          <tr key={player.id}>
            <td>{number(n + 1)}</td>
            <td>
              <PlayerLink {...player} />
            </td>
            <td>{number(player.rating)}</td>
            <td>{number(player.games)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
