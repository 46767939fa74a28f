// Conditional moves of a slow game, entered on the board while the opponent thinks.
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import * as api from '../api/games';
import { wordsFor } from '../text/problem';
import { fens, position, preview } from './line';
import { complete, withLine, type Line } from './plan_lines';
import type { GameRoom } from './room';

export class Plan {
  /** What the server will answer with. */
  readonly lines = signal<readonly Line[]>([]);
  /** The line that is being entered; null while the board is the game's. */
  readonly line = signal<Line | null>(null);
  readonly problem = signal<string | null>(null);
  readonly busy = signal(false);

  readonly isSlow: ReadonlySignal<boolean> = computed(() => {
    const control = this.room.game.value?.time_control;
    return !!control && 'days_per_move' in control;
  });
  /** Lines can be changed while the opponent is to move. */
  readonly isOpen: ReadonlySignal<boolean> = computed(() => {
    const [game, mine] = [this.room.game.value, this.room.myColor.value];
    return this.isSlow.value && game?.state === 'ACTIVE' && mine !== null && game.to_move !== mine;
  });
  /** The board while a line is entered. */
  readonly shown: ReadonlySignal<{ fen: string; move: string | null } | null> = computed(() => {
    const [game, line] = [this.room.game.value, this.line.value];
    if (!game || line === null) return null;
    return { fen: fens(game.variant, game.fen, line).at(-1)!, move: line.at(-1) ?? game.moves.at(-1) ?? null };
  });
  private readonly stop: () => void;

  constructor(private readonly room: GameRoom) {
    const at = computed(() => `${this.isOpen.value} ${this.room.game.value?.ply}`);
    this.stop = effect(() => {
      void at.value;
      this.line.value = null;
      if (this.isOpen.peek()) void this.load();
      else this.lines.value = [];
    });
  }

  close(): void {
    this.stop();
  }

  begin(): void {
    this.problem.value = null;
    this.room.view(null);
    this.line.value = [];
  }

  /** A move on the board, theirs and mine by turns. */
  play(uci: string): void {
    const [game, shown, line] = [this.room.game.value, this.shown.value, this.line.value];
    const pos = game && shown ? position(game.variant, shown.fen) : null;
    if (line && pos && preview(pos, uci)) this.line.value = [...line, uci];
  }

  back(): void {
    if (this.line.value) this.line.value = this.line.value.slice(0, -1);
  }

  leave(): void {
    this.line.value = null;
  }

  async save(): Promise<void> {
    const line = complete(this.line.value ?? []);
    if (line.length > 0 && (await this.set(withLine(this.lines.value, line)))) this.line.value = null;
  }

  async remove(n: number): Promise<void> {
    await this.set(this.lines.value.filter((_, at) => at !== n));
  }

  private async set(lines: readonly Line[]): Promise<boolean> {
    this.busy.value = true;
    this.problem.value = null;
    try {
      this.lines.value = (await api.setConditional(this.room.id, lines)).lines;
      return true;
    } catch (error) {
      this.problem.value = wordsFor(error);
      return false;
    } finally {
      this.busy.value = false;
    }
  }

  private async load(): Promise<void> {
    try {
      this.lines.value = (await api.conditional(this.room.id)).lines;
    } catch (error) {
      this.problem.value = wordsFor(error);
    }
  }
}
