// One's own skills in play: where they are and whether they may still be used.
import type { Color } from '../api/types';
import { t } from '../text';
import type { MatchScreen } from './play';
import { key, targets } from './position';
import type { Snapshot } from './types';

export function SkillList({
  screen: { chosen },
  snapshot,
  mine,
}: {
  screen: MatchScreen;
  snapshot: Snapshot;
  mine: Color;
}) {
  const myTurn = snapshot.phase === 'active' && snapshot.currentTurn === mine;
  const held = snapshot.board.pieces
    .filter((p) => p.pieceColor === mine)
    .flatMap((piece) => piece.equippedSkills.map((skill) => ({ piece, skill })));
  const using = held.find(({ skill }) => skill.id === chosen.value);
  if (held.length === 0) return null;
  return (
    <section class="card draft" aria-label={t.skill.heading}>
      {held.map(({ piece, skill }) => {
        const name = t.skill.names[skill.skillID] ?? skill.skillID;
        const usable = myTurn && !skill.hasBeenUsed && targets(snapshot, piece, skill.skillID).length > 0;
        const isChosen = chosen.value === skill.id;
        return (
          <div key={skill.id} class={`skill-card ${isChosen ? 'chosen' : ''}`} data-skill={skill.skillID}>
            <div>
              <b>✦ {name}</b>
              <small>{t.skill.does[skill.skillID]}</small>
              <em>{t.skill.on(t.pieces[piece.pieceName]!, key(piece.position))}</em>
            </div>
            <button
              type="button"
              disabled={!usable}
              aria-pressed={isChosen}
              onClick={() => (chosen.value = isChosen ? null : skill.id)}
            >
              {skill.hasBeenUsed ? t.skill.used : t.skill.use}
            </button>
          </div>
        );
      })}
      {using && (
        <p class="notice ask">
          {t.skill.using(t.skill.names[using.skill.skillID] ?? '')}
          <button type="button" class="link" onClick={() => (chosen.value = null)}>
            {t.skill.stop}
          </button>
        </p>
      )}
    </section>
  );
}
