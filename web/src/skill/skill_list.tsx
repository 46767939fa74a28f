// The skills of both sides: one's own to be used, with a word on why not; the opponent's by name.
import type { Color } from '../api/types';
import { t } from '../text';
import type { MatchScreen } from './play';
import { key, targets } from './position';
import type { Piece, Snapshot } from './types';

type Held = { piece: Piece; skill: Piece['equippedSkills'][number] };

const heldBy = (snapshot: Snapshot, color: Color): Held[] =>
  snapshot.board.pieces
    .filter((p) => p.pieceColor === color)
    .flatMap((piece) => piece.equippedSkills.map((skill) => ({ piece, skill })));

/** Why a skill cannot be used now; null if it can. */
function whyNot(snapshot: Snapshot, mine: Color, { piece, skill }: Held): string | null {
  if (skill.hasBeenUsed) return t.skill.reasons.skillAlreadyUsed;
  if (snapshot.phase !== 'active') return t.skill.matchOver;
  if (snapshot.currentTurn !== mine) return t.skill.reasons.notYourTurn;
  return targets(snapshot, piece, skill.skillID).length > 0 ? null : t.skill.outOfReach;
}

export function SkillList({
  screen: { chosen },
  snapshot,
  mine,
}: {
  screen: MatchScreen;
  snapshot: Snapshot;
  mine: Color;
}) {
  const held = heldBy(snapshot, mine);
  if (held.length === 0) return null;
  return (
    <section class="card draft" aria-label={t.skill.yours}>
      {held.map((one) => {
        const { piece, skill } = one;
        const why = whyNot(snapshot, mine, one);
        const isChosen = chosen.value === skill.id;
        return (
          <div key={skill.id} class={`skill-card ${isChosen ? 'chosen' : ''}`} data-skill={skill.skillID}>
            <div>
              <b>✦ {t.skill.names[skill.skillID] ?? skill.skillID}</b>
              <small>{t.skill.does[skill.skillID]}</small>
              <em>{t.skill.on(t.pieces[piece.pieceName], key(piece.position))}</em>
              <small class="why" id={`why-${skill.id}`}>
                {why ?? t.skill.ready}
              </small>
            </div>
            <button
              type="button"
              disabled={why !== null}
              title={why ?? undefined}
              aria-describedby={`why-${skill.id}`}
              aria-pressed={isChosen}
              onClick={() => (chosen.value = isChosen ? null : skill.id)}
            >
              {skill.hasBeenUsed ? t.skill.used : t.skill.use}
            </button>
          </div>
        );
      })}
    </section>
  );
}

/** What the other side has and had: a skill that was used is named, also when its piece is gone. */
export function TheirSkills({ snapshot, theirs }: { snapshot: Snapshot; theirs: Color }) {
  const used = snapshot.board.moveHistory.filter((move) => move.pieceColor === theirs && move.skillID);
  const open = heldBy(snapshot, theirs).filter(({ skill }) => !skill.hasBeenUsed);
  const name = (id: string) => t.skill.names[id] ?? id;
  return (
    <section class="card their-skills" aria-label={t.skill.theirs}>
      <h2>{t.skill.theirs}</h2>
      {used.length === 0 && open.length === 0 && <p class="hint">{t.skill.noneLeft}</p>}
      <ul>
        {open.map(({ piece, skill }) => (
          <li key={skill.id} data-open={skill.skillID}>
            ✦ {name(skill.skillID)} {t.skill.on(t.pieces[piece.pieceName], key(piece.position))}
          </li>
        ))}
        {used.map((move) => (
          <li key={move.id} class="spent" data-used={move.skillID}>
            ✦ {name(move.skillID!)}: {t.skill.usedFor(key(move.from), key(move.to))}
          </li>
        ))}
      </ul>
    </section>
  );
}
