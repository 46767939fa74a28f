// Moves and variations as a tree. A place is known by its path: the moves that lead to it.
import { position, preview } from '../game/line';

export interface Place {
  /** The moves from the beginning in UCI, with spaces; empty at the root. */
  readonly path: string;
  readonly uci: string;
  readonly san: string;
  readonly fen: string;
  readonly ply: number;
  readonly parent: Place | null;
  /** The first is the main line from here. */
  children: Place[];
  /** Part of the game that was played: it cannot be deleted. */
  readonly isPlayed: boolean;
}

export function rootOf(fen: string): Place {
  return { path: '', uci: '', san: '', fen, ply: 0, parent: null, children: [], isPlayed: true };
}

/** The place after a move, made if it is not there. Null: the move is not legal here. */
export function add(place: Place, uci: string, variant: string, isPlayed = false): Place | null {
  const known = place.children.find((child) => child.uci === uci);
  if (known) return known;
  const pos = position(variant, place.fen);
  const after = pos && preview(pos, uci);
  if (!after) return null;
  const path = place.path === '' ? uci : `${place.path} ${uci}`;
  // The same move may have two names, as castling has.
  const twin = place.children.find((child) => child.fen === after.fen);
  if (twin) return twin;
  const child: Place = {
    path,
    uci,
    san: after.san,
    fen: after.fen,
    ply: place.ply + 1,
    parent: place,
    children: [],
    isPlayed,
  };
  place.children = [...place.children, child];
  return child;
}

/** Follows moves as far as they are legal, and says where that ends. */
export function follow(root: Place, moves: readonly string[], variant: string, isPlayed = false): Place {
  let at = root;
  for (const uci of moves) {
    const next = add(at, uci, variant, isPlayed);
    if (!next) break;
    at = next;
  }
  return at;
}

export function find(root: Place, path: string): Place | null {
  let at: Place | undefined = root;
  for (const uci of path.split(' ').filter(Boolean)) {
    at = at?.children.find((child) => child.uci === uci);
  }
  return at ?? null;
}

/** The end of the main line from a place. */
export function lastOf(place: Place): Place {
  let at = place;
  while (at.children[0]) at = at.children[0];
  return at;
}

/** The main line: the places after the root. */
export function mainLine(root: Place): Place[] {
  const line: Place[] = [];
  for (let at = root.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** The first place of the variation that this one is in; null on the main line. */
export function branchOf(place: Place): Place | null {
  for (let at: Place | null = place; at?.parent; at = at.parent) {
    if (at.parent.children[0] !== at) return at;
  }
  return null;
}

/** Takes a variation away, and says where to be then. What was played stays. */
export function remove(place: Place): Place {
  const { parent } = place;
  if (!parent || place.isPlayed) return place;
  parent.children = parent.children.filter((child) => child !== place);
  return parent;
}

/** Puts a variation first among its kind, behind what was played. */
export function promote(place: Place): void {
  const { parent } = place;
  if (!parent) return;
  const others = parent.children.filter((child) => child !== place);
  const played = others.filter((child) => child.isPlayed);
  parent.children = [...played, place, ...others.filter((child) => !child.isPlayed)];
}

/** The ends of all lines, so that the tree can be built again. */
export function leaves(root: Place): string[] {
  if (root.children.length === 0) return root.path === '' ? [] : [root.path];
  return root.children.flatMap(leaves);
}

/** `3.` before White's move, `3…` where Black's begins a line. */
export function numbered(place: Place, isFirst: boolean): string {
  const [, turn, , , , full] = place.parent!.fen.split(' ');
  const n = full ?? String(Math.floor((place.ply + 1) / 2));
  if (turn === 'w') return `${n}.`;
  return isFirst ? `${n}…` : '';
}
