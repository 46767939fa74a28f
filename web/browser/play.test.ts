import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, Person, POLL, seat, Server, openFriendForm } from './world';

let browser: Browser;
let server: Server;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
beforeEach(async () => {
  ann = await Person.arrive(browser, server);
  bob = await Person.arrive(browser, server);
});
afterEach(async () => {
  for (const person of [ann, bob]) {
    expect(person.complaints).toEqual([]);
    await person.leave();
  }
});

const result = (person: Person) => person.page.locator('.result').innerText();

describe('two browsers', () => {
  it('play to mate by dragging and clicking, with a premove and a promotion, while a third watches', async () => {
    const watcher = await Person.arrive(browser, server);
    const id = await seat(ann, bob);
    await watcher.page.goto(`/game/${id}`);

    // 1. h4 g5 2. hxg5 h6 3. gxh6 Nf6 4. h7 Rg8 5. hxg8=N: a promotion that is not a queen
    const moves: [Person, string, string][] = [
      [ann, 'h2', 'h4'],
      [bob, 'g7', 'g5'],
      [ann, 'h4', 'g5'],
      [bob, 'h7', 'h6'],
      [ann, 'g5', 'h6'],
      [bob, 'g8', 'f6'],
      [ann, 'h6', 'h7'],
      [bob, 'h8', 'g8'],
    ];
    for (const [n, [who, from, to]] of moves.entries()) {
      await (n % 2 === 0 ? who.drag(from, to) : who.clicks(from, to));
      for (const person of [ann, bob]) await person.atPly(n + 1);
    }
    await ann.drag('h7', 'g8');
    await ann.page.locator('.promotion [data-piece=n]').click();
    for (const person of [ann, bob, watcher]) await person.atPly(9);
    await expect.poll(() => bob.pieces(), POLL).toContain('white knight g8');
    await expect.poll(() => watcher.pieces(), POLL).toEqual(await ann.pieces());

    // Ann premoves her answer while Bob thinks: it is played the moment his move arrives.
    await ann.clicks('e2', 'e4');
    await ann.page.locator('square.current-premove').first().waitFor();
    await bob.drag('f6', 'g8');
    for (const person of [ann, bob, watcher]) await person.atPly(11);
    expect(await ann.page.locator('.moves .ply').allInnerTexts()).toContain('e4');

    // 6... f6 7. Qh5#
    await bob.drag('f7', 'f6');
    for (const person of [ann, bob]) await person.atPly(12);
    await ann.drag('d1', 'h5');
    for (const person of [ann, bob, watcher]) await person.page.locator('.result').waitFor();
    expect(await result(ann)).toBe('You win by checkmate');
    expect(await result(bob)).toBe('You lose by checkmate');
    expect(await result(watcher)).toBe('White wins by checkmate');

    const game = await server.json<{ san: string[]; reason: string }>(`/v1/games/${id}`);
    expect(game).toMatchObject({ reason: 'checkmate' });
    expect(game.san.at(-1)).toBe('Qh5#');
    expect(await ann.page.locator('.moves .ply').allInnerTexts()).toEqual(game.san);
    await watcher.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await watcher.page.getByRole('button', { name: 'Copy PGN' }).click();
    await watcher.page.getByRole('button', { name: 'Copied' }).waitFor();
    const pgn = await watcher.page.evaluate(() => navigator.clipboard.readText());
    expect(pgn).toMatch(/Qh5#.*1-0\s*$/s);
    expect(watcher.complaints).toEqual([]);
    await watcher.leave();
  });

  it('step through the moves with keys and buttons, and come back', async () => {
    await seat(ann, bob);
    await ann.drag('e2', 'e4');
    for (const person of [ann, bob]) await person.atPly(1);
    await bob.drag('e7', 'e5');
    for (const person of [ann, bob]) await person.atPly(2);
    const now = await ann.pieces();
    await ann.page.keyboard.press('ArrowLeft');
    await ann.page.getByText('You are looking at an earlier position.').waitFor();
    await expect.poll(() => ann.pieces(), POLL).toContain('black pawn e7');
    await ann.page.keyboard.press('Home');
    await expect.poll(() => ann.pieces(), POLL).toContain('white pawn e2');
    await ann.page.getByRole('button', { name: 'Last position' }).click();
    await expect.poll(() => ann.pieces(), POLL).toEqual(now);
  });

  it('offer, decline and accept; resign asks twice; then a rematch with colours swapped', async () => {
    await seat(ann, bob);
    await ann.drag('d2', 'd4');
    for (const person of [ann, bob]) await person.atPly(1);
    await bob.drag('d7', 'd5');
    for (const person of [ann, bob]) await person.atPly(2);
    const press = (person: Person, name: string | RegExp) => person.page.getByRole('button', { name }).click();

    await press(ann, 'Ask to take back');
    await press(bob, 'Allow the takeback');
    for (const person of [ann, bob]) await person.page.getByText('No moves yet.').waitFor();
    for (const [n, [who, from, to]] of (
      [
        [ann, 'c2', 'c4'],
        [bob, 'c7', 'c5'],
      ] as const
    ).entries()) {
      await who.drag(from, to);
      for (const person of [ann, bob]) await person.atPly(n + 1);
    }
    await press(bob, 'Offer a draw');
    await press(bob, 'Offer a draw: Sure?');
    await ann.page.getByText(/offers a draw/).waitFor();
    await press(ann, 'Decline');
    await ann.page.getByText(/offers a draw/).waitFor({ state: 'detached' });
    await press(ann, 'Give 15 seconds');
    await bob.page.waitForFunction(
      () => Number(document.querySelector<HTMLElement>('.player.black .clock')?.dataset.ms) > 300_000,
    );

    await press(bob, 'Resign');
    expect(await bob.page.locator('.result').count()).toBe(0);
    await press(bob, 'Resign: Sure?');
    await ann.page.locator('.result', { hasText: 'You win by resignation' }).waitFor();

    const first = ann.page.url();
    await press(ann, 'Rematch');
    await press(bob, 'Accept the rematch');
    for (const person of [ann, bob]) await person.page.waitForURL((url) => url.href !== first);
    await bob.page.locator('.cg-wrap.orientation-white').waitFor();
    await ann.page.locator('.cg-wrap.orientation-black').waitFor();
  });

  it('are guests or registered, and meet by code', async () => {
    await ann.page.goto('/');
    await ann.page.getByRole('button', { name: 'Sign in' }).click();
    await ann.page.getByRole('button', { name: 'No account yet? Register' }).click();
    await ann.page.locator('dialog').getByLabel('Name').fill('Ann_of_Chess');
    await ann.page.getByLabel('Password').fill('correct horse battery');
    await ann.page.locator('dialog').getByRole('button', { name: 'Register', exact: true }).click();
    await ann.page.locator('header .name', { hasText: 'Ann_of_Chess' }).waitFor();
    await openFriendForm(ann);
    await ann.page.getByRole('button', { name: 'Create the game' }).click();
    const code = await ann.page.locator('.join-code code').innerText();

    await bob.page.goto('/');
    await bob.page.locator('input[name=code]').fill(code.toLowerCase());
    await bob.page.getByRole('button', { name: 'Join', exact: true }).click();
    for (const person of [ann, bob]) await person.page.locator('.game[data-state=ACTIVE]').waitFor();
    await bob.page.locator('.player .name', { hasText: 'Ann_of_Chess' }).waitFor();

    // Signing out and in again brings back the name and the game.
    await ann.page.goto('/');
    await ann.page.locator('header .name').click();
    await ann.page.getByRole('button', { name: 'Sign out' }).click();
    await ann.page.locator('header').getByRole('button', { name: 'Sign in' }).click();
    await ann.page.locator('dialog').getByLabel('Name').fill('ann_of_chess');
    await ann.page.getByLabel('Password').fill('correct horse battery');
    await ann.page.keyboard.press('Enter');
    await ann.page.locator('header .name', { hasText: 'Ann_of_Chess' }).waitFor();
    // A second Enter is not meant for what has come in the place of the form.
    await ann.page.keyboard.press('Enter');
    await ann.page.goto('/');
    await ann.page.locator('.game-row', { hasText: /turn/ }).first().waitFor();
  });

  it('meet in a private game by its link, which nobody else can see', async () => {
    await ann.page.goto('/');
    await openFriendForm(ann);
    await ann.page.getByRole('button', { name: 'Create the game' }).click();
    const link = await ann.page.getByLabel('Link to the game').inputValue();
    await bob.page.goto(new URL(ann.page.url()).pathname);
    await bob.page.getByText('There is no such game').waitFor();
    await bob.page.goto(link);
    for (const person of [ann, bob]) await person.page.locator('.game[data-state=ACTIVE]').waitFor();
  });
});
