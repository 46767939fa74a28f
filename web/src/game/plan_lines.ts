// Lines of conditional moves: their move, my answer, their move, my answer. One answer to each of their moves.

export type Line = readonly string[];

const startsWith = (line: Line, other: Line): boolean => other.every((move, n) => line[n] === move);

/** Whether the two give different answers to the same moves. */
function contradicts(old: Line, line: Line): boolean {
  const at = line.findIndex((move, n) => old[n] !== move);
  // The first difference is in an answer, which has an odd place; theirs may differ as they like.
  return at >= 0 && at < old.length && at % 2 === 1;
}

/** All lines with one more. What it repeats or contradicts gives way to it. */
export function withLine(lines: readonly Line[], line: Line): Line[] {
  return [...lines.filter((old) => !startsWith(line, old) && !contradicts(old, line)), line];
}

/** A line that ends with an answer: a move of theirs without one says nothing. */
export const complete = (line: Line): Line => (line.length % 2 === 0 ? line : line.slice(0, -1));
