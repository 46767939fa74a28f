// A clock as an arbiter writes it.
import type { Color } from '../api/types';

/** `5:00`, `1:05:00` or seconds. */
export function clockMs(text: string): number | null {
  if (!/^\d+(:[0-5]?\d){0,2}$/.test(text)) return null;
  const seconds = text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds * 1_000;
}

/** In minutes and seconds, as the players see it. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A field that the arbiter is in, or has written in. */
export interface Held {
  /** What it showed before. */
  readonly was: string;
  readonly text: string;
}

export const isChanged = ({ was, text }: Held): boolean => text.trim() !== was;

/** The clocks to set: those that were written anew, however far the others have run meanwhile. `null`: one is no time. */
export function clocksToSet(held: Partial<Record<Color, Held>>): Record<string, number> | null {
  const body: Record<string, number> = {};
  for (const color of ['white', 'black'] as const) {
    const field = held[color];
    if (!field || !isChanged(field)) continue;
    const ms = clockMs(field.text.trim());
    if (ms === null) return null;
    body[`${color}_ms`] = ms;
  }
  return body;
}
