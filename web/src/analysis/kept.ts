// Variations, notes and arrows outlive the page, on this device. The oldest make room for new ones.
import type { DrawShape } from '@lichess-org/chessground/draw';

export interface Kept {
  variant: string;
  fen: string;
  /** The ends of all lines. */
  lines: string[];
  notes: Record<string, string>;
  shapes: Record<string, DrawShape[]>;
  headers: Record<string, string>;
  at: number;
}

const PREFIX = 'arbiter.analysis.';
const KEPT_MAX = 50;
const name = (id: string | null) => PREFIX + (id ?? 'own');

export function recall(id: string | null): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(name(id)) ?? 'null') as Partial<Kept> | null;
    if (!kept || !Array.isArray(kept.lines) || typeof kept.fen !== 'string') return null;
    return { variant: 'standard', notes: {}, shapes: {}, headers: {}, at: 0, ...kept } as Kept;
  } catch {
    return null;
  }
}

export function keep(id: string | null, kept: Kept): void {
  try {
    localStorage.setItem(name(id), JSON.stringify(kept));
    forgetOldest();
  } catch {
    // No room, or storage is forbidden: it lasts as long as the page.
  }
}

function forgetOldest(): void {
  const names = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  if (names.length <= KEPT_MAX) return;
  const age = (key: string) => recall(key.slice(PREFIX.length))?.at ?? 0;
  for (const key of names.sort((a, b) => age(a) - age(b)).slice(0, names.length - KEPT_MAX))
    localStorage.removeItem(key);
}
