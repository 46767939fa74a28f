// One game on the page: planned moves, drops, what is said and what is heard.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { guest, known, Opponent, type Known } from './tables';
import { openBrowser, Person, POLL, Server } from './world';

let browser: Browser;
let server: Server;
let ann: Known;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
beforeEach(async () => {
  ann = await known(await Person.arrive(browser, server));
});
afterEach(async () => {
  expect(ann.person.complaints).toEqual([]);
  await ann.person.leave();
});

const said = (person: Person, text: string | RegExp) => person.page.locator('.slot', { hasText: text }).waitFor();

describe('moves planned ahead', () => {
  it('are played one after the other, each when its turn comes', async () => {
    const bob = await Opponent.of(ann);
    const { person } = ann;
    await person.drag('e2', 'e4');
    await person.atPly(1);
    await person.drag('g1', 'f3');
    await said(person, '1 move planned ahead.');
    // The next begins where the one before will have ended.
    await person.drag('f3', 'g5');
    await said(person, '2 moves planned ahead.');
    await expect.poll(() => person.pieces(), POLL).toContain('white knight g5');
    expect(await person.flaws()).toEqual([]);
    await bob.move('e5');
    await person.atPly(3);
    await said(person, '1 move planned ahead.');
    await bob.move('a6');
    await person.atPly(5);
    expect(await person.page.locator('.moves .ply').allInnerTexts()).toEqual(['e4', 'e5', 'Nf3', 'a6', 'Ng5']);
  });

  it('are dropped with the other button, and when the first of them is not possible', async () => {
    const bob = await Opponent.of(ann);
    const { person } = ann;
    await person.drag('e2', 'e4');
    await person.atPly(1);
    await person.drag('d2', 'd4');
    await said(person, '1 move planned ahead.');
    const { x, y } = await person.square('h5');
    await person.page.mouse.click(x, y, { button: 'right' });
    await person.page.getByText('planned ahead').waitFor({ state: 'detached' });
    // A pawn that will find nothing to take, and another after it.
    await person.drag('e4', 'd5');
    await said(person, '1 move planned ahead.');
    await person.drag('a2', 'a4');
    await said(person, '2 moves planned ahead.');
    await bob.move('c6');
    await said(person, 'Your move');
    await expect.poll(() => person.page.locator('square.current-premove:visible').count(), POLL).toBe(0);
    await expect.poll(() => person.pieces(), POLL).toEqual(expect.arrayContaining(['white pawn e4', 'white pawn a2']));
    expect(await server.json(`/v1/games/${bob.game}`)).toMatchObject({ san: ['e4', 'c6'] });
  });
});

it('a piece is dropped from the pocket by two clicks', async () => {
  const bob = await Opponent.of(ann, { variant: 'crazyhouse' });
  const { person } = ann;
  await person.drag('e2', 'e4');
  await person.atPly(1);
  await bob.move('d5');
  await person.atPly(2);
  await person.drag('e4', 'd5');
  await person.atPly(3);
  await bob.move('a6');
  await person.atPly(4);
  await person.page.getByRole('button', { name: '1 pawn' }).click();
  await person.page.locator('square.move-dest').first().waitFor();
  await person.click('e5');
  await person.atPly(5);
  expect(await person.page.locator('.moves .ply').last().innerText()).toMatch(/@e5$/);
});

describe('the end, in words', () => {
  const ends: [string, string, string, string][] = [
    ['three_check', '4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1', 'Ra8+', 'You win with the third check'],
    ['atomic', '4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1', 'Rxd7', 'You win as the king exploded'],
    ['king_of_the_hill', '4k3/8/8/8/8/3K4/8/8 w - - 0 1', 'Kd4', 'You win as the king reached the hill'],
  ];
  for (const [variant, initial_fen, move, words] of ends)
    it(`${variant}: ${words}`, async () => {
      await Opponent.of(ann, { variant, initial_fen });
      await ann.person.page.getByLabel(/^Type a move/).fill(move);
      await ann.person.page.keyboard.press('Enter');
      await ann.person.page.locator('.result').waitFor();
      expect(await ann.person.page.locator('.result').innerText()).toBe(words);
      expect(await ann.person.flaws()).toEqual([]);
    });

  it('a rated game says what became of the rating', async () => {
    const register = (username: string) =>
      server.post<{ token: string; account: { id: string } }>('/v1/accounts', {
        username,
        password: 'a long password',
      });
    const [one, two] = [await register('Rated_One'), await register('Rated_Two')];
    await ann.person.page.addInitScript((s) => localStorage.setItem('arbiter.session', s), JSON.stringify(one));
    const game = await server.post<{ id: string }>(
      '/v1/games',
      { time_control: { initial_seconds: 300, increment_seconds: 0 }, rated: true, color: 'black' },
      two.token,
    );
    await server.post(`/v1/games/${game.id}/join`, {}, one.token);
    await ann.person.page.goto(`/game/${game.id}`);
    await ann.person.drag('e2', 'e4');
    await ann.person.atPly(1);
    await server.post(`/v1/games/${game.id}/moves`, { move: 'e5' }, two.token);
    await ann.person.atPly(2);
    await server.post(`/v1/games/${game.id}/resign`, {}, two.token);
    await ann.person.page.locator('.rating-change', { hasText: /Rating 1[67]\d\d \(\+\d+\)/ }).waitFor();
    const link = ann.person.page.getByRole('link', { name: 'Analysis board' });
    expect(await link.getAttribute('href')).toBe(`/analysis/${game.id}`);
  });
});

describe('what happens is said', () => {
  it('a declined draw, a typed move out of turn, and whose move it is in the title', async () => {
    const bob = await Opponent.of(ann);
    const { page } = ann.person;
    const type = async (text: string) => {
      await page.getByLabel(/^Type a move/).fill(text);
      await page.keyboard.press('Enter');
    };
    await expect.poll(() => page.title(), POLL).toMatch(/^● Your move/);
    await type('e4');
    await ann.person.atPly(1);
    await type('d4');
    await page.getByText('It is not your move.').first().waitFor();
    await bob.move('e5');
    await ann.person.atPly(2);
    await page.getByRole('button', { name: 'Offer a draw' }).click();
    await page.getByRole('button', { name: 'Offer a draw: Sure?' }).click();
    await said(ann.person, 'You offered a draw.');
    await bob.tell('decline-draw');
    await said(ann.person, 'Your draw offer was declined.');
    await page.getByRole('link', { name: 'Arbiter' }).click();
    await expect.poll(() => page.title(), POLL).not.toContain('Your move');
  });

  it('an invitation that was withdrawn is not a game', async () => {
    const bob = await guest(server);
    const game = await server.post<{ id: string }>('/v1/games', { time_control: null }, bob.token);
    await server.post(`/v1/games/${game.id}/cancel`, {}, bob.token);
    await ann.person.page.goto(`/game/${game.id}`);
    await ann.person.page.getByRole('heading', { name: 'This invitation is no longer open' }).waitFor();
    expect(await ann.person.page.locator('.actions').count()).toBe(0);
    expect(await ann.person.flaws()).toEqual([]);
  });

  it('a link with a code that was used says so', async () => {
    const [bob, eve] = [await guest(server), await guest(server)];
    const made = await server.post<{ id: string; join_code: string }>(
      '/v1/games',
      { time_control: null, visibility: 'private' },
      bob.token,
    );
    await server.post('/v1/games/join', { join_code: made.join_code }, eve.token);
    await ann.person.page.goto(`/join/${made.join_code}`);
    await ann.person.page.getByRole('heading', { name: 'This link has been used' }).waitFor();
    expect(await ann.person.flaws()).toEqual([]);
  });

  it('a game that does not exist is not asked for again and again', async () => {
    const { page } = ann.person;
    let asked = 0;
    page.on('websocket', (socket) => socket.url().includes('ZZZZZZZZ') && asked++);
    await page.clock.install();
    await page.goto('/game/ZZZZZZZZ');
    await page.getByRole('alert').getByText('There is no such game').waitFor();
    const before = asked;
    await page.clock.runFor(60_000);
    expect(asked).toBe(before);
  });
});

describe('what is heard', () => {
  /** Counts the sounds that a page makes. */
  const listen = (person: Person) =>
    person.page.addInitScript(() => {
      const counted = window as unknown as { sounds: number };
      counted.sounds = 0;
      const make = AudioContext.prototype.createBufferSource;
      AudioContext.prototype.createBufferSource = function (this: AudioContext) {
        counted.sounds++;
        return make.call(this);
      };
    });
  const sounds = (person: Person) => person.page.evaluate(() => (window as unknown as { sounds: number }).sounds);

  it('a spectator hears nothing before the first touch, and no backlog after it', async () => {
    const eve = await Person.arrive(browser, server);
    await listen(eve);
    const bob = await Opponent.of(ann);
    await eve.page.goto(`/game/${bob.game}`);
    await eve.page.locator('[data-connection=open]').waitFor();
    const play = (move: string) => server.post(`/v1/games/${bob.game}/moves`, { move }, ann.token);
    await play('e4');
    await bob.move('e5');
    await eve.atPly(2);
    await eve.page.keyboard.press('Shift');
    await eve.page.mouse.click(5, 400);
    expect(await sounds(eve)).toBe(0);
    await play('d4');
    await eve.atPly(3);
    await expect.poll(() => sounds(eve), POLL).toBe(1);
    await eve.leave();
  });

  it('our own move sounds at once, and once', async () => {
    await listen(ann.person);
    const bob = await Opponent.of(ann);
    const { page } = ann.person;
    // The move is held back on its way to the server.
    await page.evaluate(() => {
      const { send } = WebSocket.prototype;
      const held = new Promise<void>((release) => Object.assign(window, { release }));
      WebSocket.prototype.send = async function (text) {
        if (JSON.parse(text as string).type === 'MOVE') await held;
        send.call(this, text);
      };
    });
    await ann.person.drag('e2', 'e4');
    await expect.poll(() => sounds(ann.person), POLL).toBe(1);
    expect(await server.json(`/v1/games/${bob.game}`)).toMatchObject({ ply: 0 });
    await page.evaluate(() => (window as unknown as { release(): void }).release());
    await ann.person.atPly(1);
    await bob.move('e5');
    await ann.person.atPly(2);
    await expect.poll(() => sounds(ann.person), POLL).toBe(2);
  });
});
