// A skill match in the hand: what the board shows and allows, and what a click means.
import type { Config } from '@lichess-org/chessground/config';
import type { Key } from '@lichess-org/chessground/types';
import { computed, effect, type Signal } from '@preact/signals';
import { announce } from '../announce';
import type { Color } from '../api/types';
import { sounds } from '../sound';
import { t } from '../text';
import { placements } from './history';
import { dests, fen, isPromotion, key, pieceAt, place, targets } from './position';
import type { MatchRoom } from './room';
import type { Snapshot } from './types';

interface Choosing {
  from: string;
  to: string;
}

export interface MatchScreen {
  room: MatchRoom;
  /** Draft: the skill to be placed. Play: the id of the equipped skill to be used. */
  chosen: Signal<string | null>;
  promoting: Signal<Choosing | null>;
  /** An earlier position that is looked at; null is the match as it is. */
  viewed: Signal<number | null>;
  flipped: Signal<boolean>;
}

const NAMES: Record<string, string> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' };

export function boardConfig(screen: MatchScreen) {
  const { room, chosen, viewed } = screen;
  return computed<Config>(() => {
    const snapshot = room.snapshot.value;
    if (!snapshot) return {};
    const mine = room.mine.value ?? 'white';
    const orientation = bottom(screen);
    const ply = viewed.value;
    if (ply !== null) return past(snapshot, ply, orientation);
    const last = snapshot.board.moveHistory.at(-1);
    const mayMove = snapshot.phase === 'active' && snapshot.currentTurn === mine;
    const holder = snapshot.board.pieces.find((piece) =>
      piece.equippedSkills.some((skill) => skill.id === chosen.value),
    );
    const skill = holder?.equippedSkills.find((one) => one.id === chosen.value);
    const reach = holder && skill ? new Map([[key(holder.position), targets(snapshot, holder, skill.skillID)]]) : null;
    return {
      fen: fen(snapshot),
      orientation,
      turnColor: snapshot.phase === 'active' ? snapshot.currentTurn : mine,
      check: snapshot.status.inCheck ? snapshot.currentTurn : false,
      lastMove: last ? ([key(last.from), key(last.to)] as Key[]) : undefined,
      selected: reach && holder ? (key(holder.position) as Key) : undefined,
      highlight: { custom: marks(snapshot, mine) },
      movable: {
        free: false,
        color: mayMove ? mine : undefined,
        dests: mayMove ? ((reach ?? dests(snapshot)) as Map<Key, Key[]>) : new Map(),
        events: { after: (from, to) => moved(screen, from, to) },
      },
      premovable: { enabled: false },
      events: { select: (square) => picked(screen, square) },
    };
  });
}

/** Who sits at the bottom. */
export function bottom({ room, flipped }: MatchScreen): Color {
  const mine = room.mine.value ?? 'white';
  return flipped.value ? (mine === 'white' ? 'black' : 'white') : mine;
}

/** An earlier position, to be looked at only. */
function past(snapshot: Snapshot, ply: number, orientation: Color): Config {
  const moves = snapshot.board.moveHistory;
  const move = moves[ply - 1];
  return {
    fen: placements(moves)[ply],
    orientation,
    check: false,
    lastMove: move ? ([key(move.from), key(move.to)] as Key[]) : undefined,
    selected: undefined,
    highlight: { custom: new Map() },
    movable: { color: undefined, dests: new Map() },
    premovable: { enabled: false },
  };
}

/** Shows an earlier position; whoever steps past the last is back in the match. */
export function view({ room, viewed }: MatchScreen, ply: number | null): void {
  const last = room.snapshot.value?.board.moveHistory.length ?? 0;
  viewed.value = ply === null || ply >= last ? null : Math.max(0, ply);
}

/** Where the skills are: one's own while drafting, all that are unused later. */
function marks(snapshot: Snapshot, mine: string): Map<Key, string> {
  const drafted = snapshot.draft.selections.filter((s) => s.color === mine && s.position).map((s) => key(s.position!));
  const held = snapshot.board.pieces
    .filter((p) => p.equippedSkills.some((s) => !s.hasBeenUsed))
    .map((p) => key(p.position));
  return new Map((snapshot.phase === 'drafting' ? drafted : held).map((square) => [square as Key, 'skill']));
}

/** In the draft a click on an own piece places the chosen skill. */
function picked({ room, chosen }: MatchScreen, square: string): void {
  const snapshot = room.snapshot.value;
  if (snapshot?.phase !== 'drafting' || !chosen.value) return;
  const skillID = chosen.value;
  if (pieceAt(snapshot, square)?.pieceColor !== room.mine.value) return;
  chosen.value = null;
  void room.act('updateDraftSelection', { skillID, position: place(square) });
}

function moved(screen: MatchScreen, from: string, to: string): void {
  const piece = pieceAt(screen.room.snapshot.value!, from);
  if (piece && isPromotion(piece, to)) screen.promoting.value = { from, to };
  else void send(screen, from, to, null);
}

export function finish(screen: MatchScreen, piece: string | null): void {
  const choosing = screen.promoting.value;
  screen.promoting.value = null;
  if (choosing && piece) void send(screen, choosing.from, choosing.to, NAMES[piece]!);
  else refreshBoard(screen);
}

async function send(screen: MatchScreen, from: string, to: string, promotionPieceName: string | null): Promise<void> {
  const equippedSkillID = screen.chosen.value;
  // Our own move is heard when it is made.
  (pieceAt(screen.room.snapshot.value!, to) ? sounds.capture : sounds.move)();
  const done = await screen.room.act('makeMove', {
    move: { from: place(from), to: place(to), promotionPieceName, equippedSkillID },
  });
  screen.chosen.value = null;
  if (!done) refreshBoard(screen);
}

/** The board shows what the server has. */
function refreshBoard({ room }: MatchScreen): void {
  if (room.snapshot.value) room.snapshot.value = { ...room.snapshot.value };
}

export function hear({ room, viewed }: MatchScreen): () => void {
  let moves = -1;
  let offer: Color | null = null;
  return effect(() => {
    const snapshot = room.snapshot.value;
    if (!snapshot) return;
    const history = snapshot.board.moveHistory;
    const last = history.at(-1);
    const mine = room.mine.value;
    const offered = snapshot.drawOfferedBy ?? null;
    if (moves >= 0 && offered && offered !== offer && offered !== mine) sounds.notice();
    if (offer && offer === mine && !offered && snapshot.phase === 'active') room.info.value = t.game.drawDeclined;
    offer = offered;
    if (moves >= 0 && history.length > moves && last) {
      viewed.value = null;
      if (last.pieceColor !== mine) (last.capturedPieceName ? sounds.capture : sounds.move)();
      announce(
        t.spoken.moved(
          last.pieceColor === 'white' ? t.game.white : t.game.black,
          `${t.pieces[last.pieceName]} ${key(last.from)} ${key(last.to)}`,
        ),
      );
    }
    moves = history.length;
  });
}
