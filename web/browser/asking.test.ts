// Moves and commands go over the socket while one is open, and by POST otherwise.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, Person, POLL, seat, Server } from './world';

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

interface Asked {
  what: string;
  body: Record<string, unknown>;
}

/** Everything that a page asks of games by POST, from now on. */
function posts(page: Page): Asked[] {
  const all: Asked[] = [];
  page.on('request', (request) => {
    const what = /\/v1\/games\/[^/]+\/(.+)/.exec(new URL(request.url()).pathname)?.[1];
    if (request.method() === 'POST' && what) all.push({ what, body: request.postDataJSON() as Asked['body'] });
  });
  return all;
}

const connected = (person: Person) => person.page.locator('[data-connection=open]').waitFor();
const moves = async (id: string) => (await server.json<{ san: string[] }>(`/v1/games/${id}`)).san;
const press = (person: Person, name: string) => person.page.getByRole('button', { name, exact: true }).click();

it('a game is played without a POST', async () => {
  const id = await seat(ann, bob);
  for (const person of [ann, bob]) await connected(person);
  const asked = [posts(ann.page), posts(bob.page)];
  await ann.drag('e2', 'e4');
  await bob.atPly(1);
  await bob.drag('e7', 'e5');
  for (const person of [ann, bob]) await person.atPly(2);
  await press(ann, 'Offer a draw');
  await press(ann, 'Offer a draw: Sure?');
  await bob.page.getByText(/offers a draw/).waitFor();
  await press(bob, 'Accept the draw');
  for (const person of [ann, bob]) await person.page.locator('.game[data-state=COMPLETED]').waitFor();
  expect(asked).toEqual([[], []]);
  expect(await moves(id)).toEqual(['e4', 'e5']);
});

describe('a socket that is cut in the moment of a move', () => {
  /** Lets everything pass until a move is to be cut: then nothing does, and the socket closes. */
  async function cuttable(page: Page) {
    const cut = { at: null as 'move' | 'answer' | null, moves: [] as Record<string, unknown>[] };
    await page.routeWebSocket(/\/v1\/games\/[^/]+\/stream/, (near) => {
      const far = near.connectToServer();
      let isCut = false;
      let isClosed = false;
      const close = () => {
        isClosed = true;
        void Promise.all([near, far].map((end) => end.close({ code: 4000 })));
      };
      near.onMessage((text) => {
        // What is on its way when the socket closes, such as a ping.
        if (isClosed) return;
        const { type, id: _id, ...move } = JSON.parse(text as string) as Record<string, unknown>;
        if (type === 'MOVE') cut.moves.push(move);
        isCut ||= type === 'MOVE' && cut.at !== null;
        if (!isCut || cut.at === 'answer') far.send(text);
        else close();
      });
      far.onMessage((text) => {
        if (!isCut) near.send(text);
        else if ((JSON.parse(text as string) as { type: string }).type === 'ACK') close();
      });
    });
    return cut;
  }

  for (const at of ['move', 'answer'] as const)
    it(`so that the ${at} is lost: the move counts, once, by POST`, async () => {
      const cut = await cuttable(ann.page);
      const id = await seat(ann, bob);
      await connected(ann);
      const asked = posts(ann.page);
      cut.at = at;
      await ann.drag('e2', 'e4');
      for (const person of [ann, bob]) await person.atPly(1);
      await expect.poll(() => asked, POLL).toHaveLength(1);
      expect(asked).toEqual([{ what: 'moves', body: cut.moves[0] }]);
      expect(await moves(id)).toEqual(['e4']);

      // The next one finds a socket again.
      cut.at = null;
      await connected(ann);
      await bob.drag('e7', 'e5');
      await ann.atPly(2);
      await ann.drag('g1', 'f3');
      for (const person of [ann, bob]) await person.atPly(3);
      expect(asked).toHaveLength(1);
      expect(cut.moves).toHaveLength(2);
      expect(await moves(id)).toEqual(['e4', 'e5', 'Nf3']);
    });
});
