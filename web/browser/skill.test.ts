import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, Person, Server } from './world';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

it('a skill match is drafted and played in two windows', async () => {
  const [ann, bob] = [await Person.arrive(browser, server), await Person.arrive(browser, server)];
  await ann.page.goto('/skill');
  await ann.page.getByLabel('Your name').fill('Ann');
  await ann.page.getByRole('button', { name: 'Open a room' }).click();
  const code = await ann.page.locator('.join-code code').innerText();
  await bob.page.goto('/skill');
  await bob.page.getByLabel('Your name').fill('Bob');
  await bob.page.getByLabel('Room code').fill(code);
  await bob.page.getByRole('button', { name: 'Join', exact: true }).first().click();
  for (const person of [ann, bob]) await person.page.locator('.match[data-phase=drafting]').waitFor();

  // By clicking a skill and a piece, and by the list.
  await ann.page.locator('[data-skill=deadeye] button').click();
  await ann.click('d1');
  await ann.page.locator('[data-skill=deadeye] em', { hasText: 'on the queen d1' }).waitFor();
  await bob.page.locator('[data-skill=knightfall] select').selectOption('e7');
  await bob.page.locator('[data-skill=knightfall] em', { hasText: 'on the pawn e7' }).waitFor();
  for (const person of [ann, bob]) await person.page.getByRole('button', { name: 'Lock in' }).click();
  for (const person of [ann, bob]) await person.page.locator('.match[data-phase=active]').waitFor();

  const moved = async (n: number) => {
    for (const person of [ann, bob])
      await person.page.waitForFunction((k) => document.querySelectorAll('.moves .ply').length === k, n);
  };
  await ann.drag('d2', 'd4');
  await moved(1);
  await bob.drag('d7', 'd5');
  await moved(2);
  await ann.drag('d4', 'd4'); // nothing
  await ann.drag('c2', 'c4');
  await moved(3);
  await bob.drag('d5', 'c4');
  await moved(4);
  // The queen looks up the open file... her own pawn is in the way, so along the diagonal: d1-a4 has nothing. Advance it.
  await ann.drag('d4', 'd5');
  await moved(5);
  await bob.drag('a7', 'a6');
  await moved(6);
  await ann.page.locator('[data-skill=deadeye] button', { hasText: 'Use' }).waitFor();
  expect(await ann.pieces()).toContain('white pawn d5');
  await ann.page.getByRole('button', { name: 'Resign' }).click();
  await bob.page.locator('.result', { hasText: 'You win by resignation' }).waitFor();
  for (const person of [ann, bob]) {
    expect(person.complaints).toEqual([]);
    await person.leave();
  }
});
