// Games that wait for whoever comes, as they come and go.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import * as api from '../api/games';
import { controlName } from '../game/clock';
import { Socket } from '../net/socket';
import { go } from '../router';
import { ensurePlayer, me, token } from '../session';
import { t } from '../text';
import { useResting } from '../views/act';
import { PlayerLink } from '../views/player_link';
import { host } from '../views/titled';
import { heard, swept, type LobbyMessage, type Row } from './open_games';

const open = signal<Row[]>([]);
const SWEEP_MS = 1_000;

function useLobby(): void {
  const mine = token();
  useEffect(() => {
    open.value = [];
    const query = mine ? `?token=${encodeURIComponent(mine)}` : '';
    const socket = new Socket<LobbyMessage>({
      url: () => `/v1/lobby/stream${query}`,
      message: (message) => (open.value = heard(open.value, message, Date.now())),
    });
    return () => socket.close();
  }, [mine]);
}

/** Those that are gone leave when nobody points at the list. */
function useSweeping() {
  const isPointedAt = useRef(false);
  useEffect(() => {
    const timer = setInterval(() => {
      const left = swept(open.value, Date.now());
      if (!isPointedAt.current && left.length < open.value.length) open.value = left;
    }, SWEEP_MS);
    return () => clearInterval(timer);
  }, []);
  return {
    onPointerEnter: () => void (isPointedAt.current = true),
    onPointerLeave: () => void (isPointedAt.current = false),
  };
}

async function join(id: string): Promise<void> {
  await ensurePlayer();
  await api.join(id).catch(() => undefined); // whoever was faster: the game's page tells
  go(`/game/${id}`);
}

export function Lobby() {
  useLobby();
  const pointing = useSweeping();
  const id = me()?.id;
  const rows = open.value.filter(({ game }) => game.creator !== id && !game.opponent);
  const isResting = useResting(rows.map(({ game }) => game.id).join());
  return (
    <section class="lobby" aria-labelledby="open-games">
      <h2 id="open-games">{t.lists.open}</h2>
      <div class="room">
        {rows.length === 0 ? (
          <p class="hint">{t.lists.noOpen}</p>
        ) : (
          <ul class="rows" {...pointing}>
            {rows.map((row) => (
              <OpenGame key={row.game.id} row={row} isResting={isResting} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function OpenGame({ row: { game, goneAt }, isResting }: { row: Row; isResting: boolean }) {
  const isGone = goneAt !== null;
  return (
    <li>
      <div class="game-row">
        <strong>{controlName(game.time_control)}</strong>
        <span>
          <PlayerLink {...host(game)} />
        </span>
        <span class="tag">
          {t.variants[game.variant]}
          {game.rated && ` · ${t.game.rated}`}
        </span>
        <button
          type="button"
          class={`quiet go whole ${isGone ? 'gone' : ''}`}
          disabled={isGone || isResting}
          onClick={() => void join(game.id)}
        >
          {isGone ? t.lists.gone : t.lists.join}
        </button>
      </div>
    </li>
  );
}
