// The game as a row of positions, from the moves that the server sent. Nothing here decides: chessops draws
// previews and finds destinations, the server judges.
import { chessgroundDests } from 'chessops/compat';
import { makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import type { Rules } from 'chessops/types';
import { makeUci, parseUci, squareRank } from 'chessops/util';
import { setupPosition } from 'chessops/variant';
import type { Position } from 'chessops/chess';

export type Squares = [string, string] | [string];

const RULES: Record<string, Rules> = {
  standard: 'chess',
  chess960: 'chess',
  antichess: 'antichess',
  atomic: 'atomic',
  crazyhouse: 'crazyhouse',
  horde: 'horde',
  king_of_the_hill: 'kingofthehill',
  racing_kings: 'racingkings',
  three_check: '3check',
};

/** A position of that variant, if there is one. */
export function position(variant: string, fen: string): Position | null {
  const rules = RULES[variant];
  if (!rules) return null;
  return parseFen(fen).unwrap(
    (setup) =>
      setupPosition(rules, setup).unwrap(
        (pos) => pos,
        () => null,
      ),
    () => null,
  );
}

/** The squares a move is marked on: from and to, or where a piece was dropped. */
export function marked(uci: string): Squares | undefined {
  if (uci[1] === '@') return [uci.slice(2, 4)];
  return uci.length >= 4 ? [uci.slice(0, 2), uci.slice(2, 4)] : undefined;
}

/** The positions after each half-move, the first one included. */
export function fens(variant: string, initial: string, moves: readonly string[]): string[] {
  const pos = position(variant, initial);
  const all = [initial];
  if (!pos) return all;
  for (const text of moves) {
    const move = parseUci(text);
    if (!move) break;
    pos.play(move);
    all.push(makeFen(pos.toSetup()));
  }
  return all;
}

/** Where each piece may go. In Chess960 the king castles by taking its rook. */
export function dests(pos: Position, variant: string): Map<string, string[]> {
  return chessgroundDests(pos, { chess960: variant === 'chess960' });
}

/** What a pawn may become, if the move is a promotion. */
export function promotions(pos: Position, from: string, to: string, variant: string): string[] {
  const move = parseUci(from + to);
  if (!move || !('from' in move)) return [];
  const rank = squareRank(move.to);
  if (pos.board.get(move.from)?.role !== 'pawn' || (rank !== 0 && rank !== 7)) return [];
  return variant === 'antichess' ? ['q', 'n', 'r', 'b', 'k'] : ['q', 'n', 'r', 'b'];
}

export interface Previewed {
  fen: string;
  san: string;
  uci: string;
}

/** What the board looks like after a move, before the server has said so. */
export function preview(pos: Position, uci: string): Previewed | null {
  const move = parseUci(uci);
  if (!move || !pos.isLegal(move)) return null;
  const next = pos.clone();
  const san = makeSan(pos, move);
  next.play(move);
  return { fen: makeFen(next.toSetup()), san, uci };
}

/** A typed move, in SAN or UCI, as UCI; null if it means no legal move here. */
export function typed(pos: Position, text: string): string | null {
  const clean = text
    .trim()
    .replace(/^0-0-0/, 'O-O-O')
    .replace(/^0-0/, 'O-O')
    .replace(/^o-o-o$/i, 'O-O-O')
    .replace(/^o-o$/i, 'O-O');
  const uci = parseUci(clean.toLowerCase().replace('-', '').replace('=', ''));
  const move =
    uci && pos.isLegal(uci)
      ? uci
      : (parseSan(pos, clean) ?? parseSan(pos, clean.charAt(0).toUpperCase() + clean.slice(1)));
  if (!move) return null;
  return makeUci(move);
}
