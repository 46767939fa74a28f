// The moves so far. Arrow keys and the wheel walk through them.
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../text';
import type { Screen } from './game';

export function Moves({ screen: { room, hand } }: { screen: Screen }) {
  const list = useRef<HTMLOListElement>(null);
  const game = room.game.value!;
  const shown = room.viewed.value ?? game.ply;
  const blackBegins = game.initial_fen.split(' ')[1] === 'b';
  const first = Number(game.initial_fen.split(' ')[5] ?? 1) || 1;
  useEffect(() => {
    const at = list.current?.querySelector<HTMLElement>('[aria-current]');
    const box = list.current;
    if (!box) return;
    if (!at) box.scrollTop = shown === 0 ? 0 : box.scrollHeight;
    else if (at.offsetTop < box.scrollTop || at.offsetTop + at.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = at.offsetTop - box.clientHeight / 2;
  }, [shown, game.ply]);

  const cells = blackBegins ? ['…', ...game.san] : game.san;
  const shift = blackBegins ? 0 : 1;
  const cell = (n: number) => {
    const san = cells[n];
    if (san === undefined) return <span />;
    if (blackBegins && n === 0) return <span class="gap">…</span>;
    const ply = n + shift;
    return (
      <button
        type="button"
        class="ply"
        aria-current={ply === shown ? 'true' : undefined}
        onClick={() => room.view(ply)}
      >
        {san}
      </button>
    );
  };
  const rows = Array.from({ length: Math.ceil(cells.length / 2) }, (_, n) => n);
  return (
    <section class="moves" aria-label={t.moves.label}>
      {cells.length === 0 ? (
        <p class="hint none">{t.moves.none}</p>
      ) : (
        <ol ref={list} tabIndex={0} aria-label={t.moves.label}>
          {rows.map((n) => (
            <li key={n}>
              <span class="number" aria-hidden="true">
                {first + n}
              </span>
              {cell(2 * n)}
              {cell(2 * n + 1)}
            </li>
          ))}
        </ol>
      )}
      <div class="steps">
        <Step label={t.actions.first} sign="«" act={() => room.view(0)} off={shown === 0} />
        <Step label={t.actions.previous} sign="‹" act={() => room.step(-1)} off={shown === 0} />
        <Step label={t.actions.next} sign="›" act={() => room.step(1)} off={shown === game.ply} />
        <Step label={t.actions.last} sign="»" act={() => room.view(null)} off={shown === game.ply} />
        <Step label={t.actions.flip} sign="⇅" act={() => hand.flip()} />
      </div>
    </section>
  );
}

function Step({ label, sign, act, off }: { label: string; sign: string; act(): void; off?: boolean }) {
  return (
    <button type="button" class="quiet" aria-label={label} title={label} disabled={off} onClick={act}>
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}
