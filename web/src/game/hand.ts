// From what the hand did on the board to a move: promotion, confirmation, moves planned ahead.
import type { Api } from '@lichess-org/chessground/api';
import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import { settings } from '../settings';
import { boardConfig, type BoardSignals } from './board_config';
import { position, preview, promotions } from './line';
import { Plan } from './plan';
import { foreseen } from './premoves';
import type { GameRoom } from './room';

interface Choosing {
  readonly from: string;
  readonly to: string;
  readonly choices: string[];
  /** Chosen in advance, for a move that is not yet possible. */
  readonly isPremove: boolean;
}

const LETTER: Record<string, string> = { pawn: 'P', knight: 'N', bishop: 'B', rook: 'R', queen: 'Q' };
/** More would only be a way to lose them all at once. */
const AHEAD_MAX = 12;

export class Hand {
  readonly flipped = signal(false);
  readonly choosing = signal<Choosing | null>(null);
  /** A move that waits to be confirmed, where the settings ask for that. */
  readonly candidate = signal<string | null>(null);
  /** Moves planned ahead: each is played when its turn comes, if it is possible then. */
  readonly queue = signal<readonly string[]>([]);
  /** A piece from the pocket that the next click puts down. */
  readonly holding = signal<string | null>(null);
  readonly plan: Plan;
  readonly board: BoardSignals;
  readonly isBusy: ReadonlySignal<boolean> = computed(
    () => this.choosing.value !== null || this.candidate.value !== null,
  );
  private api: Api | null = null;
  private inputAt = 0;
  private readonly stop: () => void;
  private readonly closing = new AbortController();

  constructor(private readonly room: GameRoom) {
    this.plan = new Plan(room);
    this.board = boardConfig(room, this, {
      moved: (from, to) => this.moved(from, to),
      dropped: (role, to) => this.play(`${LETTER[role]}@${to}`),
      premoved: (from, to) => this.premoved(from, to),
      predropped: (role, to) => this.ahead(`${LETTER[role]}@${to}`),
      clicked: (square) => this.clicked(square),
    });
    // Whatever was being chosen belongs to a position that is gone.
    const version = computed(() => room.game.value?.version);
    let ply = 0;
    this.stop = effect(() => {
      void version.value;
      this.choosing.value = null;
      this.candidate.value = null;
      const game = room.game.peek();
      // What was taken back, or is over, has no next move.
      if (game && (game.ply < ply || game.state === 'COMPLETED')) this.queue.value = [];
      ply = game?.ply ?? 0;
    });
  }

  close(): void {
    this.stop();
    this.plan.close();
    this.closing.abort();
  }

  ready(api: Api): void {
    this.api = api;
    const noted = (event: Event) => (this.inputAt = event.timeStamp);
    const options = { capture: true, passive: true, signal: this.closing.signal };
    for (const kind of ['mousedown', 'mouseup', 'touchstart', 'touchend'])
      document.addEventListener(kind, noted, options);
  }

  /** The board has been brought up to date: perhaps a planned move may be played now. */
  changed(api: Api): void {
    const { turnColor, movable } = api.state;
    const mayMove = movable.color === turnColor && (movable.dests?.size ?? 0) > 0;
    untracked(() => {
      if (mayMove && !this.room.pending.value && this.queue.value.length > 0) queueMicrotask(() => this.playNext());
    });
  }

  flip(): void {
    this.flipped.value = !this.flipped.value;
  }

  /** Drops what is planned and what is held. */
  letGo(): void {
    this.queue.value = [];
    this.holding.value = null;
  }

  dragNew(role: string, event: MouseEvent | TouchEvent): void {
    const color = this.room.myColor.value;
    if (!color || !this.api) return;
    this.api.dragNewPiece({ role: role as 'pawn', color }, event as never);
  }

  /** Takes a piece from the pocket, or puts it back. */
  hold(role: string): void {
    this.holding.value = this.holding.value === role ? null : role;
  }

  choose(piece: string | null): void {
    const choosing = this.choosing.value;
    this.choosing.value = null;
    if (!choosing) return;
    if (choosing.isPremove) {
      if (piece) this.ahead(choosing.from + choosing.to + piece);
    } else if (piece) this.play(choosing.from + choosing.to + piece);
    else this.restore();
  }

  confirm(yes: boolean): void {
    const move = this.candidate.value;
    this.candidate.value = null;
    if (move && yes) this.send(move);
    else this.restore();
  }

  /** A move from the board, the pocket or the keyboard. */
  play(uci: string): void {
    if (this.plan.line.value) return this.plan.play(uci);
    const { confirmMoves, confirmSlow } = settings.value;
    if (confirmMoves || (confirmSlow && this.plan.isSlow.value)) this.candidate.value = uci;
    else this.send(uci);
  }

  private send(uci: string): void {
    const begun = this.inputAt;
    void this.room.move(uci);
    // How long a hand waits for its own move: until the next frame is drawn.
    requestAnimationFrame((drawn) => {
      if (begun > 0) performance.measure('arbiter:own-move', { start: begun, end: Math.max(begun, drawn) });
    });
  }

  private moved(from: string, to: string): void {
    const choices = this.promotionsOf(from, to, this.plan.shown.value?.fen ?? this.room.shownFen.value);
    if (choices.length === 0) return this.play(from + to);
    if (settings.value.alwaysQueen) return this.play(`${from}${to}q`);
    this.choosing.value = { from, to, choices, isPremove: false };
  }

  private premoved(from: string, to: string): void {
    const [fen, mine] = [this.room.shownFen.value, this.room.myColor.value];
    this.api?.cancelPremove();
    const there = fen && mine ? foreseen(fen, mine, this.queue.value) : fen;
    const choices = this.promotionsOf(from, to, there);
    if (choices.length === 0) this.ahead(from + to);
    else if (settings.value.alwaysQueen) this.ahead(`${from}${to}q`);
    else this.choosing.value = { from, to, choices, isPremove: true };
  }

  private clicked(square: string): void {
    const role = this.holding.value;
    const game = this.room.game.value;
    if (!role || !game || !this.room.isLive.value) return;
    this.holding.value = null;
    const uci = `${LETTER[role]}@${square}`;
    if (game.to_move !== this.room.myColor.value || this.room.pending.value) return this.ahead(uci);
    const pos = position(game.variant, game.fen);
    if (pos && preview(pos, uci)) this.play(uci);
  }

  /** One more move for later. */
  private ahead(uci: string): void {
    this.api?.cancelPremove();
    this.api?.cancelPredrop();
    if (this.queue.value.length < AHEAD_MAX) this.queue.value = [...this.queue.value, uci];
  }

  /** The first of the planned moves, if it is possible now; if not, nothing of the plan is. */
  private playNext(): void {
    const [game, next] = [this.room.game.value, this.queue.value[0]];
    if (!game || !next || this.room.pending.value || game.to_move !== this.room.myColor.value) return;
    const pos = position(game.variant, game.fen);
    if (!pos || !preview(pos, next)) {
      this.queue.value = [];
      return;
    }
    this.queue.value = this.queue.value.slice(1);
    this.send(next);
  }

  private promotionsOf(from: string, to: string, fen: string | null): string[] {
    const variant = this.room.game.value?.variant ?? 'standard';
    const pos = fen ? position(variant, fen) : null;
    return pos ? promotions(pos, from, to, variant) : [];
  }

  private restore(): void {
    this.api?.set(this.board.config.peek());
  }
}
