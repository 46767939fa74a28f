// What is said and what can be done in a skill match. As in a game, each has its place and keeps it.
import type { Color } from '../api/types';
import { t } from '../text';
import { Sure, useSettled } from '../views/act';
import type { Choice } from '../views/messages';
import { view, type MatchScreen } from './play';
import { Rematch } from './rematch';
import type { Snapshot } from './types';

interface Props {
  screen: MatchScreen;
  snapshot: Snapshot;
  mine: Color;
}

export function Dock({ screen, snapshot, mine }: Props) {
  const { room } = screen;
  if (snapshot.phase === 'waitingForPlayers') return <div class="dock" />;
  return (
    <div class="dock">
      <section class="slot" aria-label={t.game.status}>
        <Words screen={screen} snapshot={snapshot} mine={mine} />
      </section>
      <div class={`actions ${snapshot.phase === 'finished' ? 'after' : ''}`} role="group" aria-label={t.actions.label}>
        {snapshot.phase === 'finished' ? (
          <>
            {snapshot.outcome?.kind !== 'aborted' && (
              <Rematch snapshot={snapshot} tell={(problem) => (room.notice.value = problem)} />
            )}
            <a class="button" href="/skill">
              {t.actions.newGame}
            </a>
          </>
        ) : (
          <>
            <Sure
              label={t.actions.resign}
              sign="⚑"
              off={snapshot.phase !== 'active'}
              act={() => void room.act('resign')}
            />
            <Sure
              label={t.actions.draw}
              sign="½"
              off={snapshot.phase !== 'active' || !!snapshot.drawOfferedBy || snapshot.board.moveHistory.length < 2}
              act={() => void room.act('offerDraw')}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** The most pressing thing there is to say. */
function Words({ screen, snapshot, mine }: Props) {
  const { room, chosen, viewed } = screen;
  const offer = snapshot.drawOfferedBy;
  const using = snapshot.board.pieces.flatMap((p) => p.equippedSkills).find((skill) => skill.id === chosen.value);
  if (offer && offer !== mine) return <Question key="draw" screen={screen} snapshot={snapshot} mine={mine} />;
  if (room.notice.value) return <Said key="notice" kind="problem" text={room.notice.value} />;
  if (room.connection.value === 'lost') return <Said key="lost" kind="warn" text={t.net.lost} />;
  if (viewed.value !== null && snapshot.phase !== 'finished')
    return (
      <Said
        key="history"
        text={t.game.history}
        choices={[{ label: t.game.backToLive, act: () => view(screen, null) }]}
      />
    );
  if (using && snapshot.phase === 'active')
    return (
      <Said
        key="using"
        text={t.skill.using(t.skill.names[using.skillID] ?? '')}
        choices={[{ label: t.skill.stop, act: () => (chosen.value = null) }]}
      />
    );
  if (snapshot.outcome) return <Result snapshot={snapshot} mine={mine} />;
  if (room.info.value) return <Said key="info" text={room.info.value} />;
  if (offer) return <Said key="own-draw" text={t.actions.drawOffered} />;
  return <Said key="standing" kind="turn" text={standing(snapshot, mine)} />;
}

/** The opponent's offer waits for an answer. */
function Question({ screen: { room }, snapshot, mine }: Props) {
  const opponent = snapshot.seats.find((seat) => seat.color !== mine);
  return (
    <Said
      text={t.actions.drawWanted(opponent?.player.displayName ?? '')}
      choices={[
        { label: t.actions.declineDraw, act: () => void room.act('declineDraw') },
        { label: t.actions.acceptDraw, act: () => void room.act('acceptDraw'), isMain: true },
      ]}
    />
  );
}

interface SaidProps {
  text: string;
  kind?: 'plain' | 'warn' | 'problem' | 'turn';
  choices?: Choice[];
}

function Said({ text, kind = 'plain', choices }: SaidProps) {
  const settled = useSettled();
  const urgent = kind === 'warn' || kind === 'problem';
  return (
    <p class={`said ${kind}`} role={urgent ? 'alert' : 'status'}>
      <span>{text}</span>
      {choices?.map(({ label, act, isMain }) => (
        <button key={label} type="button" class={isMain ? 'primary' : ''} disabled={!settled} onClick={act}>
          {label}
        </button>
      ))}
    </p>
  );
}

function Result({ snapshot, mine }: { snapshot: Snapshot; mine: Color }) {
  const { winner, kind } = snapshot.outcome!;
  const decided = winner
    ? winner === mine
      ? t.results.youWin
      : t.results.youLose
    : kind === 'aborted'
      ? t.results.aborted
      : t.results.draw;
  return (
    <div class={`outcome ${winner === mine ? 'won' : ''}`}>
      <p class="result" role="status">
        <strong>{decided}</strong> {t.skill.outcome[kind] ?? ''}
      </p>
    </div>
  );
}

function standing(snapshot: Snapshot, mine: Color): string {
  const opponent = snapshot.seats.find((seat) => seat.color !== mine);
  // The door lets nobody claim a seat or a win: the match waits.
  const isAway = opponent?.connectionStatus === 'disconnected';
  const away = isAway ? ` ${t.skill.absent(opponent.player.displayName)}` : '';
  if (snapshot.phase === 'drafting') return t.skill.draft + (isAway ? `.${away}` : '');
  const word = snapshot.currentTurn === mine ? t.skill.yourTurn : t.skill.theirTurn;
  const turn = snapshot.status.inCheck ? `${t.game.check}! ${word}` : word;
  return isAway ? `${turn}.${away}` : turn;
}
