import { describe, expect, it } from 'vitest';
import { count, expected, moveTimes, scored } from '../src/analysis/evaluation';
import {
  add,
  branchOf,
  find,
  follow,
  lastOf,
  leaves,
  mainLine,
  numbered,
  promote,
  remove,
  rootOf,
} from '../src/analysis/tree';
import { read, write } from '../src/analysis/written';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

function played(...moves: string[]) {
  const root = rootOf(START);
  follow(root, moves, 'standard', true);
  return root;
}

describe('the tree of an analysis', () => {
  it('goes along the line that was played, and branches off it', () => {
    const root = played('e2e4', 'e7e5', 'g1f3');
    expect(mainLine(root).map((place) => place.san)).toEqual(['e4', 'e5', 'Nf3']);
    const e4 = root.children[0]!;
    expect(add(e4, 'e7e5', 'standard')).toBe(e4.children[0]);
    const sicilian = add(e4, 'c7c5', 'standard')!;
    expect([sicilian.san, sicilian.path, sicilian.isPlayed]).toEqual(['c5', 'e2e4 c7c5', false]);
    expect(branchOf(sicilian)).toBe(sicilian);
    expect(branchOf(lastOf(root))).toBeNull();
    expect(leaves(root)).toEqual(['e2e4 e7e5 g1f3', 'e2e4 c7c5']);
  });
  it('takes no illegal move', () => {
    expect(add(rootOf(START), 'e2e5', 'standard')).toBeNull();
    expect(lastOf(played('e2e4', 'e2e4')).ply).toBe(1);
  });
  it('knows castling by both its names as one move', () => {
    const root = rootOf('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1');
    expect(add(root, 'e1h1', 'standard')).toBe(add(root, 'e1g1', 'standard'));
  });
  it('keeps what was played when a variation goes or comes first', () => {
    const root = played('e2e4');
    const [d4, c4] = [add(root, 'd2d4', 'standard')!, add(root, 'c2c4', 'standard')!];
    promote(c4);
    expect(root.children.map((place) => place.san)).toEqual(['e4', 'c4', 'd4']);
    expect(remove(d4)).toBe(root);
    expect(remove(root.children[0]!)).toBe(root.children[0]);
    expect(root.children.map((place) => place.san)).toEqual(['e4', 'c4']);
  });
  it('is built again from its ends', () => {
    const root = played('e2e4', 'e7e5');
    follow(root, ['d2d4', 'd7d5', 'c2c4'], 'standard');
    const again = played('e2e4', 'e7e5');
    for (const line of leaves(root)) follow(again, line.split(' '), 'standard');
    expect(leaves(again)).toEqual(leaves(root));
    expect(find(again, 'd2d4 d7d5')?.san).toBe('d5');
    expect(find(again, 'a2a4')).toBeNull();
  });
  it('numbers moves as they are written', () => {
    const [e4, e5] = mainLine(played('e2e4', 'e7e5'));
    expect([numbered(e4!, true), numbered(e5!, false), numbered(e5!, true)]).toEqual(['1.', '', '1…']);
  });
});

describe('what is pasted', () => {
  it('is a game with variations, notes and arrows, and comes out the same', () => {
    const pgn = '[White "Ann"]\n[Black "Bob"]\n\n1. e4 { best by test [%cal Ge2e4] } e5 ( 1... c5 2. Nf3 ) 2. Nf3 *';
    const found = read(pgn, 'standard')!;
    expect(leaves(found.root)).toEqual(['e2e4 e7e5 g1f3', 'e2e4 c7c5 g1f3']);
    expect(found.notes['e2e4']).toBe('best by test');
    expect(found.shapes['e2e4']).toEqual([{ orig: 'e2', dest: 'e4', brush: 'green' }]);
    const again = read(write(found.root, found, Object.fromEntries(found.headers)), 'standard')!;
    expect(leaves(again.root)).toEqual(leaves(found.root));
    expect([again.notes, again.shapes, again.headers.get('White')]).toEqual([found.notes, found.shapes, 'Ann']);
  });
  it('is a position, of the variant that was chosen', () => {
    const fen = '8/4P3/8/8/8/8/k7/4K3 w - - 0 1';
    expect(read(fen, 'standard')?.root.fen).toBe(fen);
    expect(read(` ${START} `, 'atomic')?.variant).toBe('atomic');
  });
  it('is a game of a variant', () => {
    const found = read('[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@d5 *', 'standard')!;
    expect([found.variant, lastOf(found.root).san]).toEqual(['crazyhouse', '@d5']);
  });
  it('is nothing', () => {
    for (const text of ['', 'hello', '8/8/8 w', '1. e5 e4', '8/8/8/8/8/8/8/8 w - - 0 1'])
      expect(read(text, 'standard'), text).toBeNull();
  });
});

describe('an evaluation', () => {
  it('is a share of the point, as the server reckons it', () => {
    expect(expected({ eval_cp: 0 }, true)).toBe(0.5);
    expect(expected({ eval_cp: 400 }, true)).toBeCloseTo(10 / 11);
    expect([expected({ mate: 2 }, false), expected({ mate: -2 }, true)]).toEqual([1, 0]);
    expect([expected({ mate: 0 }, true), expected({ mate: 0 }, false)]).toEqual([1, 0]);
  });
  it('is written as players read it', () => {
    const all = [{ eval_cp: 31 }, { eval_cp: -120 }, { eval_cp: 0 }, { mate: 3 }, { mate: -2 }, { mate: 0 }];
    expect(all.map(scored)).toEqual(['+0.3', '−1.2', '0.0', '#3', '#−2', '#']);
  });
  it('counts what each side did wrong, whoever began', () => {
    const moves = [{ ply: 1, judgement: 'mistake' }, { ply: 2 }, { ply: 3, judgement: 'mistake' }];
    const report = { status: 'done', accuracy: {}, moves };
    expect([count(report, true, 'white', 'mistake'), count(report, true, 'black', 'mistake')]).toEqual([2, 0]);
    expect(count(report, false, 'black', 'mistake')).toBe(2);
  });
});

describe('move times', () => {
  it('are the time between moves, and of a move that was taken back the last', () => {
    const at = (second: number) => new Date(second * 1_000).toISOString();
    const move = (ply: number, second: number) => ({ type: 'MOVE', ply, clock_at: at(second) });
    const log = [{ type: 'STARTED' }, move(1, 2), move(2, 5), { type: 'TAKEBACK' }, move(2, 9)];
    expect(moveTimes(log, at(0), 2)).toEqual([2_000, 7_000]);
    expect(moveTimes([], null, 2)).toEqual([0, 0]);
  });
});
