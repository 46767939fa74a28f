// Choosing skills and the pieces that hold them. Works with the board and with the keyboard.
import type { Color } from '../api/types';
import { t } from '../text';
import type { MatchScreen } from './play';
import { key, pieceAt, place } from './position';
import { SKILLS, type Snapshot } from './types';

export function Draft({
  screen: { room, chosen },
  snapshot,
  mine,
}: {
  screen: MatchScreen;
  snapshot: Snapshot;
  mine: Color;
}) {
  const seat = snapshot.seats.find((s) => s.color === mine);
  const opponent = snapshot.seats.find((s) => s.color !== mine);
  const selections = snapshot.draft.selections.filter((s) => s.color === mine && s.position);
  const own = snapshot.board.pieces
    .filter((p) => p.pieceColor === mine)
    .map((p) => key(p.position))
    .sort();
  const assign = (skillID: string, square: string | null) =>
    void room.act('updateDraftSelection', { skillID, position: square ? place(square) : null });
  if (seat?.isReady) return <p class="notice">{t.skill.locked}</p>;
  return (
    <section class="card draft" aria-label={t.skill.draft}>
      <p class="hint">{t.skill.draftHint}</p>
      {SKILLS.map((skill) => {
        const at = selections.find((s) => s.skillID === skill)?.position;
        const square = at ? key(at) : null;
        const piece = square ? pieceAt(snapshot, square) : undefined;
        return (
          <div key={skill} class={`skill-card ${chosen.value === skill ? 'chosen' : ''}`} data-skill={skill}>
            <button
              type="button"
              aria-pressed={chosen.value === skill}
              onClick={() => (chosen.value = chosen.value === skill ? null : skill)}
            >
              <b>✦ {t.skill.names[skill]}</b>
              <small>{t.skill.does[skill]}</small>
              {square && piece && <em>{t.skill.on(t.pieces[piece.pieceName]!, square)}</em>}
            </button>
            <select
              aria-label={t.skill.names[skill]}
              value={square ?? ''}
              onChange={(e) => assign(skill, e.currentTarget.value || null)}
            >
              <option value="">–</option>
              {own.map((name) => (
                <option key={name} value={name}>
                  {name} {t.pieces[pieceAt(snapshot, name)?.pieceName ?? '']}
                </option>
              ))}
            </select>
          </div>
        );
      })}
      {opponent?.isReady && <p class="notice">{t.skill.theyLocked}</p>}
      <button type="button" class="primary big" disabled={room.busy.value} onClick={() => void room.act('lockDraft')}>
        {t.skill.lock}
      </button>
    </section>
  );
}
