// Every screen, light and dark, on a desk and on a phone: nobody is shut out, and nothing is wider than the screen.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address, FORMS, scene, SCREENS, storage, type Scene } from './scene.mjs';
import { openBrowser, Person, Server } from './world';

let browser: Browser;
let server: Server;
let stage: Scene;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
  stage = await scene(server.url, server.setupCode);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe.each(FORMS)('in the form $name', ({ options }) => {
  it.each(SCREENS)('$name has no serious problem', async (screen) => {
    const ann = await Person.arrive(browser, server, options);
    await ann.page.addInitScript(
      ({ local, session }) => {
        for (const [name, value] of Object.entries(local)) localStorage.setItem(name, value);
        for (const [name, value] of Object.entries(session)) sessionStorage.setItem(name, value);
      },
      storage(stage, screen.as),
    );
    await ann.page.goto(address(screen, stage));
    await ann.page.locator(screen.ready).first().waitFor();
    expect(await ann.flaws()).toEqual([]);
    const [page, view] = await ann.page.evaluate(() => [document.body.scrollWidth, innerWidth]);
    expect(page).toBeLessThanOrEqual(view!);
    expect(ann.complaints).toEqual([]);
    await ann.leave();
  });
});

describe.each(['en-GB', 'de-DE'])('in %s', (locale) => {
  const forms = FORMS.filter(({ options }) => options.colorScheme === 'light');
  it.each(forms)('fields have room for what they say, in the form $name', async ({ options }) => {
    const ann = await Person.arrive(browser, server, { ...options, locale });
    await ann.page.addInitScript(
      (session) => localStorage.setItem('arbiter.session', session),
      JSON.stringify(stage.people.margarete),
    );
    for (const [path, ready] of [
      [`/game/${stage.ids.game}`, '.typed input'],
      ['/analysis', '.typed input'],
      ['/@/margarete', '.filters select'],
    ] as const) {
      await ann.page.goto(path);
      await ann.page.locator(ready).first().waitFor();
      expect(await ann.cut(), path).toEqual([]);
    }
    await ann.leave();
  });
});

describe.each([390, 360])('on a phone %i pixels wide', (width) => {
  it('names, what was captured and what is told are seen whole', async () => {
    const ann = await Person.arrive(browser, server, { viewport: { width, height: 780 }, hasTouch: true });
    await ann.page.addInitScript(
      (session) => localStorage.setItem('arbiter.session', session),
      JSON.stringify(stage.people.margarete),
    );
    // A look at a profile first: its styles stay on the page.
    await ann.page.goto('/@/margarete');
    await ann.page.locator('.ratings .rating').first().waitFor();
    await ann.page.locator(`a[href="/game/${stage.ids.over}"]`).click();
    await ann.page.locator('.game[data-state=COMPLETED] .taken').first().waitFor();
    const told = ann.page.locator('.toast .words', { hasText: 'Ferdinand has moved' });
    await told.waitFor();
    const isWhole = (element: Element) =>
      element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight;
    expect(await told.evaluate(isWhole)).toBe(true);
    for (const name of await ann.page.locator('.player .name').all()) expect(await name.evaluate(isWhole)).toBe(true);
    // Nothing lies under what is told.
    for (const other of ['header nav', 'header .who']) expect(await ann.page.locator(other).isVisible()).toBe(false);
    const bars = await ann.page.locator('.player').evaluateAll((all) =>
      all.map((bar) => {
        const right = (what: string) => bar.querySelector(what)!.getBoundingClientRect().right;
        const pieces = [...bar.querySelectorAll('.felt piece')].map((piece) => piece.getBoundingClientRect());
        return {
          isOnFelt: pieces.length > 0 && pieces.every((piece) => piece.right <= right('.felt')),
          isClear: right('.captured') <= bar.querySelector('.clock')!.getBoundingClientRect().left,
          isApart: pieces.every((piece, n) => n === 0 || piece.left > pieces[n - 1]!.left),
        };
      }),
    );
    expect(bars).toEqual([1, 2].map(() => ({ isOnFelt: true, isClear: true, isApart: true })));
    await ann.leave();
  });
});
