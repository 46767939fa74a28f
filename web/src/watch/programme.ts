// Several games over one socket, each as it is now.
import { signal } from '@preact/signals';
import * as api from '../api/games';
import { ask } from '../api/http';
import type { Game, Message } from '../api/types';
import { localMs, ServerTime } from '../game/clock';
import { enter, receive } from '../game/state';
import { Socket } from '../net/socket';
import { token } from '../session';

export interface Found {
  games: Game[];
  /** The game worth a big board. */
  featured: string | null;
}

/** The liveliest games, as the server chooses them. */
export async function liveliest(limit: number): Promise<Found> {
  const { games, featured } = await ask<Found>('GET', `/v1/tv?limit=${limit}`, { token: token() });
  return { games, featured: featured ?? games[0]?.id ?? null };
}

/** These games and no others. What is not there is left out. */
export async function chosen(ids: readonly string[]): Promise<Found> {
  const answers = await Promise.allSettled(ids.map((id) => api.read(id)));
  const games = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  return { games, featured: games[0]?.id ?? null };
}

const EVERY_MS = 15_000;

export class Programme {
  readonly games = signal<readonly Game[]>([]);
  readonly featured = signal<string | null>(null);
  /** Whether an answer has come yet. */
  readonly isKnown = signal(false);
  readonly time = new ServerTime();
  private socket: Socket<Message> | null = null;
  private watched = '';
  private readonly timer: ReturnType<typeof setInterval>;
  private closed = false;

  /** `moved` is told of each move as it is made, and of none that was made before. */
  constructor(
    private readonly find: () => Promise<Found>,
    private readonly moved: (game: Game) => void = () => undefined,
  ) {
    this.again();
    this.timer = setInterval(() => document.visibilityState === 'visible' && this.again(), EVERY_MS);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    this.socket?.close();
  }

  readonly again = (): void => void this.look().catch(() => undefined);

  private async look(): Promise<void> {
    const { games, featured } = await this.find();
    if (this.closed) return;
    for (const game of games) if (!game.ended_at) this.time.hear(Date.parse(game.clock_at), localMs());
    // What the socket told meanwhile may be newer than the answer.
    const known = new Map(this.games.value.map((game) => [game.id, game]));
    this.games.value = games.map((game) => {
      const before = known.get(game.id);
      return before && before.version > game.version ? before : game;
    });
    this.featured.value = featured;
    this.isKnown.value = true;
    this.watch(games.map((game) => game.id).join(','));
  }

  private watch(ids: string): void {
    if (ids === this.watched) return;
    this.watched = ids;
    this.socket?.close();
    this.socket = ids ? new Socket<Message>({ url: () => this.url(), message: (message) => this.hear(message) }) : null;
  }

  private url(): string {
    const query = new URLSearchParams({ games: this.watched });
    const mine = token();
    if (mine) query.set('token', mine);
    return `/v1/stream?${query}`;
  }

  /** Applies a message to the game it is about; an unclear one is cleared up by the next look at all. */
  private hear(message: Message): void {
    if ('clock_at' in message && message.clock_at) this.time.hear(Date.parse(message.clock_at), localMs());
    const at = this.games.value.findIndex((game) => game.id === message.game_id);
    const game = this.games.value[at];
    if (!game) return;
    const change = receive(enter(game), message);
    if (change === 'look again') return this.again();
    if (change.game === game) return;
    this.games.value = this.games.value.with(at, change.game);
    if (message.type === 'MOVE' && change.game.ply > game.ply) this.moved(change.game);
  }
}
