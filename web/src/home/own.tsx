// One's own games: those that wait for us, those going on, the last finished ones.
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
import { PlayerLink } from '../views/player_link';
import { ownGames, shownAt, type Place } from './own_games';

const games = signal<Game[]>([]);
const EVERY_MS = 8_000;

async function refresh(): Promise<void> {
  const id = me()?.id;
  const found = id ? await ownGames(id, { list: api.list, challenges }) : [];
  if (me()?.id === id) games.value = found;
}

function useOwnGames(): void {
  const mine = token();
  useEffect(() => {
    const again = () => void refresh().catch(() => undefined);
    again();
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), EVERY_MS);
    // Our own stream tells of challenges and of games that change; the lists say what they are.
    const stop = heardOwn.subscribe(again);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [mine]);
}

export function OwnGames() {
  useOwnGames();
  const id = me()?.id;
  if (!id) return null;
  const of = (place: Place) => shownAt(games.value, place, id);
  return (
    <>
      <List name="waits" heading={t.lists.waits} games={of('waits')} id={id} />
      <List name="going" heading={t.lists.going} games={of('going')} id={id} />
      <List
        name="finished"
        heading={t.lists.finished}
        games={of('finished')}
        id={id}
        more={me()?.guest ? undefined : `/@/${encodeURIComponent(me()!.name)}`}
      />
    </>
  );
}

interface ListProps {
  name: Place;
  heading: string;
  games: Game[];
  id: string;
  more?: string;
}

function List({ name, heading, games, id, more }: ListProps) {
  if (games.length === 0) return null;
  return (
    <section class={name} aria-labelledby={`games-${name}`}>
      <div class="split">
        <h2 id={`games-${name}`}>{heading}</h2>
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
