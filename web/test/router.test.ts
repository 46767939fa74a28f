import { describe, expect, it } from 'vitest';
import { route } from '../src/router';

describe('an address', () => {
  it('means a page', () => {
    const pages: [string, object][] = [
      ['/', { page: 'home' }],
      ['/tv', { page: 'tv' }],
      ['/tv/', { page: 'tv' }],
      ['/tv/many', { page: 'screens' }],
      ['/game/Ab3fK9xQ', { page: 'game', id: 'Ab3fK9xQ' }],
      ['/Ab3fK9xQ', { page: 'game', id: 'Ab3fK9xQ' }],
      ['/join/K7M2QX', { page: 'join', code: 'K7M2QX' }],
      ['/skill', { page: 'skill' }],
      ['/skill/7', { page: 'match', id: '7' }],
      ['/@/Ann', { page: 'profile', name: 'Ann' }],
      ['/players', { page: 'players' }],
      ['/account', { page: 'account' }],
      ['/analysis', { page: 'analysis', id: null }],
      ['/analysis/Ab3fK9xQ', { page: 'analysis', id: 'Ab3fK9xQ' }],
      ['/embed/Ab3fK9xQ', { page: 'embed', id: 'Ab3fK9xQ' }],
      ['/console', { page: 'console', section: [] }],
      ['/console/games/Ab3fK9xQ', { page: 'console', section: ['games', 'Ab3fK9xQ'] }],
    ];
    for (const [path, page] of pages) expect(route(path), path).toEqual(page);
  });

  it('that means nothing leads nowhere', () => {
    for (const path of ['/game/', '/game/a/b', '/tv/few', '/nothing', '/%', '/constructor', '/@/a/b', '/players/x'])
      expect(route(path), path).toEqual({ page: 'nowhere' });
  });
});
