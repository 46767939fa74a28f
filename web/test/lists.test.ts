import { describe, expect, it } from 'vitest';
import type { Game } from '../src/api/types';
import { ownGames, placeOf, shownAt } from '../src/home/own_games';

const game = (id: string, more: Partial<Game> = {}) => ({ id, version: 1, state: 'WAITING', ...more }) as Game;
const ids = (games: readonly { id: string }[]) => games.map(({ id }) => id).join(' ');

describe('our own games', () => {
  const mine = { white: 'ann', black: 'bob', to_move: 'white', started_at: '2026-01-01T00:00:00Z' } as const;

  /** A server that lists newest first, as many as it is asked for. */
  function server(games: Game[], made: Game[] = []) {
    const asked: Record<string, string>[] = [];
    const list = async (query: Record<string, string>) => {
      asked.push(query);
      const found = games.filter(({ state }) => state === query.state);
      const from = Number(query.cursor ?? 0);
      const to = from + Number(query.limit);
      return { games: found.slice(from, to), next_cursor: to < found.length ? String(to) : null };
    };
    return { asked, list, challenges: async () => ({ in: made }) };
  }

  it('are all there, however many newer ones are over or wait for others', async () => {
    const over = Array.from({ length: 200 }, (_, n) => game(`over${n}`, { ...mine, state: 'COMPLETED' }));
    const old = [game('old', { ...mine, state: 'ACTIVE' }), game('still', { ...mine, state: 'PAUSED' })];
    const invited = game('invited', { creator: 'bob', opponent: 'ann' });
    const found = await ownGames('ann', server([...over, ...old], [invited]));
    expect(ids(shownAt(found, 'waits', 'ann'))).toBe('invited old');
    expect(ids(shownAt(found, 'going', 'ann'))).toBe('still');
    expect(shownAt(found, 'finished', 'ann')).toHaveLength(5);
  });

  it('are asked for by their state, few of those that are over, and page by page if there are many', async () => {
    const many = Array.from({ length: 150 }, (_, n) => game(`g${n}`, { ...mine, state: 'ACTIVE' }));
    const { asked, ...asks } = server(many);
    expect(await ownGames('ann', asks)).toHaveLength(150);
    expect(asked.map(({ state }) => state).sort()).toEqual(['ACTIVE', 'ACTIVE', 'COMPLETED', 'PAUSED', 'WAITING']);
    expect(Number(asked.find(({ state }) => state === 'COMPLETED')!.limit)).toBeLessThan(20);
  });

  it('are there once: as the newest answer has them', async () => {
    const before = game('x', { ...mine, state: 'WAITING', version: 1 });
    const after = game('x', { ...mine, state: 'ACTIVE', version: 2 });
    expect(await ownGames('ann', server([after, before], [before]))).toEqual([after]);
  });

  it('wait for us if we are to move or invited; what was withdrawn is no game', () => {
    expect(placeOf(game('a', { ...mine, state: 'ACTIVE' }), 'ann')).toBe('waits');
    expect(placeOf(game('a', { ...mine, state: 'ACTIVE' }), 'bob')).toBe('going');
    expect(placeOf(game('a', { creator: 'ann' }), 'ann')).toBe('going');
    expect(placeOf(game('a', { state: 'COMPLETED', started_at: null }), 'ann')).toBe('gone');
  });
});
