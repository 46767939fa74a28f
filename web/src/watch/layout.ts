// How many boards stand side by side so that all are as big as can be.

/** What a board has around it: two names with clocks, and a frame. */
const AROUND = { width: 32, height: 104 };

export interface Layout {
  columns: number;
  /** The side of a card, in pixels. */
  size: number;
}

export function layout(boards: number, width: number, height: number): Layout {
  const size = (columns: number) => {
    const rows = Math.ceil(boards / columns);
    return Math.min(width / columns - AROUND.width, height / rows - AROUND.height);
  };
  const choices = Array.from({ length: Math.max(1, boards) }, (_, n) => n + 1);
  const columns = choices.reduce((best, next) => (size(next) > size(best) ? next : best));
  return { columns, size: Math.max(0, Math.floor(size(columns))) + AROUND.width - 14 };
}
