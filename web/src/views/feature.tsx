// A famous game, for when nothing is on: nobody should meet an empty screen.
import type { Config } from '@lichess-org/chessground/config';
import { computed, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Board } from '../board/board';
import { fens, marked } from '../game/line';
import { t } from '../text';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const OPERA = (
  'e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 ' +
  'e1a1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8'
).split(' ');
const STEP_MS = 1_400;
const REST = 4;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export function Feature() {
  const ply = useMemo(() => signal(calm.matches ? OPERA.length : 0), []);
  const config = useMemo(() => {
    const all = fens('standard', START, OPERA);
    return computed<Config>(() => {
      const at = Math.min(ply.value, OPERA.length);
      const last = OPERA[at - 1];
      return {
        fen: all[at],
        lastMove: last ? (marked(last) as never) : undefined,
        viewOnly: true,
        coordinates: false,
        drawable: { enabled: false },
      };
    });
  }, []);
  useEffect(() => {
    if (calm.matches) return;
    const timer = setInterval(() => (ply.value = (ply.value + 1) % (OPERA.length + REST)), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <figure class="feature">
      <div class="feature-board" aria-hidden="true">
        <Board config={config} label="" />
      </div>
      <figcaption>{t.lists.noLive}</figcaption>
    </figure>
  );
}
