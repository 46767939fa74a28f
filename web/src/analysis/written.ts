// PGN in and out of the analysis board, with variations and notes.
import type { DrawShape } from '@lichess-org/chessground/draw';
import { makeFen, parseFen } from 'chessops/fen';
import {
  ChildNode,
  makeComment,
  makePgn,
  Node,
  parseComment,
  parsePgn,
  startingPosition,
  type Comment,
  type CommentShape,
  type CommentShapeColor,
  type Game as PgnGame,
  type PgnNodeData,
} from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import { makeSquare, makeUci, parseSquare } from 'chessops/util';
import type { Position } from 'chessops/chess';
import { position } from '../game/line';
import { add, rootOf, type Place } from './tree';

export interface Marks {
  notes: Record<string, string>;
  shapes: Record<string, DrawShape[]>;
}

export interface Read extends Marks {
  variant: string;
  root: Place;
  headers: Map<string, string>;
}

const VARIANTS: Record<string, string> = {
  chess: 'standard',
  antichess: 'antichess',
  atomic: 'atomic',
  crazyhouse: 'crazyhouse',
  horde: 'horde',
  kingofthehill: 'king_of_the_hill',
  racingkings: 'racing_kings',
  '3check': 'three_check',
};
const BRUSHES: CommentShapeColor[] = ['green', 'red', 'yellow', 'blue'];

/** A pasted position or game. Null: it is neither. */
export function read(text: string, variant: string): Read | null {
  const clean = text.trim();
  if (clean === '') return null;
  return readFen(clean, variant) ?? readPgn(clean);
}

function readFen(text: string, variant: string): Read | null {
  if (text.includes('\n') || !parseFen(text).isOk) return null;
  const pos = position(variant, text);
  return pos && { variant, root: rootOf(makeFen(pos.toSetup())), headers: new Map(), notes: {}, shapes: {} };
}

function readPgn(text: string): Read | null {
  const game = parsePgn(text)[0];
  if (!game || (!game.moves.children.length && !game.headers.has('FEN'))) return null;
  return startingPosition(game.headers).unwrap(
    (pos) => {
      const is960 = /960|fischer/i.test(game.headers.get('Variant') ?? '');
      const variant = is960 ? 'chess960' : (VARIANTS[pos.rules] ?? 'standard');
      const root = rootOf(makeFen(pos.toSetup()));
      const marks: Marks = { notes: {}, shapes: {} };
      note(marks, root, game.comments);
      grow(root, pos, game.moves, variant, marks);
      return root.children.length || game.headers.has('FEN')
        ? { variant, root, headers: game.headers, ...marks }
        : null;
    },
    () => null,
  );
}

/** Takes moves over while they are legal. */
function grow(place: Place, pos: Position, node: Node<PgnNodeData>, variant: string, marks: Marks): void {
  for (const child of node.children) {
    const move = parseSan(pos, child.data.san);
    const next = move && add(place, makeUci(move), variant);
    if (!move || !next) continue;
    note(marks, next, child.data.comments);
    const after = pos.clone();
    after.play(move);
    grow(next, after, child, variant, marks);
  }
}

function note(marks: Marks, place: Place, comments: string[] | undefined): void {
  const parsed = (comments ?? []).map(parseComment);
  const text = parsed
    .map((comment) => comment.text)
    .filter(Boolean)
    .join(' ');
  const shapes = parsed.flatMap((comment) => comment.shapes).map(drawn);
  if (text) marks.notes[place.path] = text;
  if (shapes.length > 0) marks.shapes[place.path] = shapes;
}

const drawn = ({ color, from, to }: CommentShape): DrawShape => ({
  orig: makeSquare(from),
  dest: from === to ? undefined : makeSquare(to),
  brush: color,
});

function written(shape: DrawShape): CommentShape[] {
  const [from, to] = [parseSquare(shape.orig), parseSquare(shape.dest ?? shape.orig)];
  if (from === undefined || to === undefined) return [];
  const color = BRUSHES.find((brush) => brush === shape.brush) ?? 'green';
  return [{ color, from, to }];
}

/** The tree as PGN, with variations, notes and arrows. */
export function write(root: Place, marks: Marks, headers: Record<string, string>): string {
  const comments = (place: Place): string[] => {
    const comment: Partial<Comment> = {
      text: marks.notes[place.path] ?? '',
      shapes: (marks.shapes[place.path] ?? []).flatMap(written),
    };
    const text = makeComment(comment);
    return text ? [text] : [];
  };
  const copy = (from: Place, to: Node<PgnNodeData>): void => {
    for (const child of from.children) {
      const node = new ChildNode<PgnNodeData>({ san: child.san, comments: comments(child) });
      to.children.push(node);
      copy(child, node);
    }
  };
  const moves = new Node<PgnNodeData>();
  copy(root, moves);
  const game: PgnGame<PgnNodeData> = { headers: new Map(Object.entries(headers)), comments: comments(root), moves };
  return makePgn(game);
}
