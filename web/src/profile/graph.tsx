// A rating over time, as a line.
import type { Point } from '../api/players';
import { t } from '../text';
import { date, number } from '../text/format';
import { poolName } from './pools';

const WIDTH = 640;
const HEIGHT = 200;
const LEFT = 44;
const BOTTOM = 22;
const TOP = 10;

export interface Drawn {
  line: string;
  dots: { x: number; y: number; point: Point }[];
  marks: { y: number; rating: number }[];
}

/** Where the line runs. Games that lie close together are one step each: a busy day is as wide as it was long. */
export function draw(points: Point[]): Drawn {
  const ratings = points.map((point) => point.rating);
  const [low, high] = bounds(ratings);
  const y = (rating: number) => TOP + ((high - rating) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const x = (n: number) => LEFT + (points.length === 1 ? 0.5 : n / (points.length - 1)) * (WIDTH - LEFT - 10);
  const dots = points.map((point, n) => ({ x: x(n), y: y(point.rating), point }));
  const line = dots.map((dot, n) => `${n === 0 ? 'M' : 'L'}${dot.x.toFixed(1)} ${dot.y.toFixed(1)}`).join('');
  const step = (high - low) / 4;
  const marks = [0, 1, 2, 3, 4].map((n) => ({ rating: Math.round(low + n * step), y: y(low + n * step) }));
  return { line, dots, marks };
}

/** Round hundreds, or fifties, around all of them. */
function bounds(ratings: number[]): [number, number] {
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const step = most - least > 200 ? 100 : 40;
  const low = Math.floor((least - 5) / step) * step;
  const high = Math.ceil((most + 5) / step) * step;
  return [low, high];
}

export function RatingGraph({ pool, points }: { pool: string; points: Point[] }) {
  if (points.length === 0) return null;
  const { line, dots, marks } = draw(points);
  const ratings = points.map((point) => point.rating);
  const label = t.profile.graph(poolName(pool), Math.min(...ratings), Math.max(...ratings), ratings.at(-1)!);
  const last = dots.at(-1)!;
  return (
    <figure class="graph">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {marks.map((mark) => (
          <g key={mark.rating}>
            <line class="grid" x1={LEFT} x2={WIDTH - 10} y1={mark.y} y2={mark.y} />
            <text x={LEFT - 8} y={mark.y + 4} text-anchor="end">
              {number(mark.rating)}
            </text>
          </g>
        ))}
        <path class="area" d={`${line}L${last.x} ${HEIGHT - BOTTOM}L${dots[0]!.x} ${HEIGHT - BOTTOM}Z`} />
        <path class="line" d={line} />
        <circle class="last" cx={last.x} cy={last.y} r="4" />
        <text x={LEFT} y={HEIGHT - 4}>
          {date(points[0]!.at)}
        </text>
        <text x={WIDTH - 10} y={HEIGHT - 4} text-anchor="end">
          {date(points.at(-1)!.at)}
        </text>
      </svg>
    </figure>
  );
}
