import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('a skill match is drafted and played in two windows', async () => {
  const [ann, bob] = [await Person.arrive(browser, server), await Person.arrive(browser, server)];
  await ann.page.goto('/skill');
  await ann.page.getByLabel('Your name').fill('Ann');
  await ann.page.getByRole('button', { name: 'Open a room' }).click();
  const code = await ann.page.locator('.join-code code').innerText();
  await bob.page.goto('/skill');
  await bob.page.getByLabel('Your name').fill('Bob');
  // The first screen takes the code of a room as well as that of a game.
  await bob.page.goto('/');
  await bob.page.locator('input[name=code]').fill(code);
  await bob.page.getByRole('button', { name: 'Join', exact: true }).first().click();
  for (const person of [ann, bob]) await person.page.locator('.match[data-phase=drafting]').waitFor();

  // By clicking a skill and a piece, and by the list.
  await ann.page.locator('[data-skill=deadeye] button').click();
  await ann.click('c1');
  await ann.page.locator('[data-skill=deadeye] em', { hasText: 'on the bishop c1' }).waitFor();
  await bob.page.locator('[data-skill=knightfall] select').selectOption('e7');
  await bob.page.locator('[data-skill=knightfall] em', { hasText: 'on the pawn e7' }).waitFor();
  expect(await ann.flaws()).toEqual([]);
  for (const person of [ann, bob]) await person.page.getByRole('button', { name: 'Lock in' }).click();
  for (const person of [ann, bob]) await person.page.locator('.match[data-phase=active]').waitFor();

  const moves = (person: Person) => person.page.locator('.moves .ply').allInnerTexts();
  const moved = async (n: number) => {
    const arrived = (k: number) => document.querySelectorAll('.moves .ply').length === k;
    for (const person of [ann, bob]) await person.page.waitForFunction(arrived, n);
  };
  const use = (person: Person, skill: string) => person.page.locator(`[data-skill=${skill}] button`).click();
  const opening: [Person, string, string][] = [
    [ann, 'd2', 'd4'],
    [bob, 'd7', 'd5'],
    [ann, 'c2', 'c4'],
    [bob, 'd5', 'c4'],
  ];
  for (const [n, [who, from, to]] of opening.entries()) {
    await who.drag(from, to);
    await moved(n + 1);
  }
  // A bishop that captures straight ahead, once.
  await use(ann, 'deadeye');
  expect(await ann.flaws()).toEqual([]);
  await ann.drag('c1', 'c4');
  await moved(5);
  expect((await moves(bob)).at(-1)).toBe('Bc1xc4 ✦Deadeye');
  await ann.page.locator('[data-skill=deadeye] button', { hasText: 'Used' }).waitFor();
  await bob.drag('a7', 'a6');
  await moved(6);
  await ann.drag('c4', 'd5');
  await moved(7);

  // Bob comes back to the page: the match is where it was, and so is his skill.
  await bob.page.reload();
  await bob.page.locator('.match[data-phase=active]').waitFor();
  await use(bob, 'knightfall');
  await bob.drag('e7', 'd5');
  await moved(8);
  expect((await moves(ann)).at(-1)).toBe('e7xd5 ✦Knightfall');
  await expect.poll(() => ann.pieces(), POLL).toContain('black pawn d5');

  await bob.page.getByRole('button', { name: 'Resign' }).click();
  await bob.page.getByRole('button', { name: /Sure\?$/ }).click();
  await ann.page.locator('.result', { hasText: 'You win by resignation' }).waitFor();
  for (const person of [ann, bob]) {
    expect(person.complaints).toEqual([]);
    await person.leave();
  }
});
