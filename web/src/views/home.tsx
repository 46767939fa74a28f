// The first screen: play, join, watch.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import * as api from '../api/games';
import type { Game } from '../api/types';
import { controlName } from '../game/clock';
import { Socket } from '../net/socket';
import { go } from '../router';
import { ensurePlayer, me, session, token } from '../session';
import { t } from '../text';
import { Feature } from './feature';
import { CodeForm } from './join';
import { MiniBoard } from './mini_board';
import { NewGameForm } from './new_game';
import { host, Titled, titled } from './titled';

const mine = signal<Game[]>([]);
const open = signal<Game[]>([]);
const live = signal<Game[]>([]);

const EVERY_MS = 4_000;
const isUnfinished = (game: Game) => game.state !== 'COMPLETED';

async function refresh(): Promise<void> {
  const id = me()?.id;
  const [waiting, active, own] = await Promise.all([
    api.list({ state: 'WAITING', limit: '20' }),
    api.list({ state: 'ACTIVE', limit: '6' }),
    id ? api.list({ player: id, limit: '20' }) : { games: [] },
  ]);
  open.value = waiting.games.filter((game) => game.creator !== id && !game.opponent);
  live.value = active.games;
  const invitations = waiting.games.filter((game) => id && game.opponent === id);
  const known = new Set(own.games.map((game) => game.id));
  mine.value = [...invitations.filter((game) => !known.has(game.id)), ...own.games.filter(isUnfinished)];
}

async function join(id: string): Promise<void> {
  await ensurePlayer();
  await api.join(id).catch(() => undefined); // whoever was faster: the game's page tells
  go(`/game/${id}`);
}

export function Home() {
  const signedIn = token();
  useEffect(() => {
    const again = () => void refresh().catch(() => undefined);
    again();
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), EVERY_MS);
    // Our own stream tells of challenges and of games that start; the lists say what they are.
    const socket = signedIn
      ? new Socket<{ type: string }>({
          url: () => `/v1/stream?token=${encodeURIComponent(token() ?? '')}`,
          message: again,
        })
      : null;
    return () => {
      clearInterval(timer);
      socket?.close();
    };
  }, [signedIn]);
  return (
    <div class="home">
      <div class="column">
        <h1 class="hero">{t.tagline}</h1>
        <NewGameForm />
        <CodeForm />
        <a class="card teaser" href="/skill">
          <h2>{t.play.skill}</h2>
          <p class="hint">{t.play.skillHint}</p>
        </a>
      </div>
      <div class="column wide">
        {session.value && mine.value.length > 0 && <MyGames />}
        <section aria-labelledby="open-games">
          <h2 id="open-games">{t.lists.open}</h2>
          {open.value.length === 0 ? (
            <p class="hint">{t.lists.noOpen}</p>
          ) : (
            <ul class="rows">
              {open.value.map((game) => (
                <li key={game.id}>
                  <button type="button" class="game-row" onClick={() => void join(game.id)}>
                    <strong>{controlName(game.time_control)}</strong>
                    <span>
                      <Titled {...host(game)} />
                    </span>
                    <span class="tag">{t.variants[game.variant]}</span>
                    <span class="go">{t.lists.join}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </section>
        <section aria-labelledby="live-games">
          <div class="split">
            <h2 id="live-games">{t.lists.live}</h2>
            <a href="/tv">{t.lists.allTv}</a>
          </div>
          {live.value.length === 0 ? (
            <Feature />
          ) : (
            <div class="minis">
              {live.value.map((game) => (
                <MiniBoard key={game.id} game={game} />
              ))}
            </div>
          )}
        </section>
      </div>
    </div>
  );
}

function MyGames() {
  const id = me()?.id;
  const word = (game: Game): string => {
    if (game.state === 'WAITING') return game.creator === id ? t.lists.waiting : t.lists.invited;
    const color = game.white === id ? 'white' : 'black';
    return game.to_move === color ? t.lists.yourTurn : t.lists.theirTurn;
  };
  const opponent = (game: Game): string => {
    const player = game.white === id ? game.players.black : game.players.white;
    return player ? titled(player) : '…';
  };
  return (
    <section aria-labelledby="my-games">
      <h2 id="my-games">{t.lists.mine}</h2>
      <ul class="rows">
        {mine.value.map((game) => (
          <li key={game.id}>
            <a class="game-row" href={`/game/${game.id}`}>
              <strong>{controlName(game.time_control)}</strong>
              <span>{t.lists.against(opponent(game))}</span>
              <span class="tag">{t.variants[game.variant]}</span>
              <span class={`go ${word(game) === t.lists.yourTurn ? 'now' : ''}`}>{word(game)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
