import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { speakGerman } from './scenarios';
import { openBrowser, Person, POLL, Server } from './world';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('the installed page', () => {
  it('has icons that are what the manifest says', async () => {
    const manifest = await server.json<{ icons: { src: string; type: string }[] }>('/manifest.webmanifest');
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(server.url + src);
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type]);
    }
  });

  it('opens without a server, says so, and comes back by itself', async () => {
    const ann = await Person.arrive(browser, server);
    await ann.page.goto('/');
    // The service worker keeps the page and its files before it serves any.
    await ann.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await ann.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await ann.page.waitForFunction(async () => (await caches.match('/')) !== undefined);
    await server.kill();
    await ann.page.goto('/players');
    await ann.page.getByRole('heading', { name: 'No connection' }).waitFor();
    expect(await ann.flaws()).toEqual([]);
    await server.start();
    await ann.page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
    expect(await ann.page.locator('.offline').count()).toBe(0);
    await ann.leave();
  });
});

describe('a page from before an upgrade', () => {
  /** A page whose server has no file for TV any more, for as long as it is told; counts how often it was loaded. */
  async function outdated(isOld: (loads: number) => boolean): Promise<{ ann: Person; loads(): number }> {
    const ann = await Person.arrive(browser, server, { serviceWorkers: 'block' });
    let loads = 0;
    ann.page.on('request', (request) => request.isNavigationRequest() && loads++);
    await ann.page.route(/\/assets\/tv-[^/]*\.js$/, (route) =>
      isOld(loads) ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    );
    await ann.page.goto('/');
    await ann.page.locator('header').getByRole('link', { name: 'TV' }).click();
    return { ann, loads: () => loads };
  }

  it('is loaded anew when a part of it is gone', async () => {
    const { ann, loads } = await outdated((n) => n < 2);
    await ann.page.getByRole('heading', { name: 'TV' }).waitFor();
    expect([new URL(ann.page.url()).pathname, loads()]).toEqual(['/tv', 2]);
    await ann.leave();
  });

  it('is loaded anew once: a part that is still missing then is asked for in peace', async () => {
    const { ann, loads } = await outdated(() => true);
    await expect.poll(loads, POLL).toBe(2);
    await ann.page.getByText('The server cannot be reached.').waitFor();
    // It has failed again by now and was tried once more: this would be the third.
    expect(loads()).toBe(2);
    await ann.leave();
  });
});

describe('an address that means nothing', () => {
  it('has a way home', async () => {
    const ann = await Person.arrive(browser, server);
    await ann.page.goto('/game/');
    await ann.page.getByRole('heading', { name: 'There is nothing here.' }).waitFor();
    expect(await ann.flaws()).toEqual([]);
    await ann.page.getByRole('link', { name: 'To the first page' }).click();
    await ann.page.getByRole('heading', { name: 'Open games' }).waitFor();
    await ann.leave();
  });
});

describe('German', () => {
  it('is spoken to whoever’s browser asks for it, and can be left', async () => {
    const ann = await Person.arrive(browser, server, { locale: 'de-DE' });
    await ann.page.goto('/');
    await ann.page.getByRole('heading', { name: 'Offene Partien' }).waitFor();
    expect(await ann.flaws()).toEqual([]);
    await speakGerman(ann);
    await ann.leave();
  });

  it('is not loaded by anybody else', async () => {
    const bob = await Person.arrive(browser, server, { locale: 'en-GB' });
    const loaded: string[] = [];
    bob.page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await bob.page.goto('/');
    await bob.page.getByRole('heading', { name: 'Open games' }).waitFor();
    expect(loaded.filter((path) => path.startsWith('/assets/de-'))).toEqual([]);
    await bob.leave();
  });
});
