// What the board shows and allows, as one signal. It depends on plain values only: ticking clocks leave it alone.
import type { Config } from '@lichess-org/chessground/config';
import type { Key } from '@lichess-org/chessground/types';
import { computed, type ReadonlySignal } from '@preact/signals';
import type { Color } from '../api/types';
import { dests, marked, position } from './line';
import type { GameRoom } from './room';

export interface BoardEvents {
  moved(from: string, to: string, isPremove: boolean): void;
  dropped(role: string, to: string): void;
  premoved(from: string, to: string): void;
}

export interface BoardSignals {
  readonly config: ReadonlySignal<Config>;
  readonly orientation: ReadonlySignal<Color>;
}

const other = (color: Color): Color => (color === 'white' ? 'black' : 'white');

export function boardConfig(room: GameRoom, flipped: ReadonlySignal<boolean>, events: BoardEvents): BoardSignals {
  const state = computed(() => room.game.value?.state);
  const variant = computed(() => room.game.value?.variant ?? 'standard');
  const unsent = computed(() => (room.pending.value?.unanswered ? room.pending.value.posted.move : null));
  const isPending = computed(() => room.pending.value !== null);
  const orientation = computed<Color>(() => {
    const mine = variant.value === 'racing_kings' ? 'white' : (room.myColor.value ?? 'white');
    return flipped.value ? other(mine) : mine;
  });

  const config = computed<Config>(() => {
    const fen = room.shownFen.value;
    if (!fen) return { orientation: orientation.value, movable: { color: undefined, dests: new Map() } };
    const pos = position(variant.value, fen);
    const move = room.shownMove.value;
    const isPlaying = state.value === 'ACTIVE' && room.isLive.value;
    const mine = isPlaying ? (room.myColor.value ?? undefined) : undefined;
    const turn = pos?.turn ?? 'white';
    const mayMove = pos !== null && mine === turn && !isPending.value;
    return {
      fen,
      orientation: orientation.value,
      turnColor: turn,
      check: pos?.isCheck() ? turn : false,
      lastMove: move ? (marked(move) as Key[] | undefined) : undefined,
      movable: {
        free: false,
        color: unsent.value ? undefined : mine,
        dests: mayMove ? (dests(pos, variant.value) as Map<Key, Key[]>) : new Map(),
        rookCastle: variant.value !== 'chess960',
        events: {
          after: (from, to, { premove }) => events.moved(from, to, premove),
          afterNewPiece: (role, to) => events.dropped(role, to),
        },
      },
      premovable: { enabled: mine !== undefined, events: { set: (from, to) => events.premoved(from, to) } },
      predroppable: { enabled: mine !== undefined && variant.value === 'crazyhouse' },
      drawable: { autoShapes: arrow(unsent.value) },
    };
  });
  return { config, orientation };
}

/** A move that is on its way, while the board shows what the server has. */
function arrow(uci: string | null) {
  const squares = uci ? marked(uci) : undefined;
  if (!squares) return [];
  const [from, to] = squares as Key[];
  return [{ orig: from!, dest: to, brush: 'paleBlue' }];
}
