// Conditional moves: lines that are kept, and one that is being entered on the board.
import { position, preview } from '../game/line';
import type { Plan } from '../game/plan';
import { complete, type Line } from '../game/plan_lines';
import type { GameRoom } from '../game/room';
import { t } from '../text';

export function PlanPanel({ room, plan }: { room: GameRoom; plan: Plan }) {
  const game = room.game.value!;
  const line = plan.line.value;
  const written = (moves: Line) => spell(game.variant, game.fen, moves);
  return (
    <section class="card plan" aria-labelledby="plan">
      <div class="split">
        <h2 id="plan">{t.plan.heading}</h2>
        {line === null && (
          <button type="button" disabled={!plan.isOpen.value} onClick={() => plan.begin()}>
            {t.plan.add}
          </button>
        )}
      </div>
      {!plan.isOpen.value && <p class="hint">{t.plan.notNow}</p>}
      {plan.isOpen.value && line === null && plan.lines.value.length === 0 && <p class="hint">{t.plan.none}</p>}
      <ul>
        {plan.lines.value.map((moves, n) => (
          <li key={moves.join()}>
            <span class="line">{written(moves)}</span>
            <button
              type="button"
              class="quiet icon"
              aria-label={t.plan.remove(written(moves))}
              disabled={plan.busy.value}
              onClick={() => void plan.remove(n)}
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
      {line !== null && (
        <div class="entering">
          <p class="line" role="status">
            {line.length === 0 ? t.plan.first : written(line)}
          </p>
          <div class="row">
            <button type="button" disabled={line.length === 0} onClick={() => plan.back()}>
              {t.plan.back}
            </button>
            <button type="button" onClick={() => plan.leave()}>
              {t.plan.leave}
            </button>
            <button
              type="button"
              class="primary"
              disabled={plan.busy.value || complete(line).length === 0}
              onClick={() => void plan.save()}
            >
              {t.plan.save}
            </button>
          </div>
        </div>
      )}
      {plan.problem.value && (
        <p class="problem" role="alert">
          {plan.problem}
        </p>
      )}
    </section>
  );
}

/** `12… Nf6 13. Bg5 h6`: a line as it is written. */
function spell(variant: string, fen: string, moves: Line): string {
  const words: string[] = [];
  let at = fen;
  for (const [n, move] of moves.entries()) {
    const pos = position(variant, at);
    const next = pos && preview(pos, move);
    if (!next) break;
    if (pos.turn === 'white') words.push(`${pos.fullmoves}.`);
    else if (n === 0) words.push(`${pos.fullmoves}…`);
    words.push(next.san);
    at = next.fen;
  }
  return words.join(' ');
}
