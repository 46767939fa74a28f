// How a game ended, in words: what happened, and why.
import { parseFen } from 'chessops/fen';
import type { Color, Game } from '../api/types';
import { t } from '../text';

export interface Ending {
  /** `You win`, `White wins`, `Draw`. */
  readonly decided: string;
  /** `by checkmate`, `with the third check`. */
  readonly why: string;
}

export function ending(game: Game, mine: Color | null): Ending {
  const decided =
    game.winner && mine
      ? game.winner === mine
        ? t.results.youWin
        : t.results.youLose
      : (t.results[game.result ?? ''] ?? '');
  return { decided, why: why(game) };
}

function why(game: Game): string {
  if (game.reason !== 'variant_end') return t.reasons[game.reason ?? ''] ?? '';
  return t.endings[variantEnd(game)] ?? t.reasons.variant_end;
}

/** What of a variant's rules ended the game: where there are two, the board tells which. */
function variantEnd(game: Game): string {
  if (game.variant === 'racing_kings' && game.result === 'draw') return 'racing_kings_draw';
  if (game.variant === 'antichess' && game.winner && has(game.fen, game.winner as Color)) return 'antichess_stuck';
  return game.variant;
}

const has = (fen: string, color: Color): boolean =>
  parseFen(fen).unwrap(
    (setup) => setup.board[color].nonEmpty(),
    () => true,
  );

/** What the game did to a player's rating, if it did anything. */
export function ratingChange(game: Game, color: Color): number | null {
  const change = game.ratings?.[color];
  return change ? change.after - change.before : null;
}

export const signed = (points: number): string => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0');
