// What a game is to be like, as it is chosen in a form.
import { computed, signal } from '@preact/signals';
import type { NewGame } from '../api/games';
import type { TimeControl } from '../api/types';

const clock = (minutes: number, increment_seconds: number): TimeControl => ({
  initial_seconds: minutes * 60,
  increment_seconds,
});

/** The times a form offers; `null` is none. */
export const PRESETS: (TimeControl | null)[] = [
  clock(1, 0),
  clock(3, 2),
  clock(5, 0),
  clock(5, 3),
  clock(10, 5),
  clock(15, 10),
  clock(30, 20),
  { days_per_move: 3 },
  null,
];

export const CUSTOM = -1;

/** What somebody typed as a number, within bounds; what is no number is `otherwise`. */
export function numberIn(text: string, least: number, most: number, otherwise: number): number {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) ? otherwise : Math.min(most, Math.max(least, value));
}

export class Terms {
  readonly preset = signal(3);
  // As typed: a field must be free to be empty while something is being typed.
  readonly minutes = signal('10');
  readonly increment = signal('0');
  readonly variant = signal('standard');
  readonly color = signal<'white' | 'black' | 'random'>('random');
  /** A Chess960 number; empty is chance. */
  readonly start = signal('');
  readonly fen = signal('');

  readonly isCustom = computed(() => this.preset.value === CUSTOM);
  readonly hasOwnStart = computed(() => this.fen.value.trim() !== '' || this.startNumber() !== undefined);

  control(): TimeControl | null {
    const chosen = PRESETS[this.preset.value];
    if (chosen !== undefined) return chosen;
    return {
      initial_seconds: Math.round(numberIn(this.minutes.value, 0.25, 180, 10) * 60),
      increment_seconds: Math.round(numberIn(this.increment.value, 0, 180, 0)),
    };
  }

  /** Whether a clock runs within seconds: days and no clock do not wait for the second move. */
  hasClock(): boolean {
    const control = this.control();
    return control !== null && 'initial_seconds' in control;
  }

  /** When the clock begins to run, if there is one. */
  clockStart(isLate: boolean): Pick<NewGame, 'clock_start'> {
    return this.hasClock() ? { clock_start: isLate ? 'second_ply' : 'join' } : {};
  }

  startPosition(): Pick<NewGame, 'initial_fen' | 'chess960_position'> {
    const fen = this.fen.value.trim();
    if (fen) return { initial_fen: fen };
    const number = this.startNumber();
    return number === undefined ? {} : { chess960_position: number };
  }

  private startNumber(): number | undefined {
    if (this.variant.value !== 'chess960' || this.start.value.trim() === '') return undefined;
    return Math.round(numberIn(this.start.value, 0, 959, 518));
  }
}
