import { describe, expect, it } from 'vitest';
import { dests, fen, isPromotion, key, pieceAt, place, targets } from '../src/skill/position';
import type { Piece, Snapshot } from '../src/skill/types';

const NAMES: Record<string, Piece['pieceName']> = {
  k: 'king',
  q: 'queen',
  r: 'rook',
  b: 'bishop',
  n: 'knight',
  p: 'pawn',
};

/** A board from its pieces: `Ke1` is a white king, `pa7` a black pawn. */
function board(pieces: string, turn: 'white' | 'black' = 'white', more: Partial<Snapshot['board']> = {}): Snapshot {
  const all = pieces.split(' ').map((text, n): Piece => {
    const letter = text[0]!;
    const color = letter === letter.toUpperCase() ? 'white' : 'black';
    return {
      id: String(n),
      pieceName: NAMES[letter.toLowerCase()]!,
      pieceColor: color,
      behaviourID: '',
      position: place(text.slice(1)),
      moveCount: 0,
      equippedSkills: [],
    };
  });
  return { currentTurn: turn, board: { pieces: all, moveHistory: [], ...more } } as unknown as Snapshot;
}

const reach = (snapshot: Snapshot, square: string, skill: string) =>
  targets(snapshot, pieceAt(snapshot, square)!, skill).sort();

describe('a skill match', () => {
  it('counts rows from White’s back rank and columns from the a-file', () => {
    expect([key({ row: 0, column: 0 }), key({ row: 7, column: 7 }), place('e4')]).toEqual([
      'a1',
      'h8',
      { row: 3, column: 4 },
    ]);
    expect(fen(board('Ke1 ke8 Pa2'))).toBe('4k3/8/8/8/8/8/P7/4K3');
  });

  it('castles with those who have not moved', () => {
    const fresh = board('Ke1 Rh1 Ra1 ke8');
    expect(dests(fresh).get('e1')).toEqual(expect.arrayContaining(['g1', 'c1']));
    fresh.board.pieces[1]!.moveCount = 2;
    expect(dests(fresh).get('e1')).not.toContain('g1');
  });

  it('takes en passant right after the two steps, and not after a skill', () => {
    const record = {
      pieceName: 'pawn',
      pieceColor: 'black',
      from: place('d7'),
      to: place('d5'),
      skillID: null,
    } as Snapshot['board']['moveHistory'][0];
    expect(dests(board('Ke1 Pe5 pd5 ke8', 'white', { moveHistory: [record] })).get('e5')).toContain('d6');
    expect(
      dests(board('Ke1 Pe5 pd5 ke8', 'white', { moveHistory: [{ ...record, skillID: 'deadeye' }] })).get('e5'),
    ).not.toContain('d6');
  });

  it('reaches one step, a knight’s jump, or along a clear line, and captures only', () => {
    const position = board('Ke1 Bd4 pd5 pe6 rd8 nd1 ka8 Pb4 pa4');
    expect(reach(position, 'd4', 'shadowstep')).toEqual(['d5']);
    expect(reach(position, 'd4', 'knightfall')).toEqual(['e6']);
    expect(reach(position, 'd4', 'deadeye')).toEqual(['d1', 'd5']);
  });

  it('never takes a king, and never opens its own', () => {
    expect(reach(board('Ke1 Ra1 ka8'), 'a1', 'deadeye')).toEqual([]);
    expect(reach(board('Ke1 Ne2 qe8 pf4 ka8'), 'e2', 'knightfall')).toEqual([]);
    expect(reach(board('Ke1 Ne2 qe8 pf4 ka8'), 'e2', 'deadeye')).toEqual(['e8']);
  });

  it('promotes a pawn on the last rank, however it gets there', () => {
    const pawn = board('Pe7 ke1 Ka1').board.pieces[0]!;
    expect([isPromotion(pawn, 'e8'), isPromotion(pawn, 'd8'), isPromotion(pawn, 'e6')]).toEqual([true, true, false]);
  });
});
