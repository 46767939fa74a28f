// What has been captured, from two placements alone.
import type { Color } from '../api/types';

const WORTH: Record<string, number> = { q: 9, r: 5, b: 3, n: 3, p: 1 };
const ROLE: Record<string, string> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

export interface Material {
  /** The opponent's pieces that a side has captured, the strongest first. */
  readonly captured: Record<Color, string[]>;
  /** How many points White is ahead. */
  readonly balance: number;
}

const counter = (fen: string) => {
  const placement = fen.split(' ')[0]!.replace(/\[.*/, '');
  return (letter: string) => placement.split(letter).length - 1;
};

/** Of what the game began with: not every variant begins with all pieces. */
export function material(fen: string, initial: string): Material {
  const [count, full] = [counter(fen), counter(initial)];
  const missing = (of: (letter: string) => string) =>
    Object.keys(ROLE).flatMap((letter) =>
      Array<string>(Math.max(0, full(of(letter)) - count(of(letter)))).fill(ROLE[letter]!),
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
