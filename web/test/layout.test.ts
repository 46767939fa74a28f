import { expect, it } from 'vitest';
import { layout } from '../src/watch/layout';

it('boards stand so that all are as big as the screen allows', () => {
  const columns = (boards: number, width = 1_880, height = 930) => layout(boards, width, height).columns;
  expect([1, 2, 4, 6, 12].map((boards) => columns(boards))).toEqual([1, 2, 4, 3, 6]);
  expect([1, 2, 4, 12].map((boards) => columns(boards, 700, 1_200))).toEqual([1, 1, 2, 3]);
  expect(layout(0, 1_280, 600).columns).toBe(1);
  expect(layout(12, 100, 100).size).toBeGreaterThan(0);
});
