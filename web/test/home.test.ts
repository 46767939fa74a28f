import { describe, expect, it } from 'vitest';
import { speed, tiles } from '../src/home/grid';
import { CUSTOM, numberIn, PRESETS, Terms } from '../src/home/terms';
import { draw } from '../src/profile/graph';

const clock = (initial_seconds: number, increment_seconds: number) => ({ initial_seconds, increment_seconds });

describe('the tiles of quick pairing', () => {
  const waiting = (time_control: ReturnType<typeof clock>, variant: string, rated: boolean, n: number) => ({
    time_control,
    variant,
    rated,
    waiting: n,
    typical_wait_seconds: 12,
  });

  it('stay where they are, with how many wait in that very pool', () => {
    const none = tiles([], true).liked;
    const some = tiles(
      [waiting(clock(300, 3), 'standard', true, 2), waiting(clock(300, 0), 'standard', false, 9)],
      true,
    ).liked;
    expect(some.map(({ key }) => key)).toEqual(none.map(({ key }) => key));
    expect(some.find(({ key }) => key === 'standard 5+3')).toMatchObject({ waiting: 2, wait: 12 });
    expect(some.find(({ key }) => key === 'standard 5+0')).toMatchObject({ waiting: 0, wait: null });
  });

  it('are no more of them because somebody waits for something else, which is told apart', () => {
    const pools = [waiting(clock(300, 3), 'atomic', true, 1), waiting(clock(420, 0), 'standard', true, 0)];
    const { liked, others } = tiles(pools, true);
    expect(others).toMatchObject([{ key: 'atomic 5+3', waiting: 1 }]);
    expect(liked).toHaveLength(tiles([], true).liked.length);
  });

  it('are of the speed that the server counts them to', () => {
    expect([clock(60, 0), clock(180, 0), clock(180, 2), clock(600, 0), clock(1800, 0)].map(speed)).toEqual([
      'bullet',
      'blitz',
      'blitz',
      'rapid',
      'classical',
    ]);
    expect(speed({ days_per_move: 3 })).toBe('correspondence');
  });
});

describe('a form for a game', () => {
  it('reads numbers as people type them', () => {
    expect(numberIn('3', 0.25, 180, 10)).toBe(3);
    expect(numberIn('1,5', 0.25, 180, 10)).toBe(1.5);
    expect(numberIn('', 0.25, 180, 10)).toBe(10);
    expect(numberIn('abc', 0, 180, 0)).toBe(0);
    expect(numberIn('9999', 0, 180, 0)).toBe(180);
    expect(numberIn('-4', 0, 180, 5)).toBe(0);
  });

  it('asks for what was chosen, and for no start position unless one was', () => {
    const terms = new Terms();
    expect([terms.control(), terms.startPosition(), terms.hasClock()]).toEqual([clock(300, 3), {}, true]);
    terms.preset.value = CUSTOM;
    terms.minutes.value = '7';
    terms.increment.value = '2';
    expect(terms.control()).toEqual(clock(420, 2));
    terms.start.value = '17';
    expect(terms.startPosition()).toEqual({});
    terms.variant.value = 'chess960';
    expect(terms.startPosition()).toEqual({ chess960_position: 17 });
    terms.fen.value = ' 4k3/8/8/8/8/8/8/4K2R w K - 0 1 ';
    expect(terms.startPosition()).toEqual({ initial_fen: '4k3/8/8/8/8/8/8/4K2R w K - 0 1' });
  });
});

describe('a clock', () => {
  it('begins when both have moved, or at once; where there is none, nothing is said of it', () => {
    const terms = new Terms();
    expect([terms.clockStart(true), terms.clockStart(false)]).toEqual([
      { clock_start: 'second_ply' },
      { clock_start: 'join' },
    ]);
    for (const control of [{ days_per_move: 3 }, null]) {
      terms.preset.value = PRESETS.findIndex((preset) => JSON.stringify(preset) === JSON.stringify(control));
      expect(terms.clockStart(true)).toEqual({});
    }
  });
});

describe('the graph of a rating', () => {
  const point = (rating: number) => ({ at: '2026-01-01T00:00:00Z', deviation: 80, game_id: 'x', rating });

  it('keeps every game within its frame, higher ratings higher', () => {
    const { dots, marks } = draw([1500, 1612, 1410, 1433].map(point));
    expect(dots[1]!.y).toBeLessThan(dots[0]!.y);
    expect(dots[2]!.y).toBeGreaterThan(dots[0]!.y);
    for (const { x, y } of dots) {
      expect(x).toBeGreaterThanOrEqual(44);
      expect(x).toBeLessThanOrEqual(640);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(200);
    }
    expect(marks.map(({ rating }) => rating)).toEqual([...marks].map(({ rating }) => rating).sort((a, b) => a - b));
  });

  it('is a dot for one game', () => {
    expect(draw([point(1500)]).dots).toHaveLength(1);
  });
});
