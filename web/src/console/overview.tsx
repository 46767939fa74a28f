// How the server is, live.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text';
import { number } from '../text/format';
import { wordsFor } from '../text/problem';
import { operate } from './access';
import { Sparkline } from './sparkline';
import type { Figure, Figures } from './types';

interface Shown {
  name: keyof typeof t.console.figures;
  value(figure: Figure): number | null;
  digits?: number;
  unit?: string;
}

const SHOWN: Shown[] = [
  { name: 'games', value: (f) => f.games },
  { name: 'moves', value: (f) => f.moves_per_second, digits: 1 },
  { name: 'moveTime', value: (f) => f.move_p99_ms, digits: 1, unit: 'ms' },
  { name: 'commitTime', value: (f) => f.commit_p99_ms, digits: 1, unit: 'ms' },
  { name: 'connections', value: (f) => f.connections },
  { name: 'streams', value: (f) => f.streams },
  { name: 'tickets', value: (f) => f.tickets_waiting },
  { name: 'store', value: (f) => f.store_waiting },
  { name: 'bots', value: (f) => f.bot_questions_waiting },
  { name: 'deliveries', value: (f) => f.deliveries_waiting },
  { name: 'cpu', value: (f) => f.cpu_percent, digits: 0, unit: '%' },
  { name: 'memory', value: (f) => (f.memory_bytes === null ? null : f.memory_bytes / 1_048_576), unit: 'MB' },
];

export function Overview() {
  const [figures, setFigures] = useState<Figures | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      let everyMs = 5_000;
      try {
        if (document.visibilityState === 'visible') {
          const found = await operate<Figures>('GET', '/v1/admin/figures');
          if (!wanted) return;
          everyMs = found.every_seconds * 1_000;
          setFigures(found);
          setProblem(null);
        }
      } catch (error) {
        if (wanted) setProblem(wordsFor(error));
      }
      if (wanted) timer = setTimeout(() => void look(), everyMs);
    };
    void look();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, []);
  return (
    <section aria-label={t.console.sections.overview}>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {figures ? <Tiles figures={figures} /> : !problem && <p class="hint">{t.loading}</p>}
    </section>
  );
}

interface TilesProps {
  figures: Figures;
}

function Tiles({ figures: { node, latest, history, nodes = [{ id: node, name: node, is_this: true }] } }: TilesProps) {
  const written = ({ value, digits = 0, unit }: Shown) => {
    const now = latest && value(latest);
    return now === null ? '–' : `${number(now, digits)}${unit ? ` ${unit}` : ''}`;
  };
  return (
    <>
      <div class="tiles">
        {SHOWN.map((shown) => (
          <div key={shown.name} class="tile card" data-figure={shown.name}>
            <span class="hint">{t.console.figures[shown.name]}</span>
            <b>{written(shown)}</b>
            <Sparkline values={history.map(shown.value)} label={t.console.graph(t.console.figures[shown.name]!)} />
          </div>
        ))}
      </div>
      <h2>{t.console.nodes}</h2>
      <ul class="nodes">
        {nodes.map(({ id, name, is_this }) => (
          <li key={id} class="tag">
            {name} {is_this && nodes.length > 1 && `(${t.console.thisNode})`}
          </li>
        ))}
      </ul>
    </>
  );
}
