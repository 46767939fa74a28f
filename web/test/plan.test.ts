import { describe, expect, it } from 'vitest';
import { complete, withLine } from '../src/game/plan_lines';
import { foreseen } from '../src/game/premoves';

describe('conditional moves', () => {
  it('stand beside each other if the opponent has the choice', () => {
    expect(withLine([['e7e5', 'g1f3']], ['c7c5', 'g1f3'])).toEqual([
      ['e7e5', 'g1f3'],
      ['c7c5', 'g1f3'],
    ]);
  });
  it('have one answer to each move: the newer one', () => {
    expect(withLine([['e7e5', 'g1f3', 'b8c6', 'f1b5']], ['e7e5', 'f2f4'])).toEqual([['e7e5', 'f2f4']]);
  });
  it('that are the beginning of a longer line are part of it', () => {
    const long = ['e7e5', 'g1f3', 'b8c6', 'f1b5'];
    expect(withLine([['e7e5', 'g1f3']], long)).toEqual([long]);
  });
  it('end with an answer', () => {
    expect(complete(['e7e5', 'g1f3', 'b8c6'])).toEqual(['e7e5', 'g1f3']);
  });
});

describe('moves planned ahead', () => {
  const board = (fen: string) => fen.split(' ')[0];
  it('follow each other', () => {
    const start = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
    expect(board(foreseen(start, 'white', ['g1f3', 'f3e5']))).toBe('rnbqkbnr/pppp1ppp/8/4N3/4P3/8/PPPP1PPP/RNBQKB1R');
  });
  it('castle, promote and drop', () => {
    const fen = '4k3/P7/8/8/8/8/8/R3K2R[N] w KQ - 0 1';
    expect(board(foreseen(fen, 'white', ['e1g1', 'a7a8q', 'N@d4']))).toMatch(/^Q3k3\/8\/8\/8\/3N4\/8\/8\/R4RK1/);
  });
});
