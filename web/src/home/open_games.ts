// The games of the lobby as they come and go. Each keeps its place while it waits, and for a moment after.
import type { Game } from '../api/types';

export type LobbyMessage =
  { type: 'STATE'; games: Game[] } | { type: 'OPENED'; game: Game } | { type: 'GONE'; game_id: string };

export interface Row {
  readonly game: Game;
  /** Since when it waits no longer: it stays, and cannot be joined, lest another takes its place under a finger. */
  readonly goneAt: number | null;
}

const STAYS_MS = 4_000;

/** The lobby after a message. Whoever comes stands at the end. */
export function heard(rows: readonly Row[], message: LobbyMessage, nowMs: number): Row[] {
  switch (message.type) {
    case 'STATE': {
      const waiting = new Map(message.games.map((game) => [game.id, game]));
      const known = rows.map((row) => (waiting.has(row.game.id) ? row : gone(row, nowMs)));
      return message.games.reduce(opened, known);
    }
    case 'OPENED':
      return opened(rows, message.game);
    case 'GONE':
      return rows.map((row) => (row.game.id === message.game_id ? gone(row, nowMs) : row));
    default:
      return [...rows];
  }
}

const gone = (row: Row, nowMs: number): Row => ({ ...row, goneAt: row.goneAt ?? nowMs });

function opened(rows: readonly Row[], game: Game): Row[] {
  const at = rows.findIndex((row) => row.game.id === game.id);
  return at < 0 ? [...rows, { game, goneAt: null }] : rows.with(at, { game, goneAt: null });
}

/** Without those that have been gone for long enough. */
export const swept = (rows: readonly Row[], nowMs: number): Row[] =>
  rows.filter(({ goneAt }) => goneAt === null || nowMs - goneAt < STAYS_MS);
