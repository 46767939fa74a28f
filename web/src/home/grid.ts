// The tiles of quick pairing: times that people like, and whatever somebody waits for.
import type { Pool } from '../api/meet';
import type { TimeControl } from '../api/types';
import { controlName } from '../game/clock';

export interface Tile {
  key: string;
  control: TimeControl;
  variant: string;
  waiting: number;
  wait: number | null;
}

const clock = (minutes: number, increment_seconds: number): TimeControl => ({
  initial_seconds: minutes * 60,
  increment_seconds,
});

const LIKED: TimeControl[] = [
  clock(1, 0),
  clock(2, 1),
  clock(3, 0),
  clock(3, 2),
  clock(5, 0),
  clock(5, 3),
  clock(10, 0),
  clock(10, 5),
  clock(15, 10),
  clock(30, 0),
  clock(30, 20),
  clock(60, 30),
];

const keyOf = (control: TimeControl | null | undefined, variant: string) => `${variant} ${controlName(control)}`;

export interface Tiles {
  /** Always the same, at the same place. */
  liked: Tile[];
  /** Where somebody waits besides. */
  others: Tile[];
}

export function tiles(pools: Pool[], rated: boolean): Tiles {
  const here = pools.filter((pool) => pool.rated === rated && pool.time_control);
  const known = new Map(here.map((pool) => [keyOf(pool.time_control, pool.variant), pool]));
  const liked = LIKED.map((control) => tile(control, 'standard', known));
  const shown = new Set(liked.map(({ key }) => key));
  const others = here
    .filter((pool) => pool.waiting > 0 && !shown.has(keyOf(pool.time_control, pool.variant)))
    .map((pool) => tile(pool.time_control!, pool.variant, known));
  return { liked, others };
}

function tile(control: TimeControl, variant: string, known: Map<string, Pool>): Tile {
  const key = keyOf(control, variant);
  const pool = known.get(key);
  return { key, control, variant, waiting: pool?.waiting ?? 0, wait: pool?.typical_wait_seconds ?? null };
}

/** `bullet`, `blitz`, ... as the server tells speeds apart: by the time that 40 moves take. */
export function speed(control: TimeControl | null | undefined): string {
  if (!control || 'days_per_move' in control) return 'correspondence';
  const stage = 'stages' in control ? control.stages[0] : control;
  if (!stage) return 'classical';
  const extra = 'increment_seconds' in stage ? (stage.increment_seconds ?? 0) : 0;
  const delay = 'delay_seconds' in stage ? stage.delay_seconds : 0;
  const seconds = stage.initial_seconds + 40 * (extra + delay);
  if (seconds < 30) return 'ultra_bullet';
  if (seconds < 180) return 'bullet';
  if (seconds < 480) return 'blitz';
  return seconds < 1_500 ? 'rapid' : 'classical';
}
