// One's own games, in a place of fixed size: nothing below it moves when one comes or ends.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import * as api from '../api/games';
import { challenges } from '../api/meet';
import type { Game } from '../api/types';
import { controlName, spelled } from '../game/clock';
import { resultText } from '../game/react';
import { heardOwn } from '../notices/own';
import { me, token } from '../session';
import { t } from '../text';
import { relative } from '../text/format';
import { useResting } from '../views/act';
import { PlayerLink } from '../views/player_link';
import { ownGames, shownAt, type Place } from './own_games';

/** Not known before the first answer. */
const games = signal<Game[] | null>(null);
const EVERY_MS = 8_000;

async function refresh(): Promise<void> {
  const id = me()?.id;
  const found = id ? await ownGames(id, { list: api.list, challenges }) : [];
  if (me()?.id === id) games.value = found;
}

function useOwnGames(): void {
  const mine = token();
  useEffect(() => {
    let isAsking = false;
    let isWanted = false;
    // Much may be told while one answer is on its way: it is asked once more, and not once for each.
    const again = async () => {
      isWanted = true;
      if (isAsking) return;
      isAsking = true;
      while (isWanted) {
        isWanted = false;
        await refresh().catch(() => undefined);
      }
      isAsking = false;
    };
    const timer = setInterval(() => document.visibilityState === 'visible' && void again(), EVERY_MS);
    // Our own stream tells of challenges and of games that change; the lists say what they are. Asks at once, too.
    const stop = heardOwn.subscribe(() => void again());
    return () => {
      isWanted = false;
      clearInterval(timer);
      stop();
    };
  }, [mine]);
}

export function OwnGames() {
  useOwnGames();
  const id = me()?.id ?? '';
  const lists = (['waits', 'going', 'finished'] as const).map(
    (place) => [place, shownAt(games.value ?? [], place, id)] as const,
  );
  const isEmpty = games.value !== null && lists.every(([, found]) => found.length === 0);
  const isResting = useResting(lists.map(([place, found]) => [place, ...found.map((game) => game.id)].join()).join());
  const profile = me()?.guest ? undefined : `/@/${encodeURIComponent(me()?.name ?? '')}`;
  if (!id) return null;
  return (
    <section class={`own ${isResting ? 'resting' : ''}`} aria-labelledby="own-games">
      <h2 id="own-games">{t.lists.own}</h2>
      <div class="room">
        {isEmpty && <p class="hint">{t.lists.noOwn}</p>}
        {lists.map(([place, found]) => (
          <List key={place} name={place} games={found} id={id} more={place === 'finished' ? profile : undefined} />
        ))}
      </div>
    </section>
  );
}

interface ListProps {
  name: Exclude<Place, 'gone'>;
  games: Game[];
  id: string;
  more?: string;
}

function List({ name, games, id, more }: ListProps) {
  if (games.length === 0) return null;
  return (
    <section class={name} aria-labelledby={`games-${name}`}>
      <div class="split">
        <h3 id={`games-${name}`}>{t.lists[name]}</h3>
        {more && <a href={more}>{t.lists.all}</a>}
      </div>
      <ul class="rows">
        {games.map((game) => (
          <li key={game.id}>
            <div class="game-row">
              <strong>{controlName(game.time_control)}</strong>
              <span>
                <span class="against">{t.lists.against}</span> <Opponent game={game} id={id} />
              </span>
              <span class="tag">{t.variants[game.variant]}</span>
              <a class={`go whole ${name === 'waits' ? 'now' : outcome(game, id)}`} href={`/game/${game.id}`}>
                {word(game, id)}
                {game.ended_at && <small>{relative(game.ended_at)}</small>}
              </a>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function outcome(game: Game, id: string): string {
  if (game.state !== 'COMPLETED') return '';
  if (!game.winner) return 'draw';
  return game[game.winner as 'white' | 'black'] === id ? 'win' : 'loss';
}

function word(game: Game, id: string): string {
  const mine = game.white === id ? 'white' : 'black';
  if (game.state === 'COMPLETED') return resultText(game, mine);
  if (game.state === 'WAITING') return game.creator === id ? t.lists.waiting : t.lists.invited;
  if (game.state === 'PAUSED') return t.game.paused;
  const left = game.move_deadline ? ` · ${spelled(Date.parse(game.move_deadline) - Date.now())}` : '';
  return (game.to_move === mine ? t.lists.yourTurn : t.lists.theirTurn) + left;
}

function Opponent({ game, id }: { game: Game; id: string }) {
  const player = game.white === id ? game.players.black : game.players.white;
  if (player) return <PlayerLink {...player} />;
  if (game.creator !== id) return <PlayerLink name={game.creator} title={game.creator_title} />;
  return game.opponent ? <PlayerLink name={game.opponent} title={game.opponent_title} /> : <>…</>;
}
