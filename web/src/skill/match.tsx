// One skill match: the draft, then the board.
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Color } from '../api/types';
import { Board } from '../board/board';
import { Promotion } from '../board/promotion';
import { settings } from '../settings';
import { t } from '../text';
import { useTitle } from '../title';
import { MoveList, Step } from '../views/moves';
import { Resize } from '../views/resize';
import { Titled } from '../views/titled';
import { Dock } from './dock';
import { Draft } from './draft';
import { written } from './history';
import { boardConfig, bottom, finish, hear, view, type MatchScreen } from './play';
import { MatchRoom } from './room';
import { SkillList, TheirSkills } from './skill_list';
import type { Seat, Snapshot } from './types';
import { Waiting } from './waiting';
import '../styles/skill.css';
import { onKeys } from '../keys';

export function SkillMatch({ id }: { id: string }) {
  const screen = useMemo<MatchScreen>(
    () => ({
      room: new MatchRoom(id),
      chosen: signal(null),
      promoting: signal(null),
      viewed: signal(null),
      flipped: signal(false),
    }),
    [id],
  );
  const { room } = screen;
  useTitle(t.skill.heading);
  useEffect(() => {
    const leave = [hear(screen), listen(screen), () => room.close()];
    return () => leave.forEach((stop) => stop());
  }, [screen]);
  const snapshot = room.snapshot.value;
  if (!snapshot)
    return (
      <p class="loading" role={room.problem.value ? 'alert' : undefined}>
        {room.problem.value ?? t.game.loading}
      </p>
    );
  return <Table screen={screen} snapshot={snapshot} />;
}

const other = { white: 'black', black: 'white' } as const;

function Table({ screen, snapshot }: { screen: MatchScreen; snapshot: Snapshot }) {
  const { room } = screen;
  const config = useMemo(() => boardConfig(screen), [screen]);
  // What comes next begins at the board, wherever one had scrolled to.
  useEffect(() => scrollTo(0, 0), [snapshot.phase]);
  const mine = room.mine.value ?? 'white';
  const below = bottom(screen);
  const seat = (color: string) => snapshot.seats.find((s) => s.color === color && s.connectionStatus !== 'invited');
  const promoting = screen.promoting.value;
  const isPlayed = snapshot.phase === 'active' || snapshot.phase === 'finished';
  return (
    <div
      class="game match"
      data-phase={snapshot.phase}
      data-revision={snapshot.revision}
      style={{ '--zoom': String(settings.value.boardSize / 100) }}
    >
      <h1 class="unseen">{t.skill.heading}</h1>
      <div class="table">
        <SeatBar seat={seat(other[below])} color={other[below]} snapshot={snapshot} at="top" />
        <div class="board-frame">
          <Board config={config} label={t.spoken.board} />
          {promoting && (
            <Promotion
              color={mine}
              orientation={below}
              square={promoting.to}
              choices={['q', 'n', 'r', 'b']}
              choose={(piece) => finish(screen, piece)}
            />
          )}
          {snapshot.phase === 'waitingForPlayers' && <Waiting room={room} snapshot={snapshot} />}
          <Resize />
        </div>
        <SeatBar seat={seat(below)} color={below} snapshot={snapshot} at="bottom" />
      </div>
      <Dock screen={screen} snapshot={snapshot} mine={mine} />
      <div class="side">
        <p class="terms">
          <span>{t.skill.heading}</span>
          <span>{t.skill.phases[snapshot.phase]}</span>
          <span class={`link-state ${room.connection.value}`} data-connection={room.connection.value} />
        </p>
        {snapshot.phase === 'drafting' && <Draft screen={screen} snapshot={snapshot} mine={mine} />}
        {isPlayed && <SkillList screen={screen} snapshot={snapshot} mine={mine} />}
        {isPlayed && <TheirSkills snapshot={snapshot} theirs={other[mine]} />}
        {isPlayed && <History screen={screen} snapshot={snapshot} />}
      </div>
    </div>
  );
}

interface BarProps {
  seat: Seat | undefined;
  color: Color;
  snapshot: Snapshot;
  at: 'top' | 'bottom';
}

function SeatBar({ seat, color, snapshot, at }: BarProps) {
  const online = seat?.connectionStatus === 'connected';
  const turn = snapshot.phase === 'active' && snapshot.currentTurn === color;
  return (
    <div class={`player ${at} ${color} ${turn ? 'turn' : ''}`}>
      <span class={`dot ${color}`} aria-hidden="true" />
      <span class="name">
        {seat ? <Titled title={seat.player.title} name={seat.player.displayName} /> : t.game.nobody}
      </span>
      {seat && (
        <span class={`presence ${online ? 'on' : ''}`} role="img" aria-label={online ? t.game.online : t.skill.away} />
      )}
      <span class="spring" />
      {snapshot.phase === 'drafting' && seat?.isReady && <span class="tag">✓</span>}
    </div>
  );
}

function History({ screen, snapshot }: { screen: MatchScreen; snapshot: Snapshot }) {
  const moves = snapshot.board.moveHistory;
  const shown = screen.viewed.value ?? moves.length;
  return (
    <section class="moves" aria-label={t.moves.label}>
      <MoveList
        san={moves.map(written)}
        shown={shown}
        first={1}
        blackBegins={false}
        view={(ply) => view(screen, ply)}
      />
      <div class="steps">
        <Step label={t.actions.first} sign="«" act={() => view(screen, 0)} off={shown === 0} far />
        <Step label={t.actions.previous} sign="‹" act={() => view(screen, shown - 1)} off={shown === 0} />
        <Step label={t.actions.next} sign="›" act={() => view(screen, shown + 1)} off={shown === moves.length} />
        <Step label={t.actions.last} sign="»" act={() => view(screen, null)} off={shown === moves.length} far />
        <Step label={t.actions.flip} sign="⇅" act={() => (screen.flipped.value = !screen.flipped.value)} />
      </div>
    </section>
  );
}

/** The same keys as in a game. */
function listen(screen: MatchScreen): () => void {
  const now = () => screen.viewed.value ?? screen.room.snapshot.value?.board.moveHistory.length ?? 0;
  return onKeys({
    ArrowLeft: () => view(screen, now() - 1),
    ArrowRight: () => view(screen, now() + 1),
    Home: () => view(screen, 0),
    End: () => view(screen, null),
    f: () => (screen.flipped.value = !screen.flipped.value),
    Escape: () => (screen.chosen.value = null),
  });
}
