// The board as a table that a screen reader can walk through.
import { parseFen } from 'chessops/fen';
import { t } from '../text';
import type { Screen } from './game';

const FILES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const RANKS = [8, 7, 6, 5, 4, 3, 2, 1];

export function TextBoard({ screen: { room } }: { screen: Screen }) {
  const board = parseFen(room.shownFen.value ?? '').unwrap(
    (setup) => setup.board,
    () => null,
  );
  if (!board) return null;
  const words = (file: number, rank: number): string => {
    const piece = board.get(8 * (rank - 1) + file);
    if (!piece) return '·';
    return `${piece.color === 'white' ? t.game.white : t.game.black} ${t.pieces[piece.role]}`;
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
            {FILES.map((name, file) => (
              <td key={name}>{words(file, rank)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
