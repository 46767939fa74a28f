import { describe, expect, it } from 'vitest';
import type { Game } from '../src/api/types';
import { heard, swept, type Row } from '../src/home/open_games';
import { ownGames, placeOf, shownAt } from '../src/home/own_games';
import { inPlaces } from '../src/home/places';

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

describe('the lobby', () => {
  const rows = (text: string): Row[] => text.split(' ').map((id) => ({ game: game(id), goneAt: null }));
  const shown = (all: Row[]) => all.map((row) => row.game.id + (row.goneAt === null ? '' : '-')).join(' ');

  it('keeps every game at its place: who comes stands at the end, who goes stays for a moment', () => {
    const gone = heard(rows('a b c'), { type: 'GONE', game_id: 'b' }, 1_000);
    expect(shown(gone)).toBe('a b- c');
    expect(shown(heard(gone, { type: 'OPENED', game: game('d') }, 1_000))).toBe('a b- c d');
    expect(shown(swept(gone, 2_000))).toBe('a b- c');
    expect(shown(swept(gone, 6_000))).toBe('a c');
  });

  it('is at the same places after a connection was lost', () => {
    const again = heard(rows('a b c'), { type: 'STATE', games: [game('d'), game('c'), game('a')] }, 1_000);
    expect(shown(again)).toBe('a b- c d');
    expect(shown(heard(again, { type: 'OPENED', game: game('b') }, 1_000))).toBe('a b c d');
  });
});

describe('boards beside each other', () => {
  const all = (text: string) => text.split('').map((id) => ({ id }));
  const after = (before: string, now: string) =>
    inPlaces(all(before), all(now))
      .map(({ id }) => id)
      .join('');

  it('stay where they are while others come and go', () => {
    expect(after('', 'abc')).toBe('abc');
    expect(after('abc', 'xabc')).toBe('abcx');
    expect(after('abc', 'xac')).toBe('axc');
    expect(after('abcd', 'bcd')).toBe('dbc');
    expect(after('abcd', 'b')).toBe('b');
    expect(after('abc', '')).toBe('');
  });

  it('are shown as they are now', () => {
    const old = { id: 'a', ply: 1 };
    const now = { id: 'a', ply: 2 };
    expect(inPlaces([old], [now])[0]).toBe(now);
  });
});
