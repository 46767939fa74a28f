import { readFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, Person, seat, Server } from './world';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('the page', () => {
  it('has types that are the server’s own', async () => {
    const description = await server.json('/v1/openapi.json');
    const types = COMMENT_HEADER + astToString(await openapiTS(JSON.stringify(description)));
    const committed = readFileSync(new URL('../src/api/schema.d.ts', import.meta.url), 'utf8');
    expect(types === committed, 'src/api/schema.d.ts is out of date: npm run schema').toBe(true);
  });

  it('shows what a link is about, with a picture of the board', async () => {
    const { token, account } = await server.post<{ token: string; account: { name: string } }>('/v1/guests', {});
    const game = await server.post<{ id: string }>('/v1/games', { time_control: null }, token);
    const page = await (await fetch(`${server.url}/game/${game.id}`)).text();
    expect(page).toContain(`<title>${account.name} invites you to a game of chess</title>`);
    const image = /property="og:image" content="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&');
    const picture = await fetch(image);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('is served compressed, once for ever, and as nothing but itself', async () => {
    const page = await fetch(server.url);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    );
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())![1]!;
    const asset = await fetch(server.url + script, { headers: { 'accept-encoding': 'br' } });
    expect(asset.headers.get('content-encoding')).toBe('br');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    const again = await fetch(server.url + script, { headers: { 'if-none-match': asset.headers.get('etag')! } });
    expect(again.status).toBe(304);
  });

  it('has no serious problem for anyone, in the light or in the dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const [ann, bob] = [
        await Person.arrive(browser, server, { colorScheme }),
        await Person.arrive(browser, server, { colorScheme, viewport: { width: 390, height: 844 } }),
      ];
      const check = async (what: string, person: Person) =>
        expect(await person.flaws(), `${what}, ${colorScheme}`).toEqual([]);
      await ann.page.goto('/');
      await ann.page.getByRole('heading', { name: 'Open games' }).waitFor();
      await check('first screen', ann);
      await ann.page.getByRole('button', { name: 'Sign in' }).click();
      await ann.page.getByLabel('Password').waitFor();
      await check('sign in', ann);
      await ann.page.keyboard.press('Escape');
      await ann.page.getByRole('button', { name: 'Settings' }).click();
      await ann.page.getByLabel('Board as text (for screen readers)').check();
      await check('settings', ann);
      await ann.page.keyboard.press('Escape');
      await seat(ann, bob);
      await ann.drag('e2', 'e4');
      for (const person of [ann, bob]) await person.atPly(1);
      await check('game', ann);
      await check('game on a phone', bob);
      for (const [path, name] of [
        ['/tv', 'TV'],
        ['/skill', 'Skill match'],
      ] as const) {
        await bob.page.goto(path);
        await bob.page.getByRole('heading', { name }).first().waitFor();
        await check(path, bob);
      }
      for (const person of [ann, bob]) await person.leave();
    }
  });
});
