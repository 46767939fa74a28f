// Games that wait for whoever comes, as they come and go.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import * as api from '../api/games';
import type { Game } from '../api/types';
import { controlName } from '../game/clock';
import { Socket } from '../net/socket';
import { go } from '../router';
import { ensurePlayer, me, token } from '../session';
import { t } from '../text';
import { host } from '../views/titled';
import { PlayerLink } from '../views/player_link';

type LobbyMessage =
  { type: 'STATE'; games: Game[] } | { type: 'OPENED'; game: Game } | { type: 'GONE'; game_id: string };

const open = signal<Game[]>([]);

/** The lobby after a message. A game keeps its place while it waits: nothing jumps under the pointer. */
export function heard(games: Game[], message: LobbyMessage): Game[] {
  switch (message.type) {
    case 'STATE':
      return message.games;
    case 'OPENED': {
      const at = games.findIndex((game) => game.id === message.game.id);
      return at < 0 ? [...games, message.game] : games.with(at, message.game);
    }
    case 'GONE':
      return games.filter((game) => game.id !== message.game_id);
    default:
      return games;
  }
}

function useLobby(): void {
  const mine = token();
  useEffect(() => {
    open.value = [];
    const query = mine ? `?token=${encodeURIComponent(mine)}` : '';
    const socket = new Socket<LobbyMessage>({
      url: () => `/v1/lobby/stream${query}`,
      message: (message) => (open.value = heard(open.value, message)),
    });
    return () => socket.close();
  }, [mine]);
}

async function join(id: string): Promise<void> {
  await ensurePlayer();
  await api.join(id).catch(() => undefined); // whoever was faster: the game's page tells
  go(`/game/${id}`);
}

export function Lobby() {
  useLobby();
  const id = me()?.id;
  const games = open.value.filter((game) => game.creator !== id && !game.opponent);
  return (
    <section aria-labelledby="open-games">
      <h2 id="open-games">{t.lists.open}</h2>
      {games.length === 0 ? (
        <p class="hint">{t.lists.noOpen}</p>
      ) : (
        <ul class="rows">
          {games.map((game) => (
            <li key={game.id}>
              <div class="game-row">
                <strong>{controlName(game.time_control)}</strong>
                <span>
                  <PlayerLink {...host(game)} />
                </span>
                <span class="tag">
                  {t.variants[game.variant]}
                  {game.rated && ` · ${t.game.rated}`}
                </span>
                <button type="button" class="quiet go whole" onClick={() => void join(game.id)}>
                  {t.lists.join}
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
