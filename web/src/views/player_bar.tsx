// One player in one line: name, rating, presence, captured material or pocket, clock.
import type { Color, Game } from '../api/types';
import { face, spelled } from '../game/clock';
import { position } from '../game/line';
import { material } from '../game/material';
import { ratingChange, signed } from '../game/result';
import { t } from '../text';
import { date, dateTime } from '../text/format';
import { ClockFace } from './clock';
import type { Screen } from './game';
import { Pocket } from './pocket';
import { Titled } from './titled';

export function PlayerBar({ screen, color, at }: { screen: Screen; color: Color; at: 'top' | 'bottom' }) {
  const { room } = screen;
  const { game, presence } = room.room.value!;
  const player = game.players[color];
  const fen = room.shownFen.value ?? game.fen;
  const clocks = face(game);
  const isMine = room.myColor.value === color;
  const online = presence[color]?.online ?? player?.connected ?? false;
  // With days per move there is a deadline, and no clock to look at.
  const isSlow = !!game.time_control && 'days_per_move' in game.time_control;
  const isTurn = game.to_move === color && game.state === 'ACTIVE';
  return (
    <div class={`player ${at} ${color} ${isTurn ? 'turn' : ''}`} data-color={color}>
      <span class={`dot ${color}`} aria-hidden="true" />
      {player ? (
        <>
          <a class="name" href={`/@/${encodeURIComponent(player.id)}`}>
            <Titled {...player} />
          </a>
          <Rating game={game} color={color} />
          <span
            class={`presence ${online ? 'on' : ''}`}
            role="img"
            aria-label={online ? t.game.online : t.game.offline}
          />
          {player.vacation_until && <span class="tag away">{t.game.vacation(date(player.vacation_until))}</span>}
        </>
      ) : (
        <span class="name">{t.game.nobody}</span>
      )}
      <span class="spring" />
      {game.variant === 'crazyhouse' ? (
        <Pocket screen={screen} fen={fen} color={color} isMine={isMine} />
      ) : (
        <Captured fen={fen} initial={game.initial_fen} color={color} />
      )}
      {game.variant === 'three_check' && <Checks fen={fen} color={color} />}
      {clocks && !isSlow && game.state !== 'WAITING' && (
        <ClockFace face={clocks} color={color} time={room.time} warn={isMine} />
      )}
      {game.move_deadline && isTurn && <Deadline at={game.move_deadline} />}
    </div>
  );
}

function Rating({ game, color }: { game: Game; color: Color }) {
  const player = game.players[color];
  if (!player || typeof player.rating !== 'number') return null;
  const change = ratingChange(game, color);
  return (
    <span class="rating">
      {player.rating}
      {player.provisional && '?'}
      {change !== null && <b class={`change ${change < 0 ? 'less' : 'more'}`}> {signed(change)}</b>}
    </span>
  );
}

/** In correspondence: how long there is, and until when exactly. */
function Deadline({ at }: { at: string }) {
  return (
    <time class="clock runs slow" dateTime={at} title={t.game.until(dateTime(at))}>
      {spelled(Date.parse(at) - Date.now())}
    </time>
  );
}

function Captured({ fen, initial, color }: { fen: string; initial: string; color: Color }) {
  const { captured, balance } = material(fen, initial);
  const began = material(initial, initial).balance;
  const ahead = color === 'white' ? balance - began : began - balance;
  const pieces = captured[color];
  if (pieces.length === 0 && ahead <= 0) return null;
  const theirs = color === 'white' ? 'black' : 'white';
  return (
    <span
      class="captured"
      style={{ '--taken': pieces.length }}
      role="img"
      aria-label={`${t.game.captured}: ${pieces.length}${ahead > 0 ? `, ${t.game.material(ahead)}` : ''}`}
    >
      {pieces.length > 0 && (
        <span class="felt">
          {pieces.map((role, n) => (
            <span key={n} class={`taken ${pieces[n + 1] === role ? 'doubled' : ''}`}>
              <piece class={`${theirs} ${role}`} />
            </span>
          ))}
        </span>
      )}
      {ahead > 0 && <span class="ahead">+{ahead}</span>}
    </span>
  );
}

function Checks({ fen, color }: { fen: string; color: Color }) {
  const left = position('three_check', fen)?.remainingChecks?.[color];
  return left === undefined ? null : <span class="checks">{t.game.checksLeft(left)}</span>;
}
