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
