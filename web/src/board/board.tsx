// Chessground, driven by a signal: a change of the configuration is on the board in the same frame.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import { effect, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { settings } from '../settings';

interface Props {
  config: ReadonlySignal<Config>;
  label: string;
  /** To look at only: no motion, no coordinates. */
  still?: boolean;
  /** Once the board is there, and after each change of its configuration. */
  ready?(board: Api): void;
  changed?(board: Api): void;
}

const calm = matchMedia('(prefers-reduced-motion: reduce)');

export function Board({ config, label, still, ready, changed }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { animation, coordinates, dots } = settings.peek();
    const board = Chessground(element.current!, {
      ...config.peek(),
      coordinates: coordinates && !still,
      addPieceZIndex: false,
      disableContextMenu: true,
      animation: { enabled: animation && !still && !calm.matches, duration: 160 },
      movable: { free: false, showDests: dots, ...config.peek().movable },
      drawable: { enabled: true, defaultSnapToValidMove: true, ...config.peek().drawable },
    });
    ready?.(board);
    const stop = effect(() => {
      board.set(config.value);
      changed?.(board);
    });
    const look = effect(() => {
      if (still) return;
      const { animation, coordinates, dots } = settings.value;
      const redraw = board.state.coordinates !== coordinates;
      board.set({ coordinates, animation: { enabled: animation && !calm.matches }, movable: { showDests: dots } });
      if (redraw) board.redrawAll();
    });
    const resized = new ResizeObserver(() => board.redrawAll());
    resized.observe(element.current!);
    return () => {
      stop();
      look();
      resized.disconnect();
      board.destroy();
    };
  }, [config]);
  // The pieces are a picture. What they say is in the move list, the status and, if wanted, the board as text.
  return <div class="board" ref={element} role="img" aria-label={label} />;
}
