// What has been captured, from the placement alone.
import type { Color } from '../api/types';

const FULL: Record<string, number> = { q: 1, r: 2, b: 2, n: 2, p: 8 };
const WORTH: Record<string, number> = { q: 9, r: 5, b: 3, n: 3, p: 1 };
const ROLE: Record<string, string> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

export interface Material {
  /** The opponent's pieces that a side has captured, the strongest first. */
  readonly captured: Record<Color, string[]>;
  /** How many points White is ahead. */
  readonly balance: number;
}

export function material(fen: string): Material {
  const placement = fen.split(' ')[0]!.replace(/\[.*/, '');
  const count = (letter: string) => placement.split(letter).length - 1;
  const missing = (of: (letter: string) => string) =>
    Object.entries(FULL).flatMap(([letter, full]) =>
      Array<string>(Math.max(0, full - count(of(letter)))).fill(ROLE[letter]!),
    );
  const points = (of: (letter: string) => string) =>
    Object.entries(WORTH).reduce((sum, [letter, worth]) => sum + worth * count(of(letter)), 0);
  const [upper, lower] = [(l: string) => l.toUpperCase(), (l: string) => l];
  return { captured: { white: missing(lower), black: missing(upper) }, balance: points(upper) - points(lower) };
}

/** Crazyhouse: what each side holds. */
export function pockets(fen: string): Record<Color, Record<string, number>> {
  const held = /\[([^\]]*)\]/.exec(fen.split(' ')[0]!)?.[1] ?? '';
  const all: Record<Color, Record<string, number>> = { white: {}, black: {} };
  for (const letter of held) {
    const side = all[letter === letter.toUpperCase() ? 'white' : 'black'];
    const role = ROLE[letter.toLowerCase()];
    if (role) side[role] = (side[role] ?? 0) + 1;
  }
  return all;
}
