// The board as a table that a screen reader can walk through. Eyes see a sign, ears hear a word.
import { parseFen } from 'chessops/fen';
import { t } from '../text';
import type { Screen } from './game';

const FILES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const RANKS = [8, 7, 6, 5, 4, 3, 2, 1];
const SIGNS: Record<string, string> = { king: '♚', queen: '♛', rook: '♜', bishop: '♝', knight: '♞', pawn: '♟' };

export function TextBoard({ screen: { room } }: { screen: Screen }) {
  const board = parseFen(room.shownFen.value ?? '').unwrap(
    (setup) => setup.board,
    () => null,
  );
  if (!board) return null;
  const cell = (file: number, rank: number) => {
    const piece = board.get(8 * (rank - 1) + file);
    if (!piece) return <td key={file}>·</td>;
    return (
      <td key={file}>
        <span class="unseen">
          {piece.color === 'white' ? t.game.white : t.game.black} {t.pieces[piece.role]}
        </span>
        <span class={`sign ${piece.color}`} aria-hidden="true">
          {SIGNS[piece.role]}
        </span>
      </td>
    );
  };
  return (
    <table class="text-board">
      <caption>{t.spoken.board}</caption>
      <thead>
        <tr>
          <td />
          {FILES.map((file) => (
            <th key={file} scope="col">
              {file}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {RANKS.map((rank) => (
          <tr key={rank}>
            <th scope="row">{rank}</th>
            {FILES.map((_, file) => cell(file, rank))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
