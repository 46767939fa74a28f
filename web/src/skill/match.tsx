// One skill match: the draft, then the board.
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Board } from '../board/board';
import { Promotion } from '../board/promotion';
import { go } from '../router';
import { t } from '../text';
import { Sure } from '../views/act';
import { CopyField } from '../views/copy';
import { Titled } from '../views/titled';
import { Draft } from './draft';
import { boardConfig, finish, hear, type MatchScreen } from './play';
import { key } from './position';
import { MatchRoom } from './room';
import { SkillList } from './skill_list';
import type { MoveRecord, Seat, Snapshot } from './types';
import '../styles/skill.css';

export function SkillMatch({ id }: { id: string }) {
  const screen = useMemo<MatchScreen>(
    () => ({ room: new MatchRoom(id), chosen: signal(null), promoting: signal(null) }),
    [id],
  );
  const config = useMemo(() => boardConfig(screen), [screen]);
  const { room } = screen;
  useEffect(() => {
    const stop = hear(screen);
    return () => {
      stop();
      room.close();
    };
  }, [screen]);
  const snapshot = room.snapshot.value;
  if (!snapshot)
    return (
      <p class="loading" role={room.problem.value ? 'alert' : undefined}>
        {room.problem.value ?? t.game.loading}
      </p>
    );
  const mine = room.mine.value ?? 'white';
  const theirs = mine === 'white' ? 'black' : 'white';
  const seat = (color: string) => snapshot.seats.find((s) => s.color === color && s.connectionStatus !== 'invited');
  const promoting = screen.promoting.value;
  return (
    <div class="game match" data-phase={snapshot.phase} data-revision={snapshot.revision}>
      <h1 class="unseen">{t.skill.heading}</h1>
      <div class="table">
        <SeatBar seat={seat(theirs)} color={theirs} snapshot={snapshot} />
        <div class="board-frame">
          <Board config={config} label={t.spoken.board} />
          {promoting && (
            <Promotion
              color={mine}
              orientation={mine}
              square={promoting.to}
              choices={['q', 'n', 'r', 'b']}
              choose={(piece) => finish(screen, piece)}
            />
          )}
          {snapshot.phase === 'waitingForPlayers' && (
            <div class="overlay">
              <div class="card invitation">
                <h2>{t.skill.waiting}</h2>
                <p class="hint">{t.skill.waitingHint}</p>
                <p class="join-code">
                  <code>{snapshot.roomCode}</code>
                </p>
                <CopyField label={t.game.link} value={`${location.origin}/join/${snapshot.roomCode}`} />
                <button type="button" onClick={() => void room.act('leaveMatch').then((done) => done && go('/skill'))}>
                  {t.skill.close}
                </button>
              </div>
            </div>
          )}
        </div>
        <SeatBar seat={seat(mine)} color={mine} snapshot={snapshot} />
      </div>
      <div class="side">
        <section class="status" aria-label={t.skill.heading}>
          <p class="terms">
            <span>{t.skill.heading}</span>
            <span>{t.skill.phases[snapshot.phase]}</span>
            <span class={`link-state ${room.connection.value}`} data-connection={room.connection.value} />
          </p>
          <p class="result" role="status">
            {standing(snapshot, mine)}
          </p>
          {room.connection.value === 'lost' && (
            <p class="notice warn" role="alert">
              {t.net.lost}
            </p>
          )}
          {room.notice.value && (
            <p class="notice problem" role="alert">
              {room.notice}
            </p>
          )}
        </section>
        {snapshot.phase === 'drafting' && <Draft screen={screen} snapshot={snapshot} mine={mine} />}
        {(snapshot.phase === 'active' || snapshot.phase === 'finished') && (
          <SkillList screen={screen} snapshot={snapshot} mine={mine} />
        )}
        <History moves={snapshot.board.moveHistory} />
        {snapshot.phase === 'active' && (
          <div class="actions">
            <Sure label={t.actions.resign} sign="⚑" act={() => void room.act('resign')} />
          </div>
        )}
        {snapshot.phase === 'finished' && (
          <div class="actions">
            <a class="button primary" href="/skill">
              {t.actions.newGame}
            </a>
          </div>
        )}
      </div>
    </div>
  );
}

function standing(snapshot: Snapshot, mine: string): string {
  if (snapshot.phase === 'drafting') return t.skill.draft;
  if (snapshot.phase === 'waitingForPlayers') return t.skill.waiting;
  if (snapshot.outcome) {
    const { winner, kind } = snapshot.outcome;
    const word = winner
      ? winner === mine
        ? t.results.youWin
        : t.results.youLose
      : kind === 'aborted'
        ? t.results.aborted
        : t.results.draw;
    return `${word} ${t.skill.outcome[kind] ?? ''}`.trim();
  }
  const word = snapshot.currentTurn === mine ? t.skill.yourTurn : t.skill.theirTurn;
  return snapshot.status.inCheck ? `${t.game.check}! ${word}` : word;
}

function SeatBar({ seat, color, snapshot }: { seat: Seat | undefined; color: string; snapshot: Snapshot }) {
  const online = seat?.connectionStatus === 'connected';
  const turn = snapshot.phase === 'active' && snapshot.currentTurn === color;
  return (
    <div class={`player ${color} ${turn ? 'turn' : ''}`}>
      <span class={`dot ${color}`} aria-hidden="true" />
      <div class="identity">
        <span class="name">
          {seat ? <Titled title={seat.player.title} name={seat.player.displayName} /> : t.game.nobody}
          {seat && (
            <span
              class={`presence ${online ? 'on' : ''}`}
              role="img"
              aria-label={online ? t.game.online : t.skill.away}
            />
          )}
        </span>
      </div>
      {snapshot.phase === 'drafting' && seat?.isReady && <span class="tag">✓</span>}
    </div>
  );
}

function History({ moves }: { moves: readonly MoveRecord[] }) {
  const text = (m: MoveRecord) => {
    const letter = m.pieceName === 'pawn' ? '' : m.pieceName === 'knight' ? 'N' : m.pieceName[0]!.toUpperCase();
    const skill = m.skillID ? ` ✦${t.skill.names[m.skillID] ?? m.skillID}` : '';
    return `${letter}${key(m.from)}${m.capturedPieceName ? 'x' : '–'}${key(m.to)}${m.promotionPieceName ? `=${m.promotionPieceName[0]!.toUpperCase()}` : ''}${skill}`;
  };
  const rows = Array.from({ length: Math.ceil(moves.length / 2) }, (_, n) => n);
  return (
    <section class="moves" aria-label={t.moves.label}>
      {moves.length === 0 ? (
        <p class="hint none">{t.moves.none}</p>
      ) : (
        <ol tabIndex={0} aria-label={t.moves.label}>
          {rows.map((n) => (
            <li key={n}>
              <span class="number" aria-hidden="true">
                {n + 1}
              </span>
              {moves.slice(2 * n, 2 * n + 2).map((m) => (
                <span class="ply" key={m.id}>
                  {text(m)}
                </span>
              ))}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
