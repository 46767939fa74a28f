// Crazyhouse: what a side holds. A piece is dragged onto the board, or clicked and put down with a second click.
import { useRef } from 'preact/hooks';
import type { Color } from '../api/types';
import { pockets } from '../game/material';
import { t } from '../text';
import type { Screen } from './game';

const HELD = ['queen', 'rook', 'bishop', 'knight', 'pawn'];
/** A finger that moved farther than this was dragging. */
const STILL_PX = 8;

interface Props {
  screen: Screen;
  fen: string;
  color: Color;
  isMine: boolean;
}

export function Pocket({ screen: { hand }, fen, color, isMine }: Props) {
  const held = pockets(fen)[color];
  const pressed = useRef<{ x: number; y: number } | null>(null);
  const drag = (role: string) => (event: MouseEvent | TouchEvent) => {
    if (!held[role] || ('button' in event && event.button !== 0)) return;
    event.preventDefault();
    hand.dragNew(role, event);
  };
  const down = (event: PointerEvent) => (pressed.current = { x: event.clientX, y: event.clientY });
  const up = (role: string) => (event: PointerEvent) => {
    const from = pressed.current;
    pressed.current = null;
    const moved = from ? Math.hypot(event.clientX - from.x, event.clientY - from.y) : Infinity;
    if (held[role] && moved < STILL_PX) hand.hold(role);
  };
  const name = (role: string) => `${held[role] ?? 0} ${t.pieces[role]}`;
  const inside = (role: string) => (
    <>
      <piece class={`${color} ${role}`} />
      {(held[role] ?? 0) > 1 && <b>{held[role]}</b>}
    </>
  );
  const shared = (role: string) => ({
    class: `held ${held[role] ? '' : 'none'}`,
    'data-role': role,
    'data-count': held[role] ?? 0,
    'aria-label': name(role),
  });
  return (
    <div class="pocket" role="group" aria-label={t.game.pocket(color === 'white' ? t.game.white : t.game.black)}>
      {HELD.map((role) =>
        isMine ? (
          <button
            key={role}
            type="button"
            {...shared(role)}
            disabled={!held[role]}
            aria-pressed={hand.holding.value === role}
            onMouseDown={drag(role)}
            onTouchStart={drag(role)}
            onPointerDown={down}
            onPointerUp={up(role)}
            onClick={(event) => event.detail === 0 && hand.hold(role)}
          >
            {inside(role)}
          </button>
        ) : (
          <span key={role} {...shared(role)} role="img">
            {inside(role)}
          </span>
        ),
      )}
    </div>
  );
}
