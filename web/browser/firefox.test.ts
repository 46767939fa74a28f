// The same client in Firefox: what most people do there. The other tests are in Chromium.
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFirefox, Reader } from './reader';
import { meetByPool, registerInMidGame, speakGerman } from './scenarios';
import { POLL, Server } from './world';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openFirefox(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

interface Guest {
  token: string;
  account: { id: string; name: string };
}

/** A game between one whose page knows that they are the host, and one who accepts; the host has that side. */
async function seated(color: 'white' | 'black'): Promise<{ host: Reader; other: Reader; id: string }> {
  const [host, other] = [await Reader.arrive(browser, server), await Reader.arrive(browser, server)];
  const guest = await server.post<Guest>('/v1/guests', {});
  const terms = { time_control: { initial_seconds: 300, increment_seconds: 3 }, color };
  const { id } = await server.post<{ id: string }>('/v1/games', terms, guest.token);
  await host.page.evaluateOnNewDocument(
    (session) => localStorage.setItem('arbiter.session', session),
    JSON.stringify(guest),
  );
  for (const reader of [host, other]) await reader.open(`/game/${id}`);
  await other.press('button', 'Accept and play');
  for (const reader of [host, other]) await reader.sees('.game[data-state=ACTIVE]');
  return { host, other, id };
}

async function part(readers: Reader[]): Promise<void> {
  for (const reader of readers) {
    expect(reader.complaints).toEqual([]);
    await reader.leave();
  }
}

describe('in Firefox', () => {
  it('two browsers play to mate, and the game is analysed', async () => {
    const { host: ann, other: bob, id } = await seated('white');
    const moves: [Reader, string, string][] = [
      [ann, 'f2', 'f3'],
      [bob, 'e7', 'e5'],
      [ann, 'g2', 'g4'],
      [bob, 'd8', 'h4'],
    ];
    for (const [n, [who, from, to]] of moves.entries()) {
      await who.drag(from, to);
      for (const reader of [ann, bob]) await reader.atPly(n + 1);
    }
    for (const reader of [ann, bob]) await reader.sees('.game[data-state=COMPLETED]');

    await ann.open(`/analysis/${id}`);
    await ann.press('button', 'Have the game analysed');
    await ann.page.waitForSelector('.graph .white');
    await ann.key('Home');
    await ann.drag('d2', 'd4');
    await expect.poll(() => ann.text('.tree [aria-current]'), POLL).toBe('1.d4');
    await part([ann, bob]);
  });

  it('two who look for a game are paired by one click each, and play', async () => {
    const [ann, bob] = [await Reader.arrive(browser, server), await Reader.arrive(browser, server)];
    for (const reader of [ann, bob]) await reader.open('/');
    await meetByPool(ann, bob);
    await part([ann, bob]);
  });

  it('a guest who registers in mid-game keeps the seat and plays on', async () => {
    const { host: hal, other: gus, id } = await seated('black');
    await registerInMidGame(gus, hal, 'Gustave');
    expect(await server.json(`/v1/games/${id}`)).toMatchObject({ white: 'gustave' });
    await part([gus, hal]);
  });

  it('German is spoken to whoever’s browser asks for it, and can be left', async () => {
    const german = await openFirefox('de-DE, de');
    try {
      const ann = await Reader.arrive(german, server);
      await speakGerman(ann);
      await part([ann]);
    } finally {
      await german.close();
    }
  });
});
