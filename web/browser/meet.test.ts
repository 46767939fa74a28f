import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { meetByPool } from './scenarios';
import { openBrowser, openFriendForm, Person, Server } from './world';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('two who look for a game', () => {
  it('are paired by one click each, and play', async () => {
    const [ann, bob] = [await Person.arrive(browser, server), await Person.arrive(browser, server)];
    for (const person of [ann, bob]) await person.page.goto('/');
    const tile = (person: Person) => person.page.locator('.pool', { hasText: '3+2' });

    // She waits, changes her mind, and waits again: nothing has moved under her pointer.
    const before = await tile(ann).boundingBox();
    await tile(ann).click();
    await ann.page.getByText('Looking for an opponent, 3+2').waitFor();
    expect(await tile(ann).boundingBox()).toEqual(before);
    await ann.page.getByRole('button', { name: 'Cancel' }).click();
    await ann.page.getByText('Looking for an opponent').waitFor({ state: 'detached' });
    await meetByPool(ann, bob);
    for (const person of [ann, bob]) {
      expect(person.complaints).toEqual([]);
      await person.leave();
    }
  });

  it('meet in the lobby, which changes as games come and go', async () => {
    const [ann, bob] = [await Person.arrive(browser, server), await Person.arrive(browser, server)];
    await bob.page.goto('/');
    await bob.page.getByText('Nobody is waiting just now').waitFor();
    await ann.page.goto('/');
    await openFriendForm(ann);
    await ann.page.getByLabel(/^Private/).uncheck();
    await ann.page.getByRole('button', { name: 'Create the game' }).click();
    await ann.page.waitForURL(/\/game\//);
    await bob.page.locator('.game-row').getByRole('button', { name: 'Join' }).click();
    for (const person of [ann, bob]) await person.page.locator('.game[data-state=ACTIVE]').waitFor();
    for (const person of [ann, bob]) await person.leave();
  });
});

describe('the computer', () => {
  it('plays at six strengths, on a phone, too', async () => {
    const ann = await Person.arrive(browser, server, { viewport: { width: 390, height: 844 } });
    await ann.page.goto('/');
    await ann.page.getByRole('tab', { name: 'The computer' }).click();
    expect(await ann.page.locator('.level').count()).toBe(6);
    await ann.page.locator('.level', { hasText: 'Beginner' }).click();
    await ann.page.locator('.side-white').click();
    await ann.page.getByRole('button', { name: 'Play the computer' }).click();
    await ann.page.locator('.game[data-state=ACTIVE]').waitFor();
    // Nobody's clock runs before both have moved.
    const id = new URL(ann.page.url()).pathname.split('/').pop()!;
    expect(await server.json(`/v1/games/${id}`)).toMatchObject({ clock_start: 'second_ply' });
    await ann.drag('e2', 'e4');
    await ann.atPly(2);
    await ann.leave();
  });
});

describe('the form', () => {
  it('takes a time as it is typed', async () => {
    const ann = await Person.arrive(browser, server);
    await ann.page.goto('/');
    await openFriendForm(ann);
    await ann.page.locator('.time', { hasText: 'Custom' }).click();
    const minutes = ann.page.getByLabel('Minutes');
    await minutes.fill('7');
    await minutes.press('Backspace');
    await ann.page.keyboard.type('3');
    expect(await minutes.inputValue()).toBe('3');
    await ann.page.getByRole('button', { name: 'Create the game' }).click();
    await ann.page.waitForURL(/\/game\//);
    await ann.page.locator('.invitation', { hasText: '3+0' }).waitFor();
    await ann.leave();
  });

  it('starts from the Chess960 position with that number, and its clock when both have moved', async () => {
    const { token } = await server.post<{ token: string }>('/v1/guests', {});
    const ann = await Person.arrive(browser, server);
    await ann.page.goto('/');
    await openFriendForm(ann);
    await ann.page.getByLabel(/^Private/).uncheck();
    await ann.page.getByText('More options').click();
    await ann.page.getByLabel('Variant').selectOption('chess960');
    await ann.page.getByText('The pieces of the first rank are shuffled.').waitFor();
    await ann.page.getByLabel('Chess960 position').fill('0');
    await ann.page.getByRole('button', { name: 'Create the game' }).click();
    await ann.page.waitForURL(/\/game\//);
    const id = new URL(ann.page.url()).pathname.split('/').pop()!;
    const game = await server.post<{ initial_fen: string; clock_start: string }>(`/v1/games/${id}/join`, {}, token);
    expect(game.initial_fen).toMatch(/^bbqnnrkr\//);
    expect(game.clock_start).toBe('second_ply');
    await ann.leave();
  });

  it('says in words what the server refuses', async () => {
    const ann = await Person.arrive(browser, server);
    await ann.page.goto('/');
    await openFriendForm(ann);
    await ann.page.getByText('More options').click();
    await ann.page.getByLabel('Start position (FEN)').fill('no position at all');
    await ann.page.getByRole('button', { name: 'Create the game' }).click();
    await ann.page.getByText('That is not a position a game can start from.').waitFor();
    await ann.leave();
  });
});

describe('a game for a friend', () => {
  it('is private: only who has the link joins', async () => {
    const [ann, bob, eve] = await Promise.all([0, 1, 2].map(() => Person.arrive(browser, server)));
    await ann!.page.goto('/');
    await openFriendForm(ann!);
    await ann!.page.getByRole('button', { name: 'Create the game' }).click();
    const link = await ann!.page.getByLabel('Link to the game').inputValue();
    await eve!.page.goto('/');
    await eve!.page.getByText('Nobody is waiting just now').waitFor();
    await bob!.page.goto(link);
    for (const person of [ann!, bob!]) await person.page.locator('.game[data-state=ACTIVE]').waitFor();
    const id = new URL(ann!.page.url()).pathname.split('/').pop()!;
    const { games } = await server.json<{ games: { id: string }[] }>('/v1/tv');
    expect(games.map((game) => game.id)).not.toContain(id);
    await eve!.page.goto(`/game/${id}`);
    await eve!.page.getByText('There is no such game').waitFor();
    for (const person of [ann!, bob!, eve!]) await person.leave();
  });

  /** A private game that waits, and the link that its creator sends. */
  async function invitation(from: string, terms: object = {}) {
    const body = { time_control: { initial_seconds: 300, increment_seconds: 3 }, visibility: 'private', ...terms };
    const game = await server.post<{ id: string; join_code: string }>('/v1/games', body, from);
    return { ...game, link: `/join/${game.join_code}?game=${game.id}` };
  }
  const guest = () => server.post<{ token: string; account: { id: string } }>('/v1/guests', {});

  it('has a link that says what became of it: used, withdrawn, or our own', async () => {
    const [host, other] = [await guest(), await guest()];
    const bob = await Person.arrive(browser, server);
    const used = await invitation(host.token);
    await server.post('/v1/games/join', { join_code: used.join_code }, other.token);
    await bob.page.goto(used.link);
    await bob.page.getByRole('heading', { name: 'This link has been used' }).waitFor();
    const withdrawn = await invitation(host.token);
    await server.post(`/v1/games/${withdrawn.id}/cancel`, {}, host.token);
    await bob.page.goto(withdrawn.link);
    await bob.page.getByRole('heading', { name: 'This invitation is no longer open' }).waitFor();
    expect(await bob.flaws()).toEqual([]);
    // What went wrong there is not told on the first page.
    await bob.page.getByRole('link', { name: 'To the first page' }).click();
    await bob.page.getByRole('heading', { name: 'Join with a code' }).waitFor();
    expect(await bob.page.getByRole('alert').count()).toBe(0);

    const ann = await Person.arrive(browser, server);
    await ann.page.addInitScript((session) => localStorage.setItem('arbiter.session', session), JSON.stringify(host));
    const own = await invitation(host.token);
    await ann.page.goto('/');
    await ann.page.goto(own.link);
    await ann.page.waitForURL(`**/game/${own.id}`);
    expect(await ann.page.getByLabel('Link to the game').inputValue()).toBe(server.url + own.link);
    // Back leads to where one was before the link.
    await ann.page.goBack();
    await ann.page.getByRole('heading', { name: 'Open games' }).waitFor();
    for (const person of [ann, bob]) await person.leave();
  });

  it('that is rated asks a guest for an account, and is joined with it', async () => {
    const host = await server.post<{ token: string }>('/v1/accounts', {
      username: 'Rated_Host',
      password: 'password of host',
    });
    const { id, link } = await invitation(host.token, { rated: true });
    const bob = await Person.arrive(browser, server);
    await bob.page.goto(link);
    await bob.page.getByRole('heading', { name: 'This game is rated' }).waitFor();
    expect(await bob.flaws()).toEqual([]);
    await bob.page.locator('main').getByRole('button', { name: 'Register' }).click();
    await bob.page.locator('dialog').getByLabel('Name').fill('Rated_Guest');
    await bob.page.getByLabel('Password').fill('password of guest');
    await bob.page.keyboard.press('Enter');
    await bob.page.waitForURL(`**/game/${id}`);
    await bob.page.locator('.game[data-state=ACTIVE]').waitFor();
    expect(bob.complaints).toEqual([]);
    await bob.leave();
  });
});
