// Watching and talking.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, Person, POLL, seat, Server } from './world';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const people = (n: number) => Promise.all(Array.from({ length: n }, () => Person.arrive(browser, server)));

async function say(person: Person, text: string): Promise<void> {
  await person.page.getByRole('textbox', { name: 'Chat' }).fill(text);
  await person.page.getByRole('button', { name: 'Send' }).click();
  await hears(person, text);
}

const hears = (person: Person, text: string) => person.page.locator('.chat .words', { hasText: text }).waitFor();
const heard = (person: Person) => person.page.locator('.chat .words').allInnerTexts();

describe('in the room', () => {
  it('each role hears what is meant for it, and the players hear all when the game is over', async () => {
    const [ann, bob, eve, dan] = (await people(4)) as [Person, Person, Person, Person];
    const id = await seat(ann, bob);
    for (const watcher of [eve, dan]) {
      await watcher.page.goto(`/game/${id}`);
      await watcher.page.locator('.game[data-state=ACTIVE]').waitFor();
      await watcher.page.locator('[data-connection=open]').waitFor();
    }
    await say(ann, 'good luck');
    for (const person of [bob, eve, dan]) await hears(person, 'good luck');
    await say(eve, 'Qh5 wins');
    await hears(dan, 'Qh5 wins');
    await ann.page.getByRole('button', { name: 'Spectators', exact: true }).click();
    await say(ann, 'he is asleep');
    for (const person of [eve, dan]) await hears(person, 'he is asleep');
    // What follows arrives after what came before: once it is here, the rest would be too.
    await say(bob, 'thinking');
    await hears(ann, 'thinking');
    expect(await heard(ann)).toEqual(['good luck', 'he is asleep', 'thinking']);
    expect(await heard(bob)).toEqual(['good luck', 'thinking']);

    await bob.page.getByRole('button', { name: /^(Abort|Resign)$/ }).click();
    await bob.page.getByRole('button', { name: /Sure\?$/ }).click();
    await hears(ann, 'Qh5 wins');
    await hears(bob, 'Qh5 wins');
    await expect.poll(() => heard(bob), POLL).toEqual(['good luck', 'Qh5 wins', 'he is asleep', 'thinking']);
    for (const person of [ann, bob, eve, dan]) {
      expect(person.complaints).toEqual([]);
      await person.leave();
    }
  });

  it('players see how many watch', async () => {
    const [ann, bob, eve] = (await people(3)) as [Person, Person, Person];
    const id = await seat(ann, bob);
    await eve.page.goto(`/game/${id}`);
    await ann.page.getByText('1 watching').waitFor();
    await eve.leave();
    await ann.page.getByText('1 watching').waitFor({ state: 'detached' });
    for (const person of [ann, bob]) await person.leave();
  });
});

describe('a name', () => {
  it('leads to its owner, also of whoever talks or watches', async () => {
    const [ann, bob, dan, eve] = (await people(4)) as [Person, Person, Person, Person];
    const id = await seat(ann, bob);
    // Eve has agreed to be seen among those who watch.
    const { token, account } = await server.post<{ token: string; account: { id: string } }>('/v1/accounts', {
      username: 'Eve_Watches',
      password: 'password of eve',
    });
    const agreed = await fetch(`${server.url}/v1/me`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ preferences: { seen_watching: true } }),
    });
    expect(agreed.status).toBe(200);
    await eve.page.addInitScript(
      (session) => localStorage.setItem('arbiter.session', session),
      JSON.stringify({ token, account }),
    );
    await eve.page.goto(`/game/${id}`);
    await eve.page.locator('[data-connection=open]').waitFor();
    await dan.page.goto(`/game/${id}`);
    await dan.page.locator('.terms').getByRole('link', { name: 'Eve_Watches' }).waitFor();
    expect(await dan.flaws()).toEqual([]);
    await say(eve, 'Qh5 wins');
    await hears(dan, 'Qh5 wins');
    await dan.page.locator('.chat').getByRole('link', { name: 'eve_watches' }).click();
    await dan.page.waitForURL('**/@/eve_watches');
    for (const person of [ann, bob, dan, eve]) await person.leave();
  });
});

describe('tv', () => {
  it('shows several games on one screen over one socket, live', async () => {
    const tv = await Person.arrive(browser, server);
    const sockets: string[] = [];
    tv.page.on('websocket', (socket) => sockets.push(socket.url()));
    const pairs = await Promise.all([people(2), people(2)]);
    const ids = [];
    for (const [ann, bob] of pairs) ids.push(await seat(ann!, bob!));
    for (const [ann] of pairs) await ann!.drag('e2', 'e4');
    for (const [, bob] of pairs) await bob!.atPly(1);
    await tv.page.goto('/tv/many');
    for (const id of ids) await tv.page.locator(`.mini[href="/game/${id}"] piece`).first().waitFor();
    await tv.page.waitForFunction(
      (n) => document.querySelectorAll('.mini square.last-move').length >= n,
      2 * ids.length,
    );
    const before = await tv.page
      .locator(`.mini[href="/game/${ids[0]}"] piece.black.pawn`)
      .evaluateAll((all) => all.map((p) => (p as HTMLElement).style.transform).join());
    await pairs[0]![1]!.drag('c7', 'c5');
    await tv.page.waitForFunction(
      ([id, old]) =>
        [...document.querySelectorAll<HTMLElement>(`.mini[href="/game/${id}"] piece.black.pawn`)]
          .map((p) => p.style.transform)
          .join() !== old,
      [ids[0], before] as const,
    );
    expect(sockets).toHaveLength(1);
    expect(tv.complaints).toEqual([]);
    for (const person of [tv, ...pairs.flat()]) await person.leave();
  });
});

describe('a player who leaves', () => {
  it('is seen to be gone, and the win may be claimed when the time has come', async () => {
    const [ann, bob] = (await people(2)) as [Person, Person];
    await seat(ann, bob, 'white', '1+0');
    for (const [n, [who, from, to]] of (
      [
        [ann, 'e2', 'e4'],
        [bob, 'e7', 'e5'],
      ] as const
    ).entries()) {
      await who.drag(from, to);
      for (const person of [ann, bob]) await person.atPly(n + 1);
    }
    await bob.leave();
    await ann.page.getByText(/has left\./).waitFor();
    await ann.page.getByRole('button', { name: 'Claim the win' }).click();
    await ann.page.locator('.result', { hasText: 'You win as the opponent left' }).waitFor();
    await ann.leave();
  });
});
