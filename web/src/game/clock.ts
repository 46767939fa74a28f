// Clocks between the server's messages. The server's word is the truth; in between, time passes.
import type { Clocks, Color, Game, TimeControl } from '../api/types';
import { t } from '../text';

/** The time here. It never jumps, as the time of day may. */
export const localMs = (): number => performance.timeOrigin + performance.now();

/**
 * What time the server has. Each message that carries its time of sending bounds the difference from below: no
 * message arrives before it was sent. The tightest of the recent bounds is the best.
 */
export class ServerTime {
  private offset = -Infinity;

  /** A message said `serverMs` and arrived at `localMs`. */
  hear(serverMs: number, localMs: number): void {
    const bound = serverMs - localMs;
    // Local and server clocks may drift apart: an old bound loses a millisecond with every message.
    this.offset = Math.max(bound, this.offset - 1);
  }

  at(localMs: number): number {
    return this.offset === -Infinity ? localMs : localMs + this.offset;
  }
}

/** Both clocks at a moment, and which of them runs. */
export interface Face {
  readonly ms: Clocks;
  readonly atMs: number;
  readonly running: Color | null;
  /** A delay before the clock runs: when the turn began, and how long. */
  readonly delay: { sinceMs: number; ms: number } | null;
}

function delayOf(control: TimeControl | null | undefined): number {
  return control && 'delay' in control && control.delay === 'us' ? control.delay_seconds * 1_000 : 0;
}

/** The side whose clock runs. */
export function running(game: Pick<Game, 'state' | 'clock_start' | 'ply' | 'to_move'>): Color | null {
  const held = game.clock_start === 'second_ply' && game.ply < 2;
  return game.state === 'ACTIVE' && !held ? (game.to_move as Color) : null;
}

export function face(game: Game): Face | null {
  if (!game.clock_ms) return null;
  const delayMs = delayOf(game.time_control);
  const since = game.last_move_at ?? game.started_at;
  return {
    ms: game.clock_ms,
    atMs: Date.parse(game.clock_at),
    running: running(game),
    delay: delayMs > 0 && since ? { sinceMs: Date.parse(since), ms: delayMs } : null,
  };
}

/** What is left at that time of the server's. Never below zero, and never more than the server last said. */
export function left(face: Face, color: Color, serverMs: number): number {
  const said = face.ms[color];
  if (face.running !== color) return said;
  const charged = (at: number) => (face.delay ? Math.max(0, at - face.delay.sinceMs - face.delay.ms) : at);
  const spent = Math.max(0, charged(serverMs) - charged(face.atMs));
  return Math.max(0, said - spent);
}

/** `1:05:09`, `4:03`, and tenths in the last ten seconds. A clock shows zero only when nothing is left. */
export function written(ms: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  if (ms < 10_000) {
    const tenths = Math.ceil(ms / 100);
    if (tenths < 100) return `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  const seconds = ms < 10_000 ? 10 : Math.floor(ms / 1_000);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = `${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** For correspondence: `2 d 3 h`, `5 h 10 min`, `12 min`. */
export function spelled(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor(minutes / 60) % 24;
  if (days > 0) return `${t.times.days(days)} ${t.times.hours(hours)}`;
  return hours > 0 ? `${t.times.hours(hours)} ${t.times.minutes(minutes % 60)}` : t.times.minutes(minutes);
}

/** `5+3`, `40/90+30`, `3 d`, `∞`. */
export function controlName(control: TimeControl | null | undefined): string {
  if (!control) return '∞';
  const minutes = (seconds: number) =>
    seconds % 60 === 0 ? `${seconds / 60}` : seconds < 60 ? t.times.seconds(seconds) : (seconds / 60).toFixed(1);
  if ('stages' in control) {
    return control.stages
      .map((s) => `${s.moves ? `${s.moves}/` : ''}${minutes(s.initial_seconds)}+${s.increment_seconds ?? 0}`)
      .join(', ');
  }
  if ('days_per_move' in control) return t.times.perMove(control.days_per_move);
  if ('delay' in control) return t.times.delayed(minutes(control.initial_seconds), control.delay_seconds);
  return `${minutes(control.initial_seconds)}+${control.increment_seconds ?? 0}`;
}
