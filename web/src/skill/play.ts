// A skill match in the hand: what the board shows and allows, and what a click means.
import type { Config } from '@lichess-org/chessground/config';
import type { Key } from '@lichess-org/chessground/types';
import { computed, effect, type Signal } from '@preact/signals';
import { announce } from '../announce';
import { sounds } from '../sound';
import { t } from '../text';
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
}

const NAMES: Record<string, string> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' };

export function boardConfig(screen: MatchScreen) {
  const { room, chosen } = screen;
  return computed<Config>(() => {
    const snapshot = room.snapshot.value;
    if (!snapshot) return {};
    const mine = room.mine.value ?? 'white';
    const last = snapshot.board.moveHistory.at(-1);
    const mayMove = snapshot.phase === 'active' && snapshot.currentTurn === mine;
    const holder = snapshot.board.pieces.find((piece) =>
      piece.equippedSkills.some((skill) => skill.id === chosen.value),
    );
    const skill = holder?.equippedSkills.find((one) => one.id === chosen.value);
    const reach = holder && skill ? new Map([[key(holder.position), targets(snapshot, holder, skill.skillID)]]) : null;
    return {
      fen: fen(snapshot),
      orientation: mine,
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

export function hear({ room }: MatchScreen): () => void {
  let moves = -1;
  return effect(() => {
    const history = room.snapshot.value?.board.moveHistory;
    if (!history) return;
    const last = history.at(-1);
    if (moves >= 0 && history.length > moves && last) {
      (last.capturedPieceName ? sounds.capture : sounds.move)();
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
