import { afterEach, describe, expect, it } from 'vitest';
import { controlName, left, ServerTime, spelled, written, type Face } from '../src/game/clock';
import { speak } from '../src/text';

const face = (change: Partial<Face> = {}): Face => ({
  ms: { white: 60_000, black: 50_000 },
  atMs: 1_000,
  running: 'white',
  delay: null,
  ...change,
});

describe('a clock between two messages', () => {
  it('runs for the side to move only', () => {
    expect(left(face(), 'white', 4_000)).toBe(57_000);
    expect(left(face(), 'black', 4_000)).toBe(50_000);
  });
  it('never shows more than the server said, nor less than nothing', () => {
    expect(left(face(), 'white', 500)).toBe(60_000);
    expect(left(face(), 'white', 900_000)).toBe(0);
  });
  it('waits for the delay, counted from when the turn began', () => {
    const delayed = face({ delay: { sinceMs: 0, ms: 5_000 } });
    expect(left(delayed, 'white', 4_900)).toBe(60_000);
    expect(left(delayed, 'white', 7_000)).toBe(58_000);
  });
});

describe('the server’s time', () => {
  it('is the tightest bound: no message arrives before it was sent', () => {
    const time = new ServerTime();
    time.hear(10_000, 3_000); // 40 ms late
    time.hear(11_040, 4_000); // at once
    time.hear(12_000, 5_500); // half a second late
    expect(Math.abs(time.at(6_000) - 13_040)).toBeLessThanOrEqual(1);
  });
  it('follows at once when the local clock stood still', () => {
    const time = new ServerTime();
    time.hear(1_000, 1_000);
    time.hear(61_000, 2_000);
    expect(time.at(2_000)).toBe(61_000);
  });
});

describe('what is written', () => {
  afterEach(() => speak('en'));

  it('shows tenths at the end and zero only when nothing is left', () => {
    expect([3_723_000, 243_999, 10_000, 9_949, 1, 0].map(written)).toEqual([
      '1:02:03',
      '4:03',
      '0:10',
      '0:10',
      '0:00.1',
      '0:00.0',
    ]);
    expect(written(9_850)).toBe('0:09.9');
  });
  it('spells days', () => {
    expect([183_600_000, 37_800_000, 720_000].map(spelled)).toEqual(['2 d 3 h', '10 h 30 min', '12 min']);
  });
  it('names every kind of time control', () => {
    const controls = [
      { initial_seconds: 300, increment_seconds: 3 },
      { initial_seconds: 30, increment_seconds: 0 },
      { initial_seconds: 900, delay_seconds: 5, delay: 'us' as const },
      { days_per_move: 3 },
      {
        stages: [
          { moves: 40, initial_seconds: 5_400, increment_seconds: 30 },
          { initial_seconds: 1_800, increment_seconds: 30 },
        ],
      },
      null,
    ];
    expect(controls.map((control) => controlName(control))).toEqual([
      '5+3',
      '30s+0',
      '15 d5',
      '3 d',
      '40/90+30, 30+30',
      '∞',
    ]);
  });

  it('is in the language of the page', async () => {
    await speak('de');
    expect([183_600_000, 37_800_000, 720_000].map(spelled)).toEqual(['2 T. 3 Std.', '10 Std. 30 Min.', '12 Min.']);
    expect([1, 3].map((days_per_move) => controlName({ days_per_move }))).toEqual(['1 Tag', '3 Tage']);
    expect(controlName({ initial_seconds: 300, increment_seconds: 3 })).toBe('5+3');
  });
});
