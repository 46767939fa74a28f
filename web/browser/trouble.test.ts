import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, PATIENCE_MS, Person, POLL, seat, Server } from './world';
import { Wire } from './wire';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

async function scene<T>(
  play: (server: Server, ann: Person, bob: Person, id: string, wire: Wire) => Promise<T>,
): Promise<void> {
  const server = await Server.start();
  const wire = await Wire.to(server.url);
  const ann = await Person.arrive(browser, server, { baseURL: wire.url });
  const bob = await Person.arrive(browser, server);
  try {
    await play(server, ann, bob, await seat(ann, bob, 'white', '15+10'), wire);
    expect([...ann.complaints, ...bob.complaints]).toEqual([]);
  } finally {
    await ann.leave();
    await bob.leave();
    await wire.close();
    await server.stop();
  }
}

describe('when things go wrong', () => {
  it('a player who loses the network returns by herself, and her move with her', () =>
    scene(async (server, ann, bob, id, wire) => {
      const lose = async () => {
        wire.cut();
        await ann.context.setOffline(true);
      };
      const regain = async () => {
        wire.mend();
        await ann.context.setOffline(false);
      };
      await ann.drag('e2', 'e4');
      await bob.atPly(1);
      await lose();
      await bob.drag('e7', 'e5');
      await bob.atPly(2);
      await ann.page.locator('[data-connection=lost]').waitFor();
      await regain();
      await ann.atPly(2);
      await ann.page.locator('[data-connection=open]').waitFor();

      // A move that is made without a network: the board shows what the server has, and the move follows later.
      await lose();
      await ann.drag('g1', 'f3');
      await ann.page.getByText('Nf3 is not confirmed yet').waitFor();
      await ann.page.waitForFunction(() => !document.querySelector('.board-frame cg-board piece.anim'));
      await expect.poll(() => ann.pieces(), POLL).toContain('white knight g1');
      await regain();
      for (const person of [ann, bob]) await person.atPly(3);
      await expect.poll(() => ann.pieces(), POLL).toContain('white knight f3');
      expect(await server.json(`/v1/games/${id}`)).toMatchObject({ san: ['e4', 'e5', 'Nf3'] });
    }));

  it('a server that is killed and started again finds both players at the same board', () =>
    scene(async (server, ann, bob, id) => {
      await ann.drag('d2', 'd4');
      for (const person of [ann, bob]) await person.atPly(1);
      await server.kill();
      for (const person of [ann, bob]) await person.page.locator('[data-connection=lost]').waitFor();
      await bob.drag('d7', 'd5');
      await bob.page.getByText('d5 is not confirmed yet').waitFor();
      await server.start();
      for (const person of [ann, bob]) await person.atPly(2);
      for (const person of [ann, bob]) await person.page.locator('[data-connection=open]').waitFor();
      await ann.drag('c2', 'c4');
      for (const person of [ann, bob]) await person.atPly(3);
      expect(await server.json(`/v1/games/${id}`)).toMatchObject({ san: ['d4', 'd5', 'c4'], state: 'ACTIVE' });
    }));

  it(
    'with answers three seconds late, a refused move leaves the board within a frame of the answer',
    () =>
      scene(async (_server, ann, bob) => {
        const before = await ann.pieces();
        await ann.page.evaluate(() => {
          // Notes the frame in which the answer was read and the one in which the pawn was back.
          const marks: Record<string, number> = {};
          const wire = { isRefusing: true };
          Object.assign(window, { marks, wire });
          const { send } = WebSocket.prototype;
          WebSocket.prototype.send = function (text) {
            const { type, id } = JSON.parse(text as string) as { type: string; id: number };
            if (type !== 'MOVE') return send.call(this, text);
            const refused = { type: 'REFUSED', id, status: 422, error: 'illegal_move', detail: 'the server says no' };
            setTimeout(() => {
              if (!wire.isRefusing) return send.call(this, text);
              marks.answered = performance.now();
              this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(refused) }));
            }, 3_000);
          };
          const watch = (at: number) => {
            const back = [...document.querySelectorAll<HTMLElement>('.board-frame cg-board piece.white.pawn')]
              .map((p) => p.style.transform)
              .join();
            const first = (marks.start ??= at);
            const store = window as unknown as { drawn?: [number, string][] };
            (store.drawn ??= []).push([at, back]);
            if (at - first < 60_000) requestAnimationFrame(watch);
          };
          requestAnimationFrame(watch);
        });
        await ann.drag('e2', 'e4');
        await ann.page.waitForFunction(
          () => document.querySelector('.moves .ply') === null && document.querySelector('.said.turn') !== null,
        );
        await expect.poll(() => ann.pieces(), POLL).toContain('white pawn e4');
        await ann.page.getByText('The server refused the move').waitFor();
        // A few frames later, so that there is something to count.
        await ann.page.waitForFunction(() => {
          const { marks, drawn } = window as unknown as { marks: Record<string, number>; drawn: [number, string][] };
          return drawn.filter(([at]) => at > marks.answered!).length > 3;
        });
        const late = await ann.page.evaluate(() => {
          const { marks, drawn } = window as unknown as { marks: Record<string, number>; drawn: [number, string][] };
          const home = drawn[0]![1];
          const after = drawn.filter(([at]) => at > marks.answered!);
          return after.findIndex(([, pawns]) => pawns === home);
        });
        // The first frame after the answer may have been begun before it.
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThanOrEqual(1);
        await expect.poll(() => ann.pieces(), POLL).toEqual(before);

        // The delay alone refuses nothing: the next move counts.
        await ann.page.evaluate(() => {
          (window as unknown as { wire: { isRefusing: boolean } }).wire.isRefusing = false;
        });
        await ann.drag('e2', 'e4');
        await bob.atPly(1);
        await ann.atPly(1);
        await expect.poll(() => ann.pieces(), POLL).toContain('white pawn e4');
      }),
    PATIENCE_MS * 4,
  );
});
