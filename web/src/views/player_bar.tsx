// One player: name, presence, captured material or pocket, clock.
import type { Color } from '../api/types';
import { face, spelled } from '../game/clock';
import { position } from '../game/line';
import { material, pockets } from '../game/material';
import { t } from '../text';
import { ClockFace } from './clock';
import type { Screen } from './game';
import { Titled } from './titled';

export function PlayerBar({ screen: { room, hand }, color }: { screen: Screen; color: Color }) {
  const { game, presence } = room.room.value!;
  const player = game.players[color];
  const seat = presence[color];
  const fen = room.shownFen.value ?? game.fen;
  const clocks = face(game);
  const isMine = room.myColor.value === color;
  const online = seat?.online ?? player?.connected ?? false;
  const isHouse = game.variant === 'crazyhouse';
  return (
    <div
      class={`player ${color} ${game.to_move === color && game.state === 'ACTIVE' ? 'turn' : ''}`}
      data-color={color}
    >
      <span class={`dot ${color}`} aria-hidden="true" />
      <div class="identity">
        <span class="name">
          {player ? <Titled {...player} /> : t.game.nobody}
          {player && (
            <span
              class={`presence ${online ? 'on' : ''}`}
              role="img"
              aria-label={online ? t.game.online : t.game.offline}
            />
          )}
        </span>
        {isHouse ? null : <Captured fen={fen} color={color} />}
        {game.variant === 'three_check' && <Checks fen={fen} color={color} />}
      </div>
      {isHouse && (
        <Pocket fen={fen} color={color} drag={isMine ? (role, event) => hand.dragNew(role, event) : undefined} />
      )}
      {clocks && game.state !== 'WAITING' && <ClockFace face={clocks} color={color} time={room.time} warn={isMine} />}
      {game.move_deadline && game.to_move === color && (
        <span class="clock runs">{spelled(Date.parse(game.move_deadline) - Date.now())}</span>
      )}
    </div>
  );
}

function Captured({ fen, color }: { fen: string; color: Color }) {
  const { captured, balance } = material(fen);
  const ahead = color === 'white' ? balance : -balance;
  const pieces = captured[color];
  if (pieces.length === 0 && ahead <= 0) return <span class="captured" />;
  const theirs = color === 'white' ? 'black' : 'white';
  return (
    <span
      class="captured"
      role="img"
      aria-label={`${t.game.captured}: ${pieces.length}${ahead > 0 ? `, ${t.game.material(ahead)}` : ''}`}
    >
      {pieces.map((role, n) => (
        <piece key={n} class={`${theirs} ${role} ${pieces[n - 1] === role ? 'again' : ''}`} />
      ))}
      {ahead > 0 && <span class="ahead">+{ahead}</span>}
    </span>
  );
}

function Checks({ fen, color }: { fen: string; color: Color }) {
  const left = position('three_check', fen)?.remainingChecks?.[color];
  return left === undefined ? null : <span class="checks">{t.game.checksLeft(left)}</span>;
}

const HELD = ['queen', 'rook', 'bishop', 'knight', 'pawn'];

function Pocket({
  fen,
  color,
  drag,
}: {
  fen: string;
  color: Color;
  drag?: (role: string, event: MouseEvent | TouchEvent) => void;
}) {
  const held = pockets(fen)[color];
  const start = (role: string) => (event: MouseEvent | TouchEvent) => {
    if (!drag || !held[role] || ('button' in event && event.button !== 0)) return;
    event.preventDefault();
    drag(role, event);
  };
  return (
    <div class="pocket" role="group" aria-label={t.game.pocket(color === 'white' ? t.game.white : t.game.black)}>
      {HELD.map((role) => (
        <span
          key={role}
          class={`held ${held[role] ? '' : 'none'}`}
          data-role={role}
          data-count={held[role] ?? 0}
          role="img"
          aria-label={`${held[role] ?? 0} ${t.pieces[role]}`}
          onMouseDown={start(role)}
          onTouchStart={start(role)}
        >
          <piece class={`${color} ${role}`} />
          {(held[role] ?? 0) > 1 && <b>{held[role]}</b>}
        </span>
      ))}
    </div>
  );
}
