// The moves so far: a list that grows with the room there is, and one line on a phone. Keys and the wheel walk along.
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../text';
import type { Screen } from './game';

export function Moves({ screen: { room, hand } }: { screen: Screen }) {
  const game = room.game.value!;
  const shown = room.viewed.value ?? game.ply;
  const blackBegins = game.initial_fen.split(' ')[1] === 'b';
  const first = Number(game.initial_fen.split(' ')[5] ?? 1) || 1;
  return (
    <section class="moves" aria-label={t.moves.label}>
      <MoveList san={game.san} shown={shown} first={first} blackBegins={blackBegins} view={(ply) => room.view(ply)} />
      <div class="steps">
        <Step label={t.actions.first} sign="«" act={() => room.view(0)} off={shown === 0} far />
        <Step label={t.actions.previous} sign="‹" act={() => room.step(-1)} off={shown === 0} />
        <Step label={t.actions.next} sign="›" act={() => room.step(1)} off={shown === game.ply} />
        <Step label={t.actions.last} sign="»" act={() => room.view(null)} off={shown === game.ply} far />
        <Step label={t.actions.flip} sign="⇅" act={() => hand.flip()} />
      </div>
    </section>
  );
}

interface ListProps {
  san: readonly string[];
  shown: number;
  first: number;
  blackBegins: boolean;
  view(ply: number): void;
}

export function MoveList({ san, shown, first, blackBegins, view }: ListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current) follow(list.current, shown);
  }, [shown, san.length]);
  if (san.length === 0) return <p class="hint none">{t.moves.none}</p>;
  const cells = blackBegins ? ['…', ...san] : san;
  const shift = blackBegins ? 0 : 1;
  const cell = (n: number) => {
    const text = cells[n];
    if (text === undefined) return <span />;
    if (blackBegins && n === 0) return <span class="gap">…</span>;
    const ply = n + shift;
    return (
      <button type="button" class="ply" aria-current={ply === shown ? 'true' : undefined} onClick={() => view(ply)}>
        {text}
      </button>
    );
  };
  return (
    <ol ref={list} tabIndex={0} aria-label={t.moves.label}>
      {Array.from({ length: Math.ceil(cells.length / 2) }, (_, n) => (
        <li key={n}>
          <span class="number" aria-hidden="true">
            {first + n}
          </span>
          {cell(2 * n)}
          {cell(2 * n + 1)}
        </li>
      ))}
    </ol>
  );
}

/** Keeps the shown move in sight, in whichever direction the list scrolls. */
function follow(box: HTMLElement, shown: number): void {
  const at = box.querySelector<HTMLElement>('[aria-current]');
  if (!at) {
    box.scrollTop = shown === 0 ? 0 : box.scrollHeight;
    box.scrollLeft = shown === 0 ? 0 : box.scrollWidth;
    return;
  }
  const [here, there] = [box.getBoundingClientRect(), at.getBoundingClientRect()];
  if (there.top < here.top || there.bottom > here.bottom)
    box.scrollTop += there.top - here.top - (box.clientHeight - there.height) / 2;
  if (there.left < here.left || there.right > here.right)
    box.scrollLeft += there.left - here.left - (box.clientWidth - there.width) / 2;
}

interface StepProps {
  label: string;
  sign: string;
  act(): void;
  off?: boolean;
  /** Left out where there is little room. */
  far?: boolean;
}

export function Step({ label, sign, act, off, far }: StepProps) {
  return (
    <button
      type="button"
      class={`quiet ${far ? 'far' : ''}`}
      aria-label={label}
      title={label}
      disabled={off}
      onClick={act}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}
