import { describe, expect, it } from 'vitest';
import { dests, fens, marked, position, preview, promotions, typed } from '../src/game/line';
import { material, pockets } from '../src/game/material';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

describe('the line of a game', () => {
  it('has a position for every half-move', () => {
    const all = fens('standard', START, ['e2e4', 'e7e5', 'g1f3']);
    expect(all).toHaveLength(4);
    expect(all[3]).toContain('5N2');
  });
  it('marks both squares of a move, and the one of a drop', () => {
    expect([marked('e7e8q'), marked('N@f3')]).toEqual([['e7', 'e8'], ['f3']]);
  });
  it('shows a move before it is confirmed, and none that is illegal', () => {
    const pos = position('standard', START)!;
    expect(preview(pos, 'e2e4')).toMatchObject({ san: 'e4' });
    expect(preview(pos, 'e2e5')).toBeNull();
  });
  it('castles by the king’s two steps, and in Chess960 by taking the rook', () => {
    const fen = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
    expect(dests(position('standard', fen)!, 'standard').get('e1')).toContain('g1');
    expect(dests(position('chess960', fen)!, 'chess960').get('e1')).not.toContain('g1');
    expect(dests(position('chess960', fen)!, 'chess960').get('e1')).toContain('h1');
    expect(preview(position('chess960', fen)!, 'e1h1')).toMatchObject({ san: 'O-O' });
  });
  it('asks what a pawn becomes on the last rank only', () => {
    const pos = position('standard', '8/4P3/8/8/8/8/k7/4K3 w - - 0 1')!;
    expect(promotions(pos, 'e7', 'e8', 'standard')).toEqual(['q', 'n', 'r', 'b']);
    expect(promotions(pos, 'e1', 'e2', 'standard')).toEqual([]);
    expect(promotions(pos, 'e7', 'e8', 'antichess')).toContain('k');
  });
  it('understands what is typed', () => {
    const pos = position('standard', 'r3k2r/4P3/8/8/8/5N2/8/R3K2R w KQkq - 0 1')!;
    expect([typed(pos, 'Nd4'), typed(pos, 'nd4'), typed(pos, 'f3d4'), typed(pos, 'f3-d4')]).toEqual(
      Array(4).fill('f3d4'),
    );
    expect([typed(pos, 'O-O'), typed(pos, '0-0-0'), typed(pos, 'o-o')]).toEqual(['e1h1', 'e1a1', 'e1h1']);
    expect([typed(pos, 'Nh8'), typed(pos, ''), typed(pos, 'hello')]).toEqual([null, null, null]);
  });
  it('knows every variant the server has', () => {
    for (const variant of [
      'standard',
      'chess960',
      'crazyhouse',
      'antichess',
      'atomic',
      'king_of_the_hill',
      'three_check',
    ]) {
      expect(position(variant, START), variant).not.toBeNull();
    }
    expect(position('racing_kings', '8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1')).not.toBeNull();
    expect(
      position('horde', 'rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1'),
    ).not.toBeNull();
  });
});

describe('material', () => {
  it('is what is missing from the board', () => {
    const { captured, balance } = material('rnb1kbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', START);
    expect(captured).toEqual({ white: ['queen', 'pawn'], black: [] });
    expect(balance).toBe(10);
  });
  it('is nothing at the beginning, whatever a variant begins with', () => {
    for (const initial of [
      '8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1',
      'rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1',
    ])
      expect(material(initial, initial).captured).toEqual({ white: [], black: [] });
  });
  it('is in the pockets in Crazyhouse', () => {
    expect(pockets('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[PPn] w KQkq - 0 1')).toEqual({
      white: { pawn: 2 },
      black: { knight: 1 },
    });
  });
});
