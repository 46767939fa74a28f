// How the game stood, and what each move took: two small pictures. A click goes to the move.
import { useEffect } from 'preact/hooks';
import * as api from '../api/analysis';
import { t } from '../text';
import { number } from '../text/format';
import { expected, moveTimes } from './evaluation';
import type { Study } from './study';

const WIDTH = 600;
const HEIGHT = 100;

/** Where in the picture a half-move is. */
const across = (ply: number, plies: number): number => (ply / Math.max(1, plies)) * WIDTH;

function goTo(study: Study, event: MouseEvent): void {
  const line = study.game?.moves.length ?? 0;
  const box = (event.currentTarget as Element).getBoundingClientRect();
  const ply = Math.round(((event.clientX - box.left) / box.width) * line);
  const place = ply <= 0 ? study.root.value : study.line()[ply - 1];
  if (place) study.show(place);
}

function Cursor({ study, plies }: { study: Study; plies: number }) {
  const place = study.place.value;
  if (!place.isPlayed) return null;
  const x = across(place.ply, plies);
  return <line class="cursor" x1={x} x2={x} y1="0" y2={HEIGHT} vector-effect="non-scaling-stroke" />;
}

export function EvaluationGraph({ study }: { study: Study }) {
  const moves = study.report.value?.moves;
  const plies = study.game?.moves.length ?? 0;
  if (!moves || plies === 0) return null;
  const blackBegins = study.root.value.fen.split(' ')[1] === 'b';
  const points = moves.map((move) => {
    const share = expected(move, (move.ply % 2 === 1) !== blackBegins);
    return `${across(move.ply, plies).toFixed(1)},${((1 - share) * HEIGHT).toFixed(1)}`;
  });
  const start = `0,${HEIGHT / 2}`;
  const bad = moves.filter((move) => move.judgement === 'blunder' || move.judgement === 'mistake');
  return (
    <figure class="graph">
      <figcaption>{t.analysis.evaluation}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.analysis.evaluationLabel}
        onClick={(event) => goTo(study, event)}
      >
        <rect class="black" width={WIDTH} height={HEIGHT} />
        <polygon class="white" points={`0,${HEIGHT} ${start} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
        <line class="middle" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} vector-effect="non-scaling-stroke" />
        {bad.map((move) => {
          const x = across(move.ply, plies);
          return (
            <line
              key={move.ply}
              class={move.judgement!}
              x1={x}
              x2={x}
              y1={HEIGHT - 12}
              y2={HEIGHT}
              vector-effect="non-scaling-stroke"
            />
          );
        })}
        <Cursor study={study} plies={plies} />
      </svg>
    </figure>
  );
}

export function TimesGraph({ study }: { study: Study }) {
  const { game } = study;
  useEffect(() => {
    if (!game) return;
    let wanted = true;
    api.log(game.id).then(
      (log) => wanted && (study.times.value = moveTimes(log, game.started_at, game.moves.length)),
      () => undefined, // a picture less
    );
    return () => void (wanted = false);
  }, [game]);
  const times = study.times.value;
  const longest = Math.max(...times, 0);
  if (!game || longest === 0) return null;
  const blackBegins = study.root.value.fen.split(' ')[1] === 'b';
  const width = WIDTH / times.length;
  // The square root lets short moves be seen beside long ones.
  const height = (ms: number) => Math.sqrt(ms / longest) * (HEIGHT / 2 - 2);
  return (
    <figure class="graph move-times">
      <figcaption>
        {t.analysis.times}
        <small>{t.analysis.longest(number(longest / 1_000, 1))}</small>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.analysis.timesLabel(number(longest / 1_000, 1))}
        onClick={(event) => goTo(study, event)}
      >
        {times.map((ms, n) => {
          const isWhite = (n % 2 === 0) !== blackBegins;
          const tall = Math.max(0.5, height(ms));
          return (
            <rect
              key={n}
              class={isWhite ? 'white-time' : 'black-time'}
              x={n * width}
              width={Math.max(0.5, width - 0.6)}
              y={isWhite ? HEIGHT / 2 - tall : HEIGHT / 2}
              height={tall}
            />
          );
        })}
        <line class="middle" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} vector-effect="non-scaling-stroke" />
        <Cursor study={study} plies={times.length} />
      </svg>
    </figure>
  );
}
