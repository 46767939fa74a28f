// A skill match's board as chess positions. The server judges; this finds what to offer.
import { attacks } from 'chessops/attacks';
import { Board } from 'chessops/board';
import { Chess } from 'chessops/chess';
import { makeBoardFen } from 'chessops/fen';
import type { Setup } from 'chessops/setup';
import { SquareSet } from 'chessops/squareSet';
import { chessgroundDests } from 'chessops/compat';
import type { Color } from '../api/types';
import type { Piece, Place, Snapshot } from './types';

/** Row 0 is White's back rank, column 0 the a-file. */
export const key = ({ row, column }: Place): string => `${'abcdefgh'[column]}${row + 1}`;
export const place = (square: string): Place => ({ row: Number(square[1]) - 1, column: square.charCodeAt(0) - 97 });
const index = ({ row, column }: Place): number => 8 * row + column;

export const pieceAt = (snapshot: Snapshot, square: string): Piece | undefined =>
  snapshot.board.pieces.find((piece) => key(piece.position) === square);

function board(pieces: readonly Piece[]): Board {
  const all = Board.empty();
  for (const piece of pieces) all.set(index(piece.position), { role: piece.pieceName, color: piece.pieceColor });
  return all;
}

export const fen = (snapshot: Snapshot): string => makeBoardFen(board(snapshot.board.pieces));

/** Whoever has not moved may castle; the square behind a pawn that just made two steps can be taken. */
function setup(snapshot: Snapshot, turn: Color): Setup {
  const fresh = (piece: Piece) => piece.moveCount === 0;
  const kings = new Set(
    snapshot.board.pieces.filter((p) => p.pieceName === 'king' && fresh(p)).map((p) => p.pieceColor),
  );
  const home = (p: Piece) => p.position.row === (p.pieceColor === 'white' ? 0 : 7);
  let castlingRights = SquareSet.empty();
  for (const piece of snapshot.board.pieces) {
    if (piece.pieceName === 'rook' && fresh(piece) && home(piece) && kings.has(piece.pieceColor))
      castlingRights = castlingRights.with(index(piece.position));
  }
  const last = snapshot.board.moveHistory.at(-1);
  const leapt = last?.pieceName === 'pawn' && !last.skillID && Math.abs(last.to.row - last.from.row) === 2;
  const epSquare =
    last && leapt ? index({ row: (last.from.row + last.to.row) / 2, column: last.to.column }) : undefined;
  return {
    board: board(snapshot.board.pieces),
    pockets: undefined,
    turn,
    castlingRights,
    epSquare,
    remainingChecks: undefined,
    halfmoves: 0,
    fullmoves: 1,
  };
}

/** Where the pieces of the side to move may go without a skill. */
export function dests(snapshot: Snapshot): Map<string, string[]> {
  return Chess.fromSetup(setup(snapshot, snapshot.currentTurn)).unwrap(
    (pos) => chessgroundDests(pos),
    () => new Map(),
  );
}

/** How far each skill reaches, on the board as it is. */
const REACH: Record<string, (from: number, occupied: SquareSet) => SquareSet> = {
  shadowstep: (from, occupied) => attacks({ role: 'king', color: 'white' }, from, occupied),
  knightfall: (from, occupied) => attacks({ role: 'knight', color: 'white' }, from, occupied),
  deadeye: (from, occupied) => attacks({ role: 'queen', color: 'white' }, from, occupied),
};

/** What a piece may capture with a skill: never a king, and never leaving its own king in check. */
export function targets(snapshot: Snapshot, piece: Piece, skillID: string): string[] {
  const reach = REACH[skillID];
  if (!reach) return [];
  const all = board(snapshot.board.pieces);
  const from = index(piece.position);
  const found = [...reach(from, all.occupied)].filter((to) => {
    const victim = all.get(to);
    if (!victim || victim.color === piece.pieceColor || victim.role === 'king') return false;
    const next = setup(snapshot, piece.pieceColor === 'white' ? 'black' : 'white');
    next.board.take(from);
    next.board.set(to, { role: piece.pieceName, color: piece.pieceColor });
    const own = next.board.kingOf(piece.pieceColor);
    if (own === undefined) return true;
    const enemies = next.board[piece.pieceColor === 'white' ? 'black' : 'white'];
    return ![...enemies].some((square) => attacks(next.board.get(square)!, square, next.board.occupied).has(own));
  });
  return found.map((to) => key({ row: to >> 3, column: to & 7 }));
}

export const isPromotion = (piece: Piece, to: string): boolean =>
  piece.pieceName === 'pawn' && to[1] === (piece.pieceColor === 'white' ? '8' : '1');
