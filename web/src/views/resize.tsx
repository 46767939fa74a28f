// The corner by which the board is made smaller or larger. Also by keys.
import { change, settings } from '../settings';
import { t } from '../text';

const [MIN, MAX, STEP] = [40, 100, 4];
const within = (size: number): number => Math.round(Math.min(MAX, Math.max(MIN, size)));

export function Resize() {
  const size = settings.value.boardSize;
  const drag = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const corner = event.currentTarget as HTMLElement;
    const width = corner.parentElement!.getBoundingClientRect().width;
    const [x, y, from] = [event.clientX, event.clientY, settings.value.boardSize];
    corner.setPointerCapture(event.pointerId);
    corner.onpointermove = (moved) => {
      const by = (moved.clientX - x + (moved.clientY - y)) / 2;
      change({ boardSize: within(from * (1 + by / width)) });
    };
    corner.onpointerup = corner.onpointercancel = () => (corner.onpointermove = null);
  };
  const keys: Record<string, number> = { ArrowUp: STEP, ArrowRight: STEP, ArrowDown: -STEP, ArrowLeft: -STEP };
  const press = (event: KeyboardEvent) => {
    const by = keys[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the arrows walk through the game elsewhere
    change({ boardSize: within(settings.value.boardSize + by) });
  };
  return (
    <span
      class="resize"
      role="slider"
      tabIndex={0}
      aria-label={t.looks.boardSize}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      aria-valuenow={size}
      title={t.looks.boardSize}
      onPointerDown={drag}
      onKeyDown={press}
      onDblClick={() => change({ boardSize: MAX })}
    />
  );
}
