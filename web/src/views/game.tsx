// One game: the board, both players, the moves, the buttons, the talk.
import { effect, untracked } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { announce } from '../announce';
import type { Game } from '../api/types';
import { Board } from '../board/board';
import { Promotion } from '../board/promotion';
import { Hand } from '../game/hand';
import { react, resultText } from '../game/react';
import { GameRoom } from '../game/room';
import { settings } from '../settings';
import { t } from '../text';
import { Actions } from './actions';
import { Chat } from './chat';
import { Invitation } from './invitation';
import { Moves } from './moves';
import { PlayerBar } from './player_bar';
import { Share } from './share';
import { Status } from './status';
import { TextBoard } from './text_board';
import { titled } from './titled';
import { TypedMove } from './typed_move';

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
  if (!game) {
    const missing = room.problem.value === 'not_found';
    return (
      <p class="loading" role={missing ? 'alert' : undefined}>
        {missing ? `${t.game.notFound} ${t.game.signInToSee}` : t.game.loading}
      </p>
    );
  }
  const bottom = hand.board.orientation.value;
  const choosing = hand.choosing.value;
  return (
    <div class={`game ${game.variant}`} data-version={game.version} data-state={game.state}>
      <h1 class="unseen">{title(game)}</h1>
      <div class="table">
        <PlayerBar screen={screen} color={other[bottom]} />
        <div class="board-frame" onWheel={(event) => wheel(screen, event)}>
          <Board
            config={hand.board.config}
            label={boardLabel(game)}
            ready={(api) => hand.ready(api)}
            changed={(api) => hand.changed(api)}
          />
          {choosing && (
            <Promotion
              color={room.myColor.value ?? 'white'}
              orientation={bottom}
              square={choosing.to}
              choices={choosing.choices}
              choose={(piece) => hand.choose(piece)}
            />
          )}
          {game.state === 'WAITING' && <Invitation room={room} game={game} />}
        </div>
        <PlayerBar screen={screen} color={bottom} />
      </div>
      <div class="side">
        <Status screen={screen} />
        <Moves screen={screen} />
        <Actions screen={screen} />
        {room.myColor.value && game.state === 'ACTIVE' && <TypedMove screen={screen} />}
        {settings.value.textBoard && <TextBoard screen={screen} />}
      </div>
      <div class="aside">
        <Chat room={room} />
        {game.state === 'COMPLETED' && <Share game={game} />}
      </div>
    </div>
  );
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

/** Sounds, words and the tab's title follow the game. */
function hear(room: GameRoom): () => void {
  let before: Game | null = null;
  return effect(() => {
    const game = room.game.value;
    if (!game) return;
    untracked(() => {
      if (before) react(before, game, room.myColor.value);
      const mine = room.myColor.value;
      const turn = game.state === 'ACTIVE' && mine === game.to_move ? `● ${t.game.yourMove} · ` : '';
      document.title = `${turn}${title(game)} · ${t.name}`;
    });
    before = game;
  });
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
  const keys: Record<string, () => void> = {
    ArrowLeft: () => room.step(-1),
    ArrowRight: () => room.step(1),
    ArrowUp: () => room.view(0),
    ArrowDown: () => room.view(null),
    Home: () => room.view(0),
    End: () => room.view(null),
    f: () => hand.flip(),
  };
  const pressed = (event: KeyboardEvent) => {
    const field = (event.target as Element).closest?.('input, textarea, select, dialog, [role=dialog]');
    const act = keys[event.key];
    if (field || !act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  document.addEventListener('keydown', pressed);
  return () => document.removeEventListener('keydown', pressed);
}

function wheel({ room }: Screen, event: WheelEvent): void {
  if (event.ctrlKey || Math.abs(event.deltaY) < 4) return;
  event.preventDefault();
  room.step(event.deltaY > 0 ? 1 : -1);
}
