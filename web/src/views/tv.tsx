// The liveliest games on one screen, over one socket.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import * as api from '../api/games';
import type { Game, Message } from '../api/types';
import { localMs, ServerTime } from '../game/clock';
import { enter, receive } from '../game/state';
import { Socket } from '../net/socket';
import { t } from '../text';
import { MiniBoard } from './mini_board';

const games = signal<Game[]>([]);
const time = new ServerTime();
const EVERY_MS = 15_000;
const SCREENS = 12;

/** Applies a message to the game it is about; an unclear one is cleared up by the next look at all. */
function hear(message: Message, lookAgain: () => void): void {
  if ('clock_at' in message && message.clock_at) time.hear(Date.parse(message.clock_at), localMs());
  const at = games.value.findIndex((game) => game.id === message.game_id);
  const game = games.value[at];
  if (!game) return;
  const change = receive(enter(game), message);
  if (change === 'look again') return lookAgain();
  if (change.game !== game) games.value = games.value.with(at, change.game);
}

export function Tv() {
  useEffect(() => {
    let socket: Socket<Message> | null = null;
    let watched = '';
    const look = async () => {
      const found = (await api.tv()).games.slice(0, SCREENS);
      for (const game of found) if (!game.ended_at) time.hear(Date.parse(game.clock_at), localMs());
      games.value = found;
      const ids = found.map((game) => game.id).join(',');
      if (ids === watched) return;
      watched = ids;
      socket?.close();
      socket = ids
        ? new Socket<Message>({ url: () => `/v1/stream?games=${watched}`, message: (m) => hear(m, again) })
        : null;
    };
    const again = () => void look().catch(() => undefined);
    again();
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), EVERY_MS);
    return () => {
      clearInterval(timer);
      socket?.close();
    };
  }, []);
  return (
    <div class="tv">
      <h1>{t.tv.heading}</h1>
      <p class="hint">{t.tv.hint}</p>
      {games.value.length === 0 ? (
        <p class="hint">{t.tv.none}</p>
      ) : (
        <div class="minis screens">
          {games.value.map((game) => (
            <MiniBoard key={game.id} game={game} time={time} />
          ))}
        </div>
      )}
    </div>
  );
}
