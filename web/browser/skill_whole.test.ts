// A skill match has what a game has: it can be cancelled, looked through, explained, and played again.
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

async function open(person: Person, name: string): Promise<string> {
  await person.page.goto('/skill');
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Open a room' }).click();
  return person.page.locator('.join-code code').innerText();
}

async function enter(person: Person, name: string, code: string): Promise<void> {
  await person.page.goto('/skill');
  await person.page.getByLabel('Your name').fill(name);
  await person.page.locator('input[name=room]').fill(code);
  await person.page.getByRole('button', { name: 'Join', exact: true }).first().click();
}

it('a room that nobody has joined is closed by its host', async () => {
  const ann = await Person.arrive(browser, server);
  const code = await open(ann, 'Ann');
  await ann.page.getByRole('button', { name: 'Close the room' }).click();
  await ann.page.waitForURL(/\/skill$/);
  const rooms = await server.json<{ roomCode: string }[]>('/v1/matches/rooms');
  expect(rooms.map((room) => room.roomCode)).not.toContain(code);
  await ann.leave();
});

it('a draw is offered, declined, offered back and accepted', async () => {
  const [ann, bob] = [await Person.arrive(browser, server), await Person.arrive(browser, server)];
  await enter(bob, 'Bob', await open(ann, 'Ann'));
  for (const person of [ann, bob]) await person.page.locator('.match[data-phase=drafting]').waitFor();
  for (const person of [ann, bob]) await person.page.getByRole('button', { name: 'Lock in' }).click();
  for (const person of [ann, bob]) await person.page.locator('.match[data-phase=active]').waitFor();
  const offer = async (person: Person) => {
    await person.page.getByRole('button', { name: 'Offer a draw' }).click();
    await person.page.getByRole('button', { name: /Sure\?$/ }).click();
    await person.page.getByText('You offered a draw.').waitFor();
  };
  expect(await ann.page.getByRole('button', { name: 'Offer a draw' }).isDisabled()).toBe(true);
  await ann.drag('e2', 'e4');
  await bob.atPly(1);
  await bob.drag('e7', 'e5');
  await ann.atPly(2);
  await offer(ann);
  await bob.page.getByText('Ann offers a draw.').waitFor();
  expect(await bob.flaws()).toEqual([]);
  await bob.page.getByRole('button', { name: 'Decline' }).click();
  await ann.page.getByText('Your draw offer was declined.').waitFor();
  await offer(bob);
  await ann.page.getByText('Bob offers a draw.').waitFor();
  await ann.page.getByRole('button', { name: 'Accept the draw' }).click();
  for (const person of [ann, bob]) {
    await person.page.locator('.result', { hasText: 'Draw by agreement' }).waitFor();
    expect(person.complaints).toEqual([]);
    await person.leave();
  }
});

it('reasons, named skills, earlier positions, an absent opponent, and a rematch', async () => {
  const [ann, bob] = [await Person.arrive(browser, server), await Person.arrive(browser, server)];
  const code = await open(ann, 'Ann');
  await enter(bob, 'Bob', code);
  for (const person of [ann, bob]) await person.page.locator('.match[data-phase=drafting]').waitFor();
  await ann.page.locator('[data-skill=deadeye] select').selectOption('c1');
  await ann.page.locator('[data-skill=deadeye] em').waitFor();
  for (const person of [ann, bob]) await person.page.getByRole('button', { name: 'Lock in' }).click();
  for (const person of [ann, bob]) await person.page.locator('.match[data-phase=active]').waitFor();

  const why = ann.page.locator('[data-skill=deadeye] .why');
  await expect.poll(() => why.innerText(), POLL).toBe('Nothing to capture is in its reach.');
  expect(await ann.page.locator('[data-skill=deadeye] button').isDisabled()).toBe(true);
  await bob.page.locator('[data-open=deadeye]', { hasText: 'on the bishop c1' }).waitFor();

  const moved = async (n: number) => {
    for (const person of [ann, bob]) await person.atPly(n);
  };
  for (const [n, [who, from, to]] of (
    [
      [ann, 'd2', 'd4'],
      [bob, 'd7', 'd5'],
      [ann, 'c2', 'c4'],
      [bob, 'd5', 'c4'],
    ] as const
  ).entries()) {
    await who.drag(from, to);
    await moved(n + 1);
    if (n === 0) await expect.poll(() => why.innerText(), POLL).toBe('It is not your turn.');
  }
  await ann.page.locator('[data-skill=deadeye] button').click();
  await ann.page.getByText('Deadeye: choose what to capture.').waitFor();
  await ann.drag('c1', 'c4');
  await moved(5);
  await expect.poll(() => why.innerText(), POLL).toBe('The skill is used up.');
  await bob.page.locator('[data-used=deadeye]', { hasText: 'Deadeye: used, c1 to c4' }).waitFor();

  // Every move can be clicked, and leads back.
  const now = await bob.pieces();
  await bob.page.locator('.moves .ply').nth(1).click();
  await expect.poll(() => bob.pieces(), POLL).toEqual(expect.arrayContaining(['black pawn d5', 'white bishop c1']));
  await bob.page.getByText('You are looking at an earlier position.').waitFor();
  expect(await bob.flaws()).toEqual([]);
  await bob.page.getByRole('button', { name: 'Back to the game' }).click();
  await expect.poll(() => bob.pieces(), POLL).toEqual(now);

  // Whoever is away is said to be, and is back when they are.
  const where = new URL(ann.page.url()).pathname;
  await ann.page.goto('about:blank');
  await bob.page.getByText('Ann is away.').waitFor();
  await ann.page.goto(where);
  await bob.page.getByText('Ann is away.').waitFor({ state: 'detached' });

  await ann.page.getByRole('button', { name: 'Resign' }).click();
  await ann.page.getByRole('button', { name: /Sure\?$/ }).click();
  await bob.page.locator('.result', { hasText: 'You win by resignation' }).waitFor();
  expect(await bob.flaws()).toEqual([]);
  await ann.page.getByRole('button', { name: 'Rematch' }).click();
  await ann.page.locator('.match[data-phase=waitingForPlayers]').waitFor();
  await bob.page.getByRole('button', { name: 'Accept the rematch' }).click();
  for (const person of [ann, bob]) {
    await person.page.locator('.match[data-phase=drafting]').waitFor();
    expect(person.complaints).toEqual([]);
    await person.leave();
  }
});
