import { expect, it } from 'vitest';
import { clockMs } from '../src/console/clock_ms';

it('a clock is set in minutes and seconds, hours if need be, or seconds', () => {
  expect(['5:00', '1:05:00', '90', '0:07'].map(clockMs)).toEqual([300_000, 3_900_000, 90_000, 7_000]);
  for (const text of ['', 'x', '5:', '1:75', '-1', '1:2:3:4']) expect(clockMs(text), text).toBeNull();
});
