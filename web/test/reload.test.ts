import { expect, it } from 'vitest';
import { wantsReload } from '../src/views/reload_once';

it('a page that misses a part of itself is loaded anew once for each build, and only if there is a server', async () => {
  const there = async () => true;
  const away = async () => false;
  expect(await wantsReload({ isServerThere: there, reloadedFor: null, build: 'a' })).toBe(true);
  expect(await wantsReload({ isServerThere: there, reloadedFor: 'a', build: 'a' })).toBe(false);
  expect(await wantsReload({ isServerThere: there, reloadedFor: 'a', build: 'b' })).toBe(true);
  expect(await wantsReload({ isServerThere: away, reloadedFor: null, build: 'a' })).toBe(false);
});
