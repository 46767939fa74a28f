// What is pressed at one spot is always the same thing, whatever comes and goes around it.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { known, Opponent, type Known } from './tables';
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

const SPANISH = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5'.split(' ');

async function spanish(viewport: { width: number; height: number }): Promise<{ ann: Known; bob: Opponent }> {
  const ann = await known(await Person.arrive(browser, server, { viewport }));
  const bob = await Opponent.of(ann);
  for (const [n, move] of SPANISH.entries())
    await (n % 2 === 0 ? server.post(`/v1/games/${bob.game}/moves`, { move }, ann.token) : bob.move(move));
  await ann.person.atPly(SPANISH.length);
  return { ann, bob };
}

/** Everything that may appear while one plays; after each step the page shows it. */
function happenings({ person, token }: Known, bob: Opponent): (() => Promise<unknown>)[] {
  const shows = (text: RegExp) => person.page.locator('.slot', { hasText: text }).waitFor();
  const gone = (text: RegExp) => person.page.locator('.slot', { hasText: text }).waitFor({ state: 'detached' });
  const answer = (what: string) => server.post(`/v1/games/${bob.game}/${what}`, {}, token);
  return [
    () => bob.tell('offer-draw').then(() => shows(/offers a draw/)),
    () => answer('decline-draw').then(() => gone(/offers a draw/)),
    () => bob.tell('offer-takeback').then(() => shows(/asks to take back/)),
    () => answer('decline-takeback').then(() => gone(/asks to take back/)),
    () => bob.tell('add-time', { seconds: 15 }),
    () => bob.tell('chat', { text: 'hello', audience: 'room' }).then(() => person.page.getByText('hello').waitFor()),
    () => person.context.setOffline(true).then(() => shows(/Connection lost/)),
    () => person.context.setOffline(false).then(() => gone(/Connection lost/)),
    () => bob.tell('offer-pause').then(() => shows(/offers a pause/)),
  ];
}

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const centre = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
  [x + width / 2, y + height / 2] as const;

describe('clicks on one spot hit one thing', () => {
  for (const [name, viewport] of Object.entries(SIZES)) {
    it(`the step back, ${name}`, async () => {
      const { ann, bob } = await spanish(viewport);
      const { page } = ann.person;
      const spot = centre((await page.getByTitle('Previous move', { exact: true }).boundingBox())!);
      const shown = () =>
        page.locator('.moves .ply').evaluateAll((all) => all.findIndex((one) => one.hasAttribute('aria-current')));
      let before = SPANISH.length - 1;
      for (const happen of [() => Promise.resolve(), ...happenings(ann, bob)]) {
        await happen();
        // Each press is one step, and nothing else.
        await page.mouse.click(...spot);
        await expect.poll(shown, POLL).toBe(--before);
      }
      expect(await server.json(`/v1/games/${bob.game}`)).toMatchObject({ state: 'ACTIVE', draw_offer: null });
      await ann.person.leave();
    });

    it(`every button of the game, ${name}`, async () => {
      const { ann, bob } = await spanish(viewport);
      const { page } = ann.person;
      /** Where each control is: its middle. */
      const places = () =>
        page.locator('.actions button, .steps button, .typed button, .player a').evaluateAll((all) =>
          all.map((one) => {
            const { x, y, width, height } = one.getBoundingClientRect();
            const [cx, cy] = [x + width / 2, y + height / 2];
            const isOnTop = document.elementFromPoint(cx, cy)?.closest('button, a') === one;
            const isInView = width > 0 && cy < innerHeight;
            return `${one.getAttribute('title') ?? one.textContent} ${cx} ${cy} ${isOnTop || !isInView}`;
          }),
        );
      const before = await places();
      expect(before.length).toBeGreaterThan(9);
      for (const happen of happenings(ann, bob)) {
        await happen();
        expect(await places()).toEqual(before);
      }
      await ann.person.leave();
    });
  }

  it('a double click is a slip, not an answer to "Sure?"', async () => {
    const { ann, bob } = await spanish(SIZES.desktop);
    await ann.person.page.getByTitle('Resign').dblclick();
    await ann.person.page.getByRole('button', { name: 'Resign: Sure?' }).waitFor();
    expect(await server.json(`/v1/games/${bob.game}`)).toMatchObject({ state: 'ACTIVE' });
    await ann.person.leave();
  });

  it('what takes the place of the buttons at the end takes no press that was meant for them', async () => {
    const { ann, bob } = await spanish(SIZES.desktop);
    const { page } = ann.person;
    const spots = await page
      .locator('.actions > *')
      .evaluateAll((all) =>
        all
          .map((one) => one.getBoundingClientRect())
          .map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 })),
      );
    // The moment they are there somebody looks what a press on each of these places would hit.
    await page.evaluate((all) => {
      const noted = window as unknown as { hit: string[] };
      new MutationObserver((_, watch) => {
        if (!document.querySelector('.after')) return;
        watch.disconnect();
        noted.hit = all.map(({ x, y }) => {
          const hit = document.elementFromPoint(x, y)?.closest<HTMLButtonElement>('button, a');
          return hit && !hit.disabled ? (hit.textContent ?? '') : '';
        });
      }).observe(document.body, { childList: true, subtree: true });
    }, spots);
    await bob.tell('resign');
    await page.locator('.result', { hasText: 'You win by resignation' }).waitFor();
    const hit = await page.evaluate(() => (window as unknown as { hit: string[] }).hit);
    expect(hit.filter(Boolean)).toEqual([]);
    await page.getByRole('button', { name: 'Rematch' }).click();
    await page.getByRole('button', { name: 'Rematch offered' }).waitFor();
    await ann.person.leave();
  });
});
