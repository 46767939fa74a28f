// How a position stands, in numbers and in words.
import type { components } from '../api/schema';

export type AnalysedMove = components['schemas']['AnalysedMove'];
export type Report = components['schemas']['DoneAnalysis'];

type Score = Pick<AnalysedMove, 'eval_cp' | 'mate'>;

/** The share of the point that White may expect: as the server reckons it. */
export function expected(score: Score, whiteMoved: boolean): number {
  if (score.mate !== undefined && score.mate !== null) {
    // The game is won by whoever moved.
    const white = score.mate === 0 ? whiteMoved : score.mate > 0;
    return white ? 1 : 0;
  }
  return 1 / (1 + 10 ** (-(score.eval_cp ?? 0) / 400));
}

/** `+0.3`, `−1.2`, `#3`, `#−2`. */
export function scored(score: Score): string {
  const { mate } = score;
  if (mate === 0) return '#';
  if (mate !== undefined && mate !== null) return mate < 0 ? `#−${-mate}` : `#${mate}`;
  const pawns = (score.eval_cp ?? 0) / 100;
  return `${pawns > 0 ? '+' : pawns < 0 ? '−' : ''}${Math.abs(pawns).toFixed(1)}`;
}

export const GLYPHS: Record<string, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };
export const JUDGEMENTS = ['inaccuracy', 'mistake', 'blunder'] as const;

/** How often a side was judged so. */
export function count(report: Report, whiteBegins: boolean, side: 'white' | 'black', judgement: string): number {
  const odd = (side === 'white') === whiteBegins;
  return report.moves.filter((move) => (move.ply % 2 === 1) === odd && move.judgement === judgement).length;
}

export interface Logged {
  type: string;
  ply?: number;
  clock_at?: string;
  at?: string;
}

/** What each half-move took, from the game's own record: what was taken back is not in it. */
export function moveTimes(log: readonly Logged[], startedAt: string | null | undefined, plies: number): number[] {
  const at: (number | undefined)[] = [];
  for (const entry of log) {
    const when = entry.clock_at ?? entry.at;
    if (entry.type === 'MOVE' && entry.ply && when) at[entry.ply] = Date.parse(when);
  }
  at[0] = startedAt ? Date.parse(startedAt) : undefined;
  return Array.from({ length: plies }, (_, n) => {
    const [before, after] = [at[n], at[n + 1]];
    return before === undefined || after === undefined ? 0 : Math.max(0, after - before);
  });
}
