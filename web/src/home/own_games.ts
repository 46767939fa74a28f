// Which games are our own: those that wait for us, those going on, the last finished ones.
import type { Game, GamePage } from '../api/types';

export type Place = 'waits' | 'going' | 'finished' | 'gone';

/** Where a game of ours belongs. */
export function placeOf(game: Game, id: string): Place {
  if (game.state === 'COMPLETED') return game.started_at ? 'finished' : 'gone';
  if (game.state === 'WAITING') return game.creator === id ? 'going' : 'waits';
  const mine = game.white === id ? 'white' : 'black';
  return game.state === 'ACTIVE' && game.to_move === mine ? 'waits' : 'going';
}

/** How the server is asked. */
export interface Asks {
  list(query: Record<string, string>): Promise<GamePage>;
  challenges(): Promise<{ in: Game[] }>;
}

/** As many finished ones are shown; those that were withdrawn before they began are listed among them and are no games. */
export const FINISHED_MAX = 5;
const FINISHED_ASKED = 15;
const PAGE = 100;
const PAGES_MAX = 5;

/**
 * Asked for by state: a game that was begun long ago waits just as much as the newest, and finished ones, however many,
 * keep nothing off the list.
 */
export async function ownGames(id: string, { list, challenges }: Asks): Promise<Game[]> {
  const all = async (state: string): Promise<Game[]> => {
    const games: Game[] = [];
    let cursor: string | null | undefined;
    for (let page = 0; page < PAGES_MAX && cursor !== null; page++) {
      const found = await list({ player: id, state, limit: String(PAGE), ...(cursor ? { cursor } : {}) });
      games.push(...found.games);
      cursor = found.next_cursor ?? null;
    }
    return games;
  };
  const parts = await Promise.all([
    challenges().then((found) => found.in),
    ...['ACTIVE', 'PAUSED', 'WAITING'].map(all),
    list({ player: id, state: 'COMPLETED', limit: String(FINISHED_ASKED) }).then((found) => found.games),
  ]);
  // A game that changed its state between two answers is in both.
  const newest = new Map<string, Game>();
  for (const game of parts.flat()) if ((newest.get(game.id)?.version ?? 0) <= game.version) newest.set(game.id, game);
  return [...newest.values()];
}

/** Those of one place, as they are shown: what runs out first comes first. */
export function shownAt(games: readonly Game[], place: Place, id: string): Game[] {
  const there = games.filter((game) => placeOf(game, id) === place);
  if (place === 'waits') return there.sort((a, b) => urgency(a) - urgency(b));
  return place === 'finished' ? there.slice(0, FINISHED_MAX) : there;
}

const urgency = (game: Game): number => Date.parse(game.move_deadline ?? '') || 0;
