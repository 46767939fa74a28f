// One game on the screen: what the server says of it, what we asked for, and what is shown.
import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import * as api from '../api/games';
import { ApiError, NoAnswer } from '../api/http';
import type { Audience, Color, Game, Message } from '../api/types';
import { Asking, type Answer } from '../net/asking';
import { deliver, type Posted } from '../net/deliver';
import { Socket, type Connection } from '../net/socket';
import { confirmSession, me, token } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';
import { localMs, ServerTime } from './clock';
import { fens, position, preview, type Previewed } from './line';
import { accepted, enter, gameOf, heard, receive, refresh, type Change, type Room } from './state';

export interface Pending {
  readonly posted: Posted;
  readonly preview: Previewed;
  /** The round trip has ended without an answer: the board shows what the server is known to have. */
  readonly unanswered: boolean;
}

/** Long enough to be read twice. */
const INFORM_MS = 8_000;

export class GameRoom {
  readonly room = signal<Room | null>(null);
  readonly problem = signal<'not_found' | null>(null);
  readonly pending = signal<Pending | null>(null);
  readonly notice = signal<string | null>(null);
  /** Something that happened and is worth a word: what became of our offer. */
  readonly info = signal<string | null>(null);
  readonly viewed = signal<number | null>(null);
  readonly time = new ServerTime();
  readonly connection: ReadonlySignal<Connection>;
  readonly roundTripMs: ReadonlySignal<number | null>;

  readonly game: ReadonlySignal<Game | null> = computed(() => this.room.value?.game ?? null);
  readonly myColor: ReadonlySignal<Color | null> = computed(() => {
    const [game, id] = [this.game.value, me()?.id];
    return !game || !id ? null : game.white === id ? 'white' : game.black === id ? 'black' : null;
  });
  readonly fens: ReadonlySignal<string[]> = computed(() => {
    const game = this.game.value;
    return game ? fens(game.variant, game.initial_fen, game.moves) : [];
  });
  // Plain values, so that a tick of the clock does not touch the board.
  readonly shownFen: ReadonlySignal<string | null> = computed(() => this.show()?.fen ?? null);
  readonly shownMove: ReadonlySignal<string | null> = computed(() => this.show()?.move ?? null);
  readonly isLive: ReadonlySignal<boolean> = computed(() => this.viewed.value === null);

  private readonly socket: Socket<Message | Answer>;
  // A browser without a network knows at once what the socket will know when it has been silent for long.
  private readonly asking = new Asking((message) => navigator.onLine && this.socket.send(message));
  /** Whether a STATE has told us all there is. */
  private wasIn = false;
  private looking = false;
  private lookAgain = false;
  private closed = false;
  private forget: ReturnType<typeof setTimeout> | undefined;
  private readonly stopWatching: () => void;

  constructor(readonly id: string) {
    this.socket = new Socket<Message | Answer>({
      url: () => this.streamUrl(),
      message: (message) => this.hear(message),
      failed: () => void this.look(),
      lost: () => this.asking.lost(),
    });
    this.connection = this.socket.connection;
    this.roundTripMs = this.socket.roundTripMs;
    void this.look();
    // Signing in or out changes what we may see.
    let before = token();
    this.stopWatching = effect(() => {
      const now = token();
      if (now === before) return;
      before = now;
      this.wasIn = false;
      this.socket.restart();
      void this.look();
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.forget);
    this.stopWatching();
    this.socket.close();
  }

  /** Plays a move at once on our own board, and sends it until it is answered. */
  async move(uci: string): Promise<void> {
    const game = this.game.value;
    if (!game || this.pending.value) return;
    const pos = position(game.variant, game.fen);
    const drawn = pos && preview(pos, uci);
    if (!drawn) return;
    const posted: Posted = { move: uci, ply: game.ply + 1, version: game.version };
    this.notice.value = null;
    this.viewed.value = null;
    this.pending.value = { posted, preview: drawn, unanswered: false };
    const delivery = await deliver(posted, {
      send: (move) => this.asking.move(move, () => api.move(this.id, move)),
      unanswered: () => this.unanswered(posted),
      wanted: () => !this.closed && this.pending.value?.posted === posted,
    });
    if (this.pending.value?.posted !== posted) return;
    batch(() => {
      this.pending.value = null;
      if ('accepted' in delivery && this.room.value) {
        const at = new Date(this.time.at(localMs())).toISOString();
        this.adopt(accepted(this.room.value, delivery.accepted, at));
      }
      if ('refused' in delivery) {
        this.complain(t.game.refused(wordsFor(delivery.refused)));
        void this.look();
      }
    });
  }

  /** Anything but a move: resign, offer, accept. */
  async tell(what: string, body?: object): Promise<Game | null> {
    this.notice.value = null;
    try {
      const game = await api.tell(this.id, what, body, this.asking);
      if (game.id === this.id) this.adopt(this.room.value ? refresh(this.room.value, game) : enter(game));
      return game;
    } catch (error) {
      this.complain(wordsFor(error));
      if (error instanceof ApiError && error.status === 409) void this.look();
      return null;
    }
  }

  async join(): Promise<void> {
    if (!(await this.tell('join'))) return;
    // We came as a spectator and would be counted as one.
    this.wasIn = false;
    this.socket.restart();
  }

  /** Says something for a while. */
  inform(text: string): void {
    this.notice.value = null;
    this.showFor(this.info, text);
  }

  private complain(text: string): void {
    this.info.value = null;
    this.showFor(this.notice, text);
  }

  private showFor(place: Signal<string | null>, text: string): void {
    clearTimeout(this.forget);
    place.value = text;
    this.forget = setTimeout(() => (place.value = null), INFORM_MS);
  }

  async say(text: string, audience: Audience): Promise<void> {
    const line = await api.say(this.id, text, audience);
    if (this.room.value) this.adopt(receive(this.room.value, { ...line, type: 'CHAT', game_id: this.id }));
  }

  /** Shows an earlier position; null is the game as it is. */
  view(ply: number | null): void {
    const last = this.game.value?.ply ?? 0;
    this.viewed.value = ply === null || ply >= last ? null : Math.max(0, ply);
  }

  step(by: number): void {
    const ply = this.viewed.value ?? this.game.value?.ply ?? 0;
    this.view(ply + by);
  }

  /** The whole game, over HTTP: at first, when something was missed, and when the stream cannot be had. */
  async look(): Promise<void> {
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    this.looking = true;
    try {
      const game = await api.read(this.id);
      if (this.closed) return;
      this.time.hear(Date.parse(game.ended_at ?? game.clock_at), localMs());
      this.problem.value = null;
      this.adopt(this.room.value ? refresh(this.room.value, game) : enter(game));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        this.problem.value = 'not_found';
        // There is nothing to wait for, unless somebody else signs in.
        this.socket.rest();
      } else if (error instanceof ApiError && error.status === 401) void confirmSession();
      else if (!(error instanceof ApiError) && !(error instanceof NoAnswer)) throw error;
    } finally {
      this.looking = false;
      if (this.lookAgain && !this.closed) {
        this.lookAgain = false;
        void this.look();
      }
    }
  }

  private streamUrl(): string {
    const room = this.room.value;
    const query = new URLSearchParams();
    // Before the first STATE we have no chat and no presence: those do not come with `since`.
    if (room && this.wasIn) query.set('since', String(room.game.version));
    const last = room?.chat.at(-1)?.id;
    if (last) query.set('chat', last);
    const mine = token();
    if (mine) query.set('token', mine);
    return `/v1/games/${encodeURIComponent(this.id)}/stream?${query}`;
  }

  private hear(message: Message | Answer): void {
    if (message.type === 'ACK' || message.type === 'REFUSED') return this.asking.hear(message);
    if (message.type === 'STATE') this.wasIn = true;
    if ('clock_at' in message && message.clock_at) this.time.hear(Date.parse(message.clock_at), localMs());
    const room = this.room.value;
    if (!room && message.type === 'STATE') return this.adopt(receive(enter(gameOf(message)), message));
    if (room) this.adopt(receive(room, message));
  }

  private adopt(change: Change): void {
    if (change === 'look again') return void this.look();
    const isOver = change.game.state === 'COMPLETED' && this.game.value?.state !== 'COMPLETED';
    if (isOver && this.wasIn) void this.hearAll();
    // The stream does not say what became of the ratings.
    if (isOver && change.game.rated && !change.game.ratings && this.room.value) queueMicrotask(() => void this.look());
    batch(() => {
      this.room.value = change;
      this.problem.value = null;
      const { pending } = this;
      const posted = pending.value?.posted;
      // The stream may tell of our move, or of its end, before the answer comes.
      if (posted && (change.game.ply >= posted.ply || change.game.state === 'COMPLETED')) pending.value = null;
      if (this.viewed.value !== null && this.viewed.value >= change.game.ply) this.viewed.value = null;
    });
  }

  /** When the game is over the players may read what the observers said. */
  private async hearAll(): Promise<void> {
    const { chat } = await api.chat(this.id).catch(() => ({ chat: [] }));
    if (this.room.value && !this.closed) this.room.value = heard(this.room.value, chat);
  }

  private unanswered(posted: Posted): void {
    const now = this.pending.value;
    if (now?.posted === posted && !now.unanswered) this.pending.value = { ...now, unanswered: true };
  }

  /** The position on the screen, and the move that led to it. */
  private show(): { fen: string; move: string | undefined } | null {
    const [game, viewed, pending] = [this.game.value, this.viewed.value, this.pending.value];
    if (!game) return null;
    if (viewed !== null) return { fen: this.fens.value[viewed] ?? game.fen, move: game.moves[viewed - 1] };
    if (pending && !pending.unanswered) return { fen: pending.preview.fen, move: pending.posted.move };
    return { fen: game.fen, move: game.moves.at(-1) };
  }
}
