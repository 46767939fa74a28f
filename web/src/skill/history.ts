// The board at every half-move of a skill match, played from the beginning: the server tells only how it is now.
import { Board } from 'chessops/board';
import { makeBoardFen } from 'chessops/fen';
import { t } from '../text';
import { key } from './position';
import type { MoveRecord, Place } from './types';

const index = ({ row, column }: Place): number => 8 * row + column;

/** One placement more than there are moves. */
export function placements(moves: readonly MoveRecord[]): string[] {
  const board = Board.default();
  const all = [makeBoardFen(board)];
  for (const move of moves) {
    play(board, move);
    all.push(makeBoardFen(board));
  }
  return all;
}

function play(board: Board, move: MoveRecord): void {
  const [from, to] = [index(move.from), index(move.to)];
  const piece = board.take(from);
  if (!piece) return;
  const isFree = board.get(to) === undefined;
  const across = move.to.column - move.from.column;
  // What a pawn takes in passing stands beside it; a rook comes along when its king castles.
  if (piece.role === 'pawn' && across !== 0 && isFree && move.capturedPieceName)
    board.take(index({ row: move.from.row, column: move.to.column }));
  if (piece.role === 'king' && Math.abs(across) === 2 && !move.skillID) {
    const home = 8 * move.from.row;
    const rook = board.take(home + (across > 0 ? 7 : 0));
    if (rook) board.set(home + (across > 0 ? 5 : 3), rook);
  }
  const role = (move.promotionPieceName as typeof piece.role | null) ?? piece.role;
  board.set(to, { ...piece, role });
}

/** `Bc1xc4 ✦Deadeye`. */
export function written(move: MoveRecord): string {
  const letter = (name: string) => (name === 'knight' ? 'N' : name[0]!.toUpperCase());
  const piece = move.pieceName === 'pawn' ? '' : letter(move.pieceName);
  const skill = move.skillID ? ` ✦${t.skill.names[move.skillID] ?? move.skillID}` : '';
  const became = move.promotionPieceName ? `=${letter(move.promotionPieceName)}` : '';
  return `${piece}${key(move.from)}${move.capturedPieceName ? 'x' : '–'}${key(move.to)}${became}${skill}`;
}
