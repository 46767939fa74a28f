// Games with days per move: deadlines, answers given in advance, and a server that goes down in between.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { known, Opponent } from './tables';
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

it('conditional moves are entered on the board and played after a restart', async () => {
  const ann = await known(await Person.arrive(browser, server));
  const { person } = ann;
  const { page } = person;
  const bob = await Opponent.of(ann, { time_control: { days_per_move: 3 } });
  await page.locator('.clock.slow', { hasText: /^[23] d/ }).waitFor();

  // A slip costs days: such a game asks before it sends.
  await person.drag('e2', 'e4');
  await page.getByText('Confirm the move').waitFor();
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await expect.poll(() => person.pieces(), POLL).toContain('white pawn e2');
  await person.drag('e2', 'e4');
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await person.atPly(1);

  await page.getByRole('button', { name: 'Add a line' }).click();
  for (const [from, to] of [
    ['e7', 'e5'],
    ['g1', 'f3'],
    ['b8', 'c6'],
    ['f1', 'b5'],
  ] as const)
    await person.drag(from, to);
  await page.locator('.entering .line', { hasText: '1… e5 2. Nf3 Nc6 3. Bb5' }).waitFor();
  expect(await person.flaws()).toEqual([]);
  await page.getByRole('button', { name: 'Keep this line' }).click();
  await page.locator('.plan li', { hasText: '1… e5 2. Nf3 Nc6 3. Bb5' }).waitFor();
  // Another answer to the same move takes the place of the first, another move of theirs stands beside it.
  await page.getByRole('button', { name: 'Add a line' }).click();
  await person.drag('c7', 'c5');
  await person.drag('g1', 'f3');
  await page.getByRole('button', { name: 'Keep this line' }).click();
  await page.locator('.plan li', { hasText: '1… c5 2. Nf3' }).waitFor();
  expect(await page.locator('.plan li').count()).toBe(2);
  await expect.poll(() => person.pieces(), POLL).toContain('white knight g1');

  await server.kill();
  await server.start();
  await bob.move('e5');
  await person.atPly(3);
  expect(await server.json(`/v1/games/${bob.game}`)).toMatchObject({ san: ['e4', 'e5', 'Nf3'] });
  // What the game has left is gone; the rest goes on.
  await page.locator('.plan li', { hasText: '2… Nc6 3. Bb5' }).waitFor();
  expect(await page.locator('.plan li').count()).toBe(1);
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect.poll(() => page.locator('.plan li').count(), POLL).toBe(0);
  await bob.move('Nc6');
  await person.atPly(4);
  expect(person.complaints).toEqual([]);
  await person.leave();
});

it('says who is on vacation, and until when', async () => {
  const ann = await known(await Person.arrive(browser, server));
  const bob = await Opponent.of(ann, { time_control: { days_per_move: 3 } });
  await fetch(`${server.url}/v1/me/vacation`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bob.token}` },
    body: JSON.stringify({ days: 7 }),
  });
  await ann.person.page.reload();
  await ann.person.page.locator('.player.black .away', { hasText: 'on vacation until' }).waitFor();
  await ann.person.leave();
});
