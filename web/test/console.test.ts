import { expect, it } from 'vitest';
import { clockMs, clocksToSet, clockText } from '../src/console/clock_ms';

it('a clock is set in minutes and seconds, hours if need be, or seconds', () => {
  expect(['5:00', '1:05:00', '90', '0:07'].map(clockMs)).toEqual([300_000, 3_900_000, 90_000, 7_000]);
  for (const text of ['', 'x', '5:', '1:75', '-1', '1:2:3:4']) expect(clockMs(text), text).toBeNull();
});

it('only clocks that an arbiter has written anew are set, however far a running one has gone meanwhile', () => {
  const running = { was: '4:59', text: '4:59' }; // shown when the field was entered; the clock is at 4:40 by now
  expect(clocksToSet({ white: running, black: { was: '5:00', text: ' 6:30 ' } })).toEqual({ black_ms: 390_000 });
  expect(clocksToSet({ white: running })).toEqual({});
  expect(clocksToSet({})).toEqual({});
  expect(clocksToSet({ white: { was: '4:59', text: 'soon' } })).toBeNull();
});

it('a clock is shown to an arbiter as to the players', () => {
  expect([299_999, 61_000, 3_900_000, 0].map(clockText)).toEqual(['4:59', '1:01', '65:00', '0:00']);
});
