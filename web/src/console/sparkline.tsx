// A small graph of one figure over the last minutes.
const WIDTH = 120;
const HEIGHT = 36;

export function Sparkline({ values, label }: { values: (number | null)[]; label: string }) {
  const highest = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.flatMap((value, n) =>
    value === null ? [] : [`${(n * step).toFixed(1)},${(HEIGHT - 2 - (value / highest) * (HEIGHT - 6)).toFixed(1)}`],
  );
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {points.length > 1 && (
        <>
          <polygon
            points={`${points[0]!.split(',')[0]},${HEIGHT} ${points.join(' ')} ${points.at(-1)!.split(',')[0]},${HEIGHT}`}
          />
          <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
        </>
      )}
    </svg>
  );
}
