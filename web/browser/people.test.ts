import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerInMidGame } from './scenarios';
import { openBrowser, Person, seat, Server } from './world';

interface Signed {
  token: string;
  account: { id: string };
}

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const join = (name: string) => server.post<Signed>('/v1/accounts', { username: name, password: `password of ${name}` });

async function signedIn(signed: Signed, options: Parameters<Browser['newContext']>[0] = {}): Promise<Person> {
  const person = await Person.arrive(browser, server, options);
  await person.page.addInitScript((session) => {
    localStorage.setItem('arbiter.session', session);
  }, JSON.stringify(signed));
  return person;
}

/** Black mates in four. */
async function ratedGame(white: Signed, black: Signed): Promise<string> {
  const game = await server.post<{ id: string }>(
    '/v1/games',
    { time_control: { initial_seconds: 300, increment_seconds: 3 }, rated: true, opponent_id: black.account.id },
    white.token,
  );
  await server.post(`/v1/games/${game.id}/join`, {}, black.token);
  for (const [n, move] of ['f3', 'e5', 'g4', 'Qh4'].entries())
    await server.post(`/v1/games/${game.id}/moves`, { move }, (n % 2 ? black : white).token);
  return game.id;
}

describe('a profile', () => {
  it('shows rating, graph, results and games after rated games', async () => {
    const [ann, bob] = [await join('ann'), await join('bob')];
    for (const [white, black] of [
      [ann, bob],
      [bob, ann],
      [ann, bob],
    ] as const)
      await ratedGame(white, black);
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = colorScheme === 'dark' ? { width: 390, height: 844 } : { width: 1280, height: 860 };
      const person = await signedIn(ann, { colorScheme, viewport });
      await person.page.goto('/@/bob');
      await person.page.getByRole('heading', { name: 'bob' }).waitFor();
      await person.page.getByText('2 wins').first().waitFor();
      await person.page.getByRole('img', { name: /^Rating in Blitz/ }).waitFor();
      await person.page.locator('.game-row').nth(2).waitFor();
      expect(await person.flaws()).toEqual([]);
      await person.leave();
    }
  });

  it('leads to a challenge, and names lead to it', async () => {
    const [cat, dan] = [await join('cat'), await join('dan')];
    const person = await signedIn(cat);
    await person.page.goto('/players');
    await person.page.getByLabel('Find a player').fill('da');
    await person.page.locator('.names a').first().waitFor();
    expect(await person.flaws()).toEqual([]);
    await person.page.locator('.names').getByRole('link', { name: 'dan' }).click();
    await person.page.waitForURL('**/@/dan');
    await person.page.getByRole('button', { name: 'Follow' }).click();
    await person.page.getByRole('button', { name: 'Unfollow' }).waitFor();
    await person.page.getByRole('button', { name: 'Challenge' }).click();
    await person.page.getByRole('button', { name: 'Challenge dan' }).click();
    await person.page.waitForURL(/\/game\//);
    await person.page.getByText('Waiting for dan to accept.').waitFor();
    const other = await signedIn(dan);
    await other.page.goto('/');
    await other.page.locator('.waits .game-row').getByRole('link', { name: 'cat' }).click();
    await other.page.waitForURL('**/@/cat');
    for (const someone of [person, other]) await someone.leave();
  });
});

describe('one’s own account', () => {
  it('can be looked after on one page', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = colorScheme === 'dark' ? { width: 390, height: 844 } : { width: 1280, height: 860 };
      const person = await signedIn(await join(`eve_${colorScheme}`), { colorScheme, viewport });
      await person.page.goto('/account');
      await person.page.getByRole('heading', { name: 'Tokens for programs' }).waitFor();
      await person.page.getByRole('heading', { name: 'Vacation' }).waitFor();
      expect(await person.flaws()).toEqual([]);
      const security = person.page.getByRole('region', { name: 'Password' });
      await security.getByLabel('Current password').fill('wrong');
      await security.getByLabel('New password').fill('another password of eve');
      await person.page.getByRole('button', { name: 'Change the password' }).click();
      await person.page.getByText('Name or password is wrong.').waitFor();
      await person.page.getByLabel('What it is for').fill('my program');
      await person.page.getByRole('button', { name: 'Make a token' }).click();
      await person.page.getByLabel('Copy it now: it is not shown again.').waitFor();
      await person.page.getByRole('button', { name: 'Sign out' }).click();
      await person.page.getByText('Sign in to see your account.').waitFor();
      await person.leave();
    }
  });

  it('has a form whose errors stay with what caused them', async () => {
    const fay = await Person.arrive(browser, server);
    await fay.page.goto('/');
    await fay.page.getByRole('button', { name: 'Sign in' }).click();
    await fay.page.locator('dialog').getByLabel('Name').fill('nobody_at_all');
    await fay.page.getByLabel('Password').fill('wrong password');
    await fay.page.keyboard.press('Enter');
    await fay.page.getByText('Name or password is wrong.').waitFor();
    await fay.page.getByRole('button', { name: 'No account yet? Register' }).click();
    await fay.page.getByText('Name or password is wrong.').waitFor({ state: 'detached' });
    await fay.leave();
  });
});

describe('settings', () => {
  it('of an account are the same on another device', async () => {
    const kim = await join('kim');
    const [one, other] = [await signedIn(kim), await signedIn(kim)];
    await one.page.goto('/');
    await one.page.locator('header').getByRole('button', { name: 'Settings' }).click();
    const kept = one.page.waitForResponse(
      (answer) => answer.url().endsWith('/v1/me/preferences') && answer.request().method() === 'PUT' && answer.ok(),
    );
    await one.page.locator('.segment.board-green').click();
    await kept;
    await other.page.goto('/');
    await other.page.waitForFunction(() => document.documentElement.dataset.board === 'green');
    for (const person of [one, other]) await person.leave();
  });
});

describe('a guest', () => {
  it('may choose what to be called', async () => {
    const { token, account } = await server.post<Signed>('/v1/guests', {});
    const lea = await signedIn({ token, account });
    await lea.page.goto('/account');
    await lea.page.getByLabel('What to call you').fill('Lea_Lou');
    await lea.page.getByRole('button', { name: 'Save' }).click();
    await lea.page.getByText('Saved.').waitFor();
    await lea.page.locator('header .name', { hasText: 'Lea_Lou (guest)' }).waitFor();
    expect(await lea.flaws()).toEqual([]);
    await lea.leave();
  });

  it('who registers in mid-game keeps the seat and plays on', async () => {
    const [gus, hal] = [await Person.arrive(browser, server), await Person.arrive(browser, server)];
    const id = await seat(gus, hal);
    await registerInMidGame(gus, hal, 'Gustav');
    const game = await server.json<{ white: string }>(`/v1/games/${id}`);
    expect(game.white).toBe('gustav');
    for (const person of [gus, hal]) await person.leave();
  });

  it('who signs in may take the games along', async () => {
    const [ivy, jan] = [await Person.arrive(browser, server), await Person.arrive(browser, server)];
    await join('ivy_league');
    const id = await seat(ivy, jan);
    await ivy.page.locator('header').getByRole('button', { name: 'Sign in' }).click();
    await ivy.page.locator('dialog').getByLabel('Name').fill('ivy_league');
    await ivy.page.getByLabel('Password').fill('password of ivy_league');
    await ivy.page.keyboard.press('Enter');
    await ivy.page.getByRole('button', { name: 'Take them over' }).click();
    await ivy.page.locator('dialog').getByRole('button', { name: 'Take them over' }).waitFor({ state: 'detached' });
    await ivy.drag('e2', 'e4');
    for (const person of [ivy, jan]) await person.atPly(1);
    const game = await server.json<{ white: string }>(`/v1/games/${id}`);
    expect(game.white).toBe('ivy_league');
    for (const person of [ivy, jan]) await person.leave();
  });

  it('who signs in and says nothing about the games is asked again on the page of the account', async () => {
    const [kai, lou] = [await Person.arrive(browser, server), await Person.arrive(browser, server)];
    await join('kai_later');
    const id = await seat(kai, lou);
    await kai.page.locator('header').getByRole('button', { name: 'Sign in' }).click();
    await kai.page.locator('dialog').getByLabel('Name').fill('kai_later');
    await kai.page.getByLabel('Password').fill('password of kai_later');
    await kai.page.keyboard.press('Enter');
    await kai.page.locator('dialog').getByRole('button', { name: 'Take them over' }).waitFor();
    await kai.page.keyboard.press('Escape');
    await kai.page.locator('dialog[open]').waitFor({ state: 'detached' });
    // Nor does a reload lose the seat.
    await kai.page.goto('/account');
    const asked = kai.page.getByRole('region', { name: 'Keep your games?' });
    await asked.getByRole('button', { name: 'Take them over' }).click();
    await asked.waitFor({ state: 'detached' });
    await kai.page.goto(`/game/${id}`);
    await kai.page.locator('.game[data-state=ACTIVE] [data-connection=open]').waitFor();
    await kai.drag('e2', 'e4');
    for (const person of [kai, lou]) await person.atPly(1);
    expect(await server.json(`/v1/games/${id}`)).toMatchObject({ white: 'kai_later' });
    for (const person of [kai, lou]) await person.leave();
  });
});
