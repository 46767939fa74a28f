// What the board shows and allows, as one signal. It depends on plain values only: ticking clocks leave it alone.
import type { Config } from '@lichess-org/chessground/config';
import type { Key, SquareClasses } from '@lichess-org/chessground/types';
import { computed, type ReadonlySignal } from '@preact/signals';
import type { Position } from 'chessops/chess';
import { makeSquare } from 'chessops/util';
import type { Color } from '../api/types';
import { dests, marked, position } from './line';
import type { Plan } from './plan';
import { foreseen } from './premoves';
import type { GameRoom } from './room';

export interface BoardEvents {
  moved(from: string, to: string): void;
  dropped(role: string, to: string): void;
  premoved(from: string, to: string): void;
  predropped(role: string, to: string): void;
  clicked(square: string): void;
}

/** What the hand holds and intends. */
export interface Intent {
  readonly flipped: ReadonlySignal<boolean>;
  /** Moves planned ahead, in UCI. */
  readonly queue: ReadonlySignal<readonly string[]>;
  /** A piece taken from the pocket by a click: the next click puts it down. */
  readonly holding: ReadonlySignal<string | null>;
  readonly plan: Plan;
}

export interface BoardSignals {
  readonly config: ReadonlySignal<Config>;
  readonly orientation: ReadonlySignal<Color>;
}

const other = (color: Color): Color => (color === 'white' ? 'black' : 'white');

export function boardConfig(room: GameRoom, intent: Intent, events: BoardEvents): BoardSignals {
  const state = computed(() => room.game.value?.state);
  const variant = computed(() => room.game.value?.variant ?? 'standard');
  const unsent = computed(() => (room.pending.value?.unanswered ? room.pending.value.posted.move : null));
  const isPending = computed(() => room.pending.value !== null);
  const orientation = computed<Color>(() => {
    const mine = variant.value === 'racing_kings' ? 'white' : (room.myColor.value ?? 'white');
    return intent.flipped.value ? other(mine) : mine;
  });
  const handlers = {
    after: (from: string, to: string) => events.moved(from, to),
    afterNewPiece: (role: string, to: string) => events.dropped(role, to),
  };

  /** The board as a sheet of paper: both sides move, nothing is sent. */
  const planned = (shown: { fen: string; move: string | null }): Config => {
    const pos = position(variant.value, shown.fen);
    return {
      fen: shown.fen,
      orientation: orientation.value,
      turnColor: pos?.turn ?? 'white',
      check: pos?.isCheck() ? pos.turn : false,
      lastMove: shown.move ? (marked(shown.move) as Key[] | undefined) : undefined,
      highlight: { custom: new Map() },
      movable: {
        free: false,
        color: pos?.turn,
        dests: pos ? (dests(pos, variant.value) as Map<Key, Key[]>) : new Map(),
        rookCastle: variant.value !== 'chess960',
        events: handlers,
      },
      premovable: { enabled: false },
      predroppable: { enabled: false },
      drawable: { autoShapes: [] },
    };
  };

  const config = computed<Config>(() => {
    const plan = intent.plan.shown.value;
    if (plan) return planned(plan);
    const fen = room.shownFen.value;
    if (!fen) return { orientation: orientation.value, movable: { color: undefined, dests: new Map() } };
    const pos = position(variant.value, fen);
    const move = room.shownMove.value;
    const isPlaying = state.value === 'ACTIVE' && room.isLive.value;
    const mine = isPlaying ? (room.myColor.value ?? undefined) : undefined;
    const turn = pos?.turn ?? 'white';
    const mayMove = pos !== null && mine === turn && !isPending.value;
    const queue = mine ? intent.queue.value : [];
    return {
      fen: queue.length > 0 ? foreseen(fen, mine!, queue) : fen,
      orientation: orientation.value,
      turnColor: turn,
      check: pos?.isCheck() ? turn : false,
      lastMove: move ? (marked(move) as Key[] | undefined) : undefined,
      highlight: { custom: marks(queue, mayMove ? pos : null, intent.holding.value) },
      movable: {
        free: false,
        color: unsent.value ? undefined : mine,
        dests: mayMove ? (dests(pos, variant.value) as Map<Key, Key[]>) : new Map(),
        rookCastle: variant.value !== 'chess960',
        events: handlers,
      },
      premovable: {
        enabled: mine !== undefined,
        events: { set: (from, to) => events.premoved(from, to) },
      },
      predroppable: {
        enabled: mine !== undefined && variant.value === 'crazyhouse',
        events: { set: (role, to) => events.predropped(role, to) },
      },
      events: { select: (square) => events.clicked(square) },
      drawable: { autoShapes: arrow(unsent.value) },
    };
  });
  return { config, orientation };
}

/** The squares of planned moves, and where the piece in the hand may be put. */
function marks(queue: readonly string[], pos: Position | null, holding: string | null): SquareClasses {
  const all = new Map<Key, string>();
  for (const move of queue) for (const square of marked(move) ?? []) all.set(square as Key, 'current-premove');
  if (!holding || !pos) return all;
  for (const square of pos.dropDests()) {
    const isEdge = square < 8 || square > 55;
    if (holding !== 'pawn' || !isEdge) all.set(makeSquare(square) as Key, 'move-dest');
  }
  return all;
}

/** A move that is on its way, while the board shows what the server has. */
function arrow(uci: string | null) {
  const squares = uci ? marked(uci) : undefined;
  if (!squares) return [];
  const [from, to] = squares as Key[];
  return [{ orig: from!, dest: to, brush: 'paleBlue' }];
}
