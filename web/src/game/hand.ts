// From what the hand did on the board to a move: promotion, confirmation, premove.
import type { Api } from '@lichess-org/chessground/api';
import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import { settings } from '../settings';
import { boardConfig, type BoardSignals } from './board_config';
import { position, promotions } from './line';
import type { GameRoom } from './room';

interface Choosing {
  readonly from: string;
  readonly to: string;
  readonly choices: string[];
  /** Chosen in advance, for a move that is not yet possible. */
  readonly isPremove: boolean;
}

const LETTER: Record<string, string> = { pawn: 'P', knight: 'N', bishop: 'B', rook: 'R', queen: 'Q' };

export class Hand {
  readonly flipped = signal(false);
  readonly choosing = signal<Choosing | null>(null);
  /** A move that waits to be confirmed, where the settings ask for that. */
  readonly candidate = signal<string | null>(null);
  readonly board: BoardSignals;
  readonly isBusy: ReadonlySignal<boolean> = computed(
    () => this.choosing.value !== null || this.candidate.value !== null,
  );
  private api: Api | null = null;
  private prepared: string | null = null;
  private inputAt = 0;
  private readonly stop: () => void;
  private readonly closing = new AbortController();

  constructor(private readonly room: GameRoom) {
    this.board = boardConfig(room, this.flipped, {
      moved: (from, to, isPremove) => this.moved(from, to, isPremove),
      dropped: (role, to) => this.play(`${LETTER[role]}@${to}`),
      premoved: (from, to) => this.premoved(from, to),
    });
    // Whatever was being chosen belongs to a position that is gone.
    const version = computed(() => room.game.value?.version);
    this.stop = effect(() => {
      void version.value;
      this.choosing.value = null;
      this.candidate.value = null;
    });
  }

  close(): void {
    this.stop();
    this.closing.abort();
  }

  ready(api: Api): void {
    this.api = api;
    const noted = (event: Event) => (this.inputAt = event.timeStamp);
    const options = { capture: true, passive: true, signal: this.closing.signal };
    for (const kind of ['mousedown', 'mouseup', 'touchstart', 'touchend'])
      document.addEventListener(kind, noted, options);
  }

  /** The board has been brought up to date: perhaps a premove may be played now. */
  changed(api: Api): void {
    const { turnColor, movable } = api.state;
    const mayMove = movable.color === turnColor && (movable.dests?.size ?? 0) > 0;
    untracked(() => {
      if (mayMove && !this.room.pending.value) queueMicrotask(() => this.playPrepared());
    });
  }

  flip(): void {
    this.flipped.value = !this.flipped.value;
  }

  dragNew(role: string, event: MouseEvent | TouchEvent): void {
    const color = this.room.myColor.value;
    if (!color || !this.api) return;
    this.api.dragNewPiece({ role: role as 'pawn', color }, event as never);
  }

  choose(piece: string | null): void {
    const choosing = this.choosing.value;
    this.choosing.value = null;
    if (!choosing) return;
    if (choosing.isPremove) {
      if (piece) this.prepared = piece;
      else this.api?.cancelPremove();
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
    if (settings.value.confirmMoves) this.candidate.value = uci;
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

  private moved(from: string, to: string, isPremove: boolean): void {
    const choices = this.promotionsOf(from, to);
    const prepared = this.prepared;
    this.prepared = null;
    if (choices.length === 0) return this.play(from + to);
    if (isPremove) return this.play(from + to + (prepared ?? choices[0]!));
    this.choosing.value = { from, to, choices, isPremove: false };
  }

  private premoved(from: string, to: string): void {
    this.prepared = null;
    const choices = this.promotionsOf(from, to);
    if (choices.length > 0) this.choosing.value = { from, to, choices, isPremove: true };
  }

  private promotionsOf(from: string, to: string): string[] {
    const fen = this.room.shownFen.value;
    const variant = this.room.game.value?.variant ?? 'standard';
    const pos = fen ? position(variant, fen) : null;
    return pos ? promotions(pos, from, to, variant) : [];
  }

  private playPrepared(): void {
    const api = this.api;
    if (!api || this.room.pending.value) return;
    if (api.state.premovable.current) api.playPremove();
    else if (api.state.predroppable.current) {
      const pos = position(this.room.game.value?.variant ?? 'standard', this.room.shownFen.value ?? '');
      api.playPredrop(({ role, key }) => pos?.dropDests().has(squareOf(key)) === true && role !== 'king');
    }
  }

  private restore(): void {
    this.api?.set(this.board.config.peek());
  }
}

const squareOf = (key: string): number => key.charCodeAt(0) - 97 + 8 * (Number(key[1]) - 1);
