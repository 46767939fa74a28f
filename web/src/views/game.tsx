// One game: the board, both players, the moves, the buttons, the talk.
import { effect, untracked } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { announce } from '../announce';
import type { Color, Game } from '../api/types';
import { Board } from '../board/board';
import { Promotion } from '../board/promotion';
import { Hand } from '../game/hand';
import { react, resultText, soundMove, turnedDown } from '../game/react';
import { GameRoom } from '../game/room';
import type { Posted } from '../net/deliver';
import { change, settings } from '../settings';
import { t } from '../text';
import { useTitle } from '../title';
import { Actions } from './actions';
import { Chat } from './chat';
import { Invitation } from './invitation';
import { Moves } from './moves';
import { PlayerBar } from './player_bar';
import { PlanPanel } from './plan_panel';
import { Resize } from './resize';
import { Share } from './share';
import { Slot } from './slot';
import { Terms } from './terms';
import { TextBoard } from './text_board';
import { titled } from './titled';
import { TypedMove } from './typed_move';
import { isWithdrawn, Withdrawn } from './withdrawn';
import { onKeys } from '../keys';

export interface Screen {
  room: GameRoom;
  hand: Hand;
}

const other = { white: 'black', black: 'white' } as const;

export function GamePage({ id }: { id: string }) {
  const screen = useMemo<Screen>(() => {
    const room = new GameRoom(id);
    return { room, hand: new Hand(room) };
  }, [id]);
  const { room, hand } = screen;
  useEffect(() => {
    const leave = [listen(screen), hear(room), tellConnection(room), () => hand.close(), () => room.close()];
    return () => leave.forEach((stop) => stop());
  }, [screen]);

  const game = room.game.value;
  useTitle(game ? pageName(game, room.myColor.value) : t.game.loading);
  if (!game) return room.problem.value === 'not_found' ? <NoGame /> : <p class="loading">{t.game.loading}</p>;
  const bottom = hand.board.orientation.value;
  const zoom = settings.value.boardSize / 100;
  const isPlayed = !isWithdrawn(game);
  return (
    <div
      class={`game ${game.variant}`}
      data-version={game.version}
      data-state={game.state}
      style={{ '--zoom': String(zoom) }}
    >
      <h1 class="unseen">{title(game)}</h1>
      <div class="table">
        <PlayerBar screen={screen} color={other[bottom]} at="top" />
        <Frame screen={screen} bottom={bottom} />
        <PlayerBar screen={screen} color={bottom} at="bottom" />
      </div>
      <div class={`dock ${game.rated || !room.myColor.value ? '' : 'tall'}`}>
        {isPlayed && <Slot screen={screen} />}
        {isPlayed && <Actions screen={screen} />}
      </div>
      <div class="side">
        <Terms room={room} />
        <Moves screen={screen} />
        {hand.plan.isSlow.value && room.myColor.value && game.state === 'ACTIVE' && (
          <PlanPanel room={room} plan={hand.plan} />
        )}
        {room.myColor.value && game.state !== 'COMPLETED' && game.state !== 'WAITING' && <TypedMove screen={screen} />}
      </div>
      <div class="aside">
        {settings.value.textBoard && <TextBoard screen={screen} />}
        <Chat room={room} />
        {game.state === 'COMPLETED' && isPlayed && <Share game={game} bottom={bottom} />}
      </div>
      {settings.value.zen && (
        <button type="button" class="leave-zen quiet" onClick={() => change({ zen: false })}>
          {t.looks.leaveZen}
        </button>
      )}
    </div>
  );
}

/** The board and what lies over it. */
function Frame({ screen, bottom }: { screen: Screen; bottom: Color }) {
  const { room, hand } = screen;
  const game = room.game.value!;
  const choosing = hand.choosing.value;
  return (
    <div class="board-frame" onWheel={(event) => wheel(screen, event)} onContextMenu={() => hand.letGo()}>
      <Board
        config={hand.board.config}
        label={boardLabel(game)}
        ready={(api) => hand.ready(api)}
        changed={(api) => hand.changed(api)}
      />
      {choosing && (
        <Promotion
          color={hand.plan.line.value ? sideOf(choosing.to) : (room.myColor.value ?? 'white')}
          orientation={bottom}
          square={choosing.to}
          choices={choosing.choices}
          choose={(piece) => hand.choose(piece)}
        />
      )}
      {game.state === 'WAITING' && <Invitation room={room} game={game} />}
      {isWithdrawn(game) && <Withdrawn game={game} />}
      <Resize />
    </div>
  );
}

/** Whose pawn has reached that square. */
const sideOf = (square: string): Color => (square[1] === '8' ? 'white' : 'black');

function NoGame() {
  return (
    <div class="narrow">
      <div class="card stack" role="alert">
        <h1>{t.game.notFound}</h1>
        <p class="hint">{t.game.signInToSee}</p>
        <a class="button primary" href="/">
          {t.nowhere.home}
        </a>
      </div>
    </div>
  );
}

function pageName(game: Game, mine: Color | null): string {
  const isTurn = game.state === 'ACTIVE' && mine === game.to_move;
  return `${isTurn ? `● ${t.game.yourMove} · ` : ''}${title(game)}`;
}

function title(game: Game): string {
  const name = (color: 'white' | 'black') => titled(game.players[color] ?? { name: t.game.nobody });
  return t.game.vs(name('white'), name('black'));
}

function boardLabel(game: Game): string {
  const turn = game.result
    ? resultText(game, null)
    : t.game.toMove(game.to_move === 'white' ? t.game.white : t.game.black);
  return `${t.spoken.board}. ${title(game)}. ${turn}`;
}

/** Sounds and words follow the game. Our own move sounds when it is made, not when it is answered. */
function hear(room: GameRoom): () => void {
  let before: Game | null = null;
  let own: Posted | null = null;
  const sent = effect(() => {
    const pending = room.pending.value;
    if (!pending || pending.posted === own) return;
    own = pending.posted;
    soundMove(pending.preview.san);
  });
  const all = effect(() => {
    const game = room.game.value;
    if (!game) return;
    untracked(() => {
      const mine = room.myColor.value;
      if (before) {
        react(before, game, mine, own?.ply ?? null);
        const told = turnedDown(before, game, mine);
        if (told) room.inform(told);
      }
    });
    before = game;
  });
  return () => {
    sent();
    all();
  };
}

/** Who cannot see the warning hears it. */
function tellConnection(room: GameRoom): () => void {
  let wasLost = false;
  return effect(() => {
    const isLost = room.connection.value === 'lost';
    if (isLost !== wasLost && room.connection.value !== 'connecting') announce(isLost ? t.spoken.lost : t.spoken.back);
    wasLost = isLost;
  });
}

/** The keys that work anywhere on the page but in a field. */
function listen({ room, hand }: Screen): () => void {
  return onKeys({
    ArrowLeft: () => room.step(-1),
    ArrowRight: () => room.step(1),
    ArrowUp: () => room.view(0),
    ArrowDown: () => room.view(null),
    Home: () => room.view(0),
    End: () => room.view(null),
    f: () => hand.flip(),
    z: () => change({ zen: !settings.value.zen }),
    Escape: () => hand.letGo(),
  });
}

function wheel({ room }: Screen, event: WheelEvent): void {
  if (event.ctrlKey || Math.abs(event.deltaY) < 4) return;
  event.preventDefault();
  room.step(event.deltaY > 0 ? 1 : -1);
}
