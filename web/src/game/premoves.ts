// Moves planned ahead: the board shows where the pieces will stand if the opponent leaves them alone.
import type { Board } from 'chessops/board';
import { makeFen, parseFen } from 'chessops/fen';
import type { Role } from 'chessops/types';
import { charToRole, parseSquare, squareFile } from 'chessops/util';
import type { Color } from '../api/types';

/** The position in which all planned moves were made and nothing else. No rules: the server judges each in its turn. */
export function foreseen(fen: string, color: Color, moves: readonly string[]): string {
  return parseFen(fen).unwrap(
    (setup) => {
      for (const move of moves) put(setup.board, color, move);
      return makeFen(setup);
    },
    () => fen,
  );
}

function put(board: Board, color: Color, uci: string): void {
  if (uci[1] === '@') {
    const [role, to] = [charToRole(uci[0]!.toLowerCase() as 'p'), parseSquare(uci.slice(2, 4))];
    if (role && to !== undefined) board.set(to, { role, color });
    return;
  }
  const [from, to] = [parseSquare(uci.slice(0, 2)), parseSquare(uci.slice(2, 4))];
  if (from === undefined || to === undefined) return;
  const piece = board.take(from);
  if (!piece) return;
  const rook = piece.role === 'king' ? castled(board, color, from, to) : undefined;
  if (rook !== undefined) {
    board.take(rook);
    const [home, isShort] = [from - squareFile(from), rook > from];
    board.set(home + (isShort ? 6 : 2), piece);
    board.set(home + (isShort ? 5 : 3), { role: 'rook', color });
    return;
  }
  const became: Role = uci[4] ? charToRole(uci[4] as 'q') : piece.role;
  board.set(to, { ...piece, role: became });
}

/** The rook of a castling, written as two steps of the king or as the king that takes it. */
function castled(board: Board, color: Color, from: number, to: number): number | undefined {
  const isRook = (square: number) => board.get(square)?.role === 'rook' && board.get(square)?.color === color;
  if (isRook(to)) return to;
  const steps = to - from;
  if (Math.abs(steps) !== 2) return undefined;
  const corner = from - squareFile(from) + (steps > 0 ? 7 : 0);
  return isRook(corner) ? corner : undefined;
}
