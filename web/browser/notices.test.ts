import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, Person, POLL, Server } from './world';

interface Signed {
  token: string;
  account: { id: string };
}

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Somebody with an account at a page, and the same as a program. */
async function account(name: string): Promise<[Person, Signed]> {
  const signed = await server.post<Signed>('/v1/accounts', { username: name, password: `password of ${name}` });
  const person = await Person.arrive(browser, server);
  await person.page.addInitScript((session) => {
    localStorage.setItem('arbiter.session', session);
  }, JSON.stringify(signed));
  return [person, signed];
}

const challenge = (from: Signed, to: string, more: object = {}) =>
  server.post<{ id: string }>(
    '/v1/games',
    { time_control: { initial_seconds: 300, increment_seconds: 3 }, opponent_id: to, ...more },
    from.token,
  );

describe('a challenge', () => {
  it('is seen on another page, and accepted there', async () => {
    const [ann] = await account('ann');
    const bob = await server.post<Signed>('/v1/accounts', { username: 'bob', password: 'password of bob' });
    await ann.page.goto('/tv');
    await ann.page.getByRole('heading', { name: 'TV' }).waitFor();
    const game = await challenge(bob, 'ann', { color: 'black' });
    await ann.page.locator('.toast', { hasText: 'bob challenges you: 5+3' }).waitFor();
    await expect.poll(() => ann.page.title(), POLL).toMatch(/^\(1\) /);
    expect(await ann.flaws()).toEqual([]);
    await ann.page.locator('.toast').getByRole('button', { name: 'Accept' }).click();
    await ann.page.waitForURL(`**/game/${game.id}`);
    await ann.page.locator('.game[data-state=ACTIVE]').waitFor();
    await ann.page.locator('.toast').waitFor({ state: 'detached' });

    // Elsewhere again: the opponent's move is told, and leads back.
    await ann.drag('e2', 'e4');
    await ann.atPly(1);
    await ann.page.locator('header').getByRole('link', { name: 'TV' }).click();
    await ann.page.getByRole('heading', { name: 'TV' }).waitFor();
    await expect.poll(() => ann.page.title(), POLL).not.toContain('●');
    await server.post(`/v1/games/${game.id}/moves`, { move: 'e5' }, bob.token);
    // For a moment a press may have been meant for what was here before.
    const told = ann.page.locator('.toast', { hasText: 'bob has moved' });
    await told.locator('button:enabled').waitFor();
    await told.locator('a').click();
    await ann.page.waitForURL(`**/game/${game.id}`);
    await ann.atPly(2);
    await ann.leave();
  });

  it('that is withdrawn is no longer shown', async () => {
    const [cat] = await account('cat');
    const dan = await server.post<Signed>('/v1/accounts', { username: 'dan', password: 'password of dan' });
    await cat.page.goto('/tv');
    const game = await challenge(dan, 'cat');
    await cat.page.locator('.toast', { hasText: 'dan challenges you' }).waitFor();
    await server.post(`/v1/games/${game.id}/cancel`, {}, dan.token);
    await cat.page.locator('.toast').waitFor({ state: 'detached' });
    await cat.leave();
  });
});

describe('what comes and goes', () => {
  it('moves nothing: repeated clicks on one spot hit the same control', async () => {
    const [eve] = await account('eve');
    const fay = await server.post<Signed>('/v1/accounts', { username: 'fay', password: 'password of fay' });
    for (const viewport of [
      { width: 1280, height: 860 },
      { width: 390, height: 844 },
    ]) {
      await eve.page.setViewportSize(viewport);
      // What the page itself has to fetch is there before anybody presses.
      await eve.page.goto('/', { waitUntil: 'networkidle' });
      const pool = eve.page.locator('.pool', { hasText: '60+30' });
      const box = (await pool.boundingBox())!;
      await eve.page.evaluate(() => {
        const hits: string[] = [];
        Object.assign(window, { hits });
        addEventListener(
          'click',
          (event) => {
            event.preventDefault();
            event.stopPropagation();
            const hit = (event.target as Element).closest('button, a') ?? (event.target as Element);
            hits.push(hit.querySelector('strong')?.textContent ?? hit.textContent ?? hit.tagName);
          },
          true,
        );
      });
      const press = () => eve.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      for (let n = 0; n < 3; n++) {
        await press();
        const game = await challenge(fay, 'eve');
        await eve.page.locator('.toast', { hasText: 'fay challenges you' }).waitFor();
        await press();
        await server.post(`/v1/games/${game.id}/cancel`, {}, fay.token);
        await eve.page.locator('.toast').waitFor({ state: 'detached' });
        await press();
      }
      const hits = await eve.page.evaluate(() => (window as unknown as { hits: string[] }).hits);
      expect(new Set(hits)).toEqual(new Set(['60+30']));
      expect(hits).toHaveLength(9);
    }
    await eve.leave();
  });

  it('moves no button of the first page: neither our own list nor the lobby', async () => {
    const [gil] = await account('gil');
    const [han, ida] = await Promise.all(
      ['hanna', 'ida'].map((name) =>
        server.post<Signed>('/v1/accounts', { username: name, password: `password of ${name}` }),
      ),
    );
    const open = (from: Signed) =>
      server.post<{ id: string }>(
        '/v1/games',
        { time_control: { initial_seconds: 180, increment_seconds: 2 } },
        from.token,
      );
    for (const viewport of [
      { width: 1280, height: 860 },
      { width: 390, height: 844 },
    ]) {
      await gil.page.setViewportSize(viewport);
      const [first, second] = [await open(han!), await open(ida!)];
      await gil.page.goto('/', { waitUntil: 'networkidle' });
      const row = (name: string) => gil.page.locator('.lobby .game-row', { hasText: name });
      const join = row('ida').getByRole('button', { name: 'Join' });
      await join.waitFor();
      await row('hanna').hover();
      /** Where everything is that stands for itself: tiles, forms, and the row that is left alone. */
      const places = () =>
        gil.page.locator('.pool, .tabs button, form.row button, .teaser, .lobby, #live-games').evaluateAll((all) =>
          all.map((one) => {
            const { x, y } = one.getBoundingClientRect();
            return `${one.textContent?.slice(0, 12)} ${x} ${y + scrollY}`;
          }),
        );
      const [before, at] = [await places(), await join.boundingBox()];
      const game = await challenge(han!, 'gil');
      await gil.page.locator('.waits .game-row', { hasText: 'hanna' }).waitFor();
      expect(await places()).toEqual(before);
      expect(await join.boundingBox()).toEqual(at);
      // Who went first stays in sight for a moment and cannot be joined; who stands below does not move up.
      await server.post(`/v1/games/${first.id}/cancel`, {}, han!.token);
      await row('hanna').getByRole('button', { name: 'Gone' }).waitFor();
      expect(await row('hanna').getByRole('button').isDisabled()).toBe(true);
      expect(await join.boundingBox()).toEqual(at);
      await gil.page.mouse.move(5, 5);
      await row('hanna').waitFor({ state: 'detached' });
      await server.post(`/v1/games/${game.id}/cancel`, {}, han!.token);
      await gil.page.locator('.waits').waitFor({ state: 'detached' });
      expect(await places()).toEqual(before);
      await server.post(`/v1/games/${second.id}/cancel`, {}, ida!.token);
    }
    await gil.leave();
  });
});
