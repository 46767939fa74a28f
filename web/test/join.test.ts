import { describe, expect, it } from 'vitest';
import { ApiError, NoAnswer } from '../src/api/http';
import { gameNamed, joinPath, refused } from '../src/game/join_refused';

const problem = (status: number, error: string) => new ApiError(status, { error, detail: '' });

describe('a link that leads into no game', () => {
  it('has been used only if somebody has the seat or nothing waits there', () => {
    expect(refused(problem(409, 'link_used'))).toBe('used');
    expect(refused(problem(404, 'game_not_found'))).toBe('used');
    expect(refused(problem(410, 'link_cancelled'))).toBe('withdrawn');
    expect(refused(problem(409, 'own_game'))).toBe('own');
    expect(refused(problem(409, 'not_allowed'))).toBe('account');
    for (const [status, code] of [
      [403, 'not_accepting'],
      [409, 'game_not_waiting'],
      [404, 'not_found'],
      [429, 'rate_limited'],
    ] as const)
      expect(refused(problem(status, code)), code).toBe('other');
    expect(refused(new NoAnswer())).toBe('other');
  });

  it('names its game, so that the server can tell what became of it', () => {
    const link = new URL(joinPath('K7M2QX', 'Ab3fK9xQ'), 'https://chess.example');
    expect([link.pathname, gameNamed(link.search)]).toEqual(['/join/K7M2QX', 'Ab3fK9xQ']);
    for (const query of ['', '?game=', '?game=../x', '?other=Ab3fK9xQ']) expect(gameNamed(query), query).toBeNull();
  });
});
