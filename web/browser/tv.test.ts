// Watching without playing: TV, many boards, and a board within another page.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scene, type Scene } from './scene.mjs';
import { openBrowser, Person, POLL, Server } from './world';

let browser: Browser;
let server: Server;
let stage: Scene;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
  stage = await scene(server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const version = (id: string) => server.json<{ version: number }>(`/v1/games/${id}`).then((game) => game.version);

describe('tv', () => {
  it('has one game big, with its variant and ratings, and follows it', async () => {
    const eve = await Person.arrive(browser, server);
    await eve.page.goto('/tv');
    const big = eve.page.locator('.featured .big-board');
    await big.waitFor();
    await eve.page.locator('.screens .mini').nth(2).waitFor();
    const id = (await big.locator('a.big-link').getAttribute('href'))!.split('/').pop()!;
    expect(await eve.page.locator(`.mini[href="/game/${id}"]`).count()).toBe(0);
    expect(await big.locator('.rating').count()).toBe(2);
    const before = Number(await big.getAttribute('data-version'));
    const game = await server.json<{ variant: string; to_move: string; white: string; black: string }>(
      `/v1/games/${id}`,
    );
    const variant = game.variant === 'crazyhouse' ? 'Crazyhouse' : 'Standard';
    expect(await big.locator('.tag').allInnerTexts()).toContain(variant);
    for (const name of [game.white, game.black]) await big.locator(`.big-side a[href="/@/${name}"]`).waitFor();
    const mover = game.to_move === 'white' ? game.white : game.black;
    const { token } = stage.people[mover as 'margarete'];
    await server.post(`/v1/games/${id}/offer-draw`, {}, token);
    await eve.page.locator(`.featured .big-board:not([data-version="${before}"])`).waitFor();
    expect(eve.complaints).toEqual([]);
    await eve.leave();
  });

  it('never sounds before the page was touched, and makes nothing up for it then', async () => {
    const eve = await Person.arrive(browser, server);
    await eve.page.addInitScript(() => {
      const heard: number[] = [];
      (window as unknown as { heard: number[] }).heard = heard;
      const start = AudioBufferSourceNode.prototype.start;
      AudioBufferSourceNode.prototype.start = function (when?: number) {
        heard.push(when ?? 0);
        return start.call(this, when);
      };
    });
    const { sophie, konrad } = stage.people;
    await eve.page.goto(`/game/${stage.ids.other}`);
    await eve.page.locator('[data-connection=open]').waitFor();
    const move = async (text: string, token: string) => {
      await server.post(`/v1/games/${stage.ids.other}/moves`, { move: text }, token);
      const { ply } = await server.json<{ ply: number }>(`/v1/games/${stage.ids.other}`);
      await eve.atPly(ply);
    };
    await move('cxd5', sophie.token);
    await move('exd5', konrad.token);
    const heard = () => eve.page.evaluate(() => (window as unknown as { heard: number[] }).heard.length);
    expect(await heard()).toBe(0);
    await eve.page.mouse.click(5, 300);
    expect(await heard()).toBe(0);
    await move('Bd3', sophie.token);
    await expect.poll(heard, POLL).toBeGreaterThan(0);
    await eve.leave();
  });
});

describe('many boards', () => {
  it('shows the liveliest over one socket, or the games one names', async () => {
    const eve = await Person.arrive(browser, server);
    const sockets: string[] = [];
    eve.page.on('websocket', (socket) => sockets.push(socket.url()));
    await eve.page.goto('/tv/many');
    await eve.page.locator('.boards[data-count="4"]').waitFor();
    expect(sockets).toHaveLength(1);
    for (const id of [stage.ids.over, stage.ids.other]) {
      await eve.page.getByLabel('Link or id of a game').fill(`${server.url}/game/${id}`);
      await eve.page.getByRole('button', { name: 'Add a board' }).click();
      await eve.page.locator(`.boards .mini[href="/game/${id}"]`).waitFor();
    }
    await eve.page.reload();
    await eve.page.locator('.boards[data-count="2"]').waitFor();
    await eve.page.getByLabel('Link or id of a game').fill('!');
    await eve.page.getByRole('button', { name: 'Add a board' }).click();
    await eve.page.getByText('That is no link to a game.').waitFor();
    await eve.page.getByRole('button', { name: 'The liveliest games' }).click();
    await eve.page.locator('.boards[data-count="4"]').waitFor();
    expect(eve.complaints).toEqual([]);
    await eve.leave();
  });
});

describe('within another page', () => {
  it('a board follows its game and leads to it; no other page of ours may be framed', async () => {
    const frame = (path: string) => `<iframe width="420" height="560" src="${server.url}${path}"></iframe>`;
    const host = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end(`<title>A club</title>${frame(`/embed/${stage.ids.other}`)}${frame('/tv')}`);
    });
    await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
    const eve = await Person.arrive(browser, server);
    await eve.page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
    const board = eve.page.frameLocator('iframe').first();
    await board.locator('cg-board piece').first().waitFor();
    expect(await board.locator('header, footer').count()).toBe(0);
    const link = board.getByRole('link', { name: 'Follow the game on Arbiter' });
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([
      `/game/${stage.ids.other}`,
      '_blank',
    ]);
    const name = board.getByRole('link', { name: 'Konrad', exact: true });
    expect([await name.getAttribute('href'), await name.getAttribute('target')]).toEqual(['/@/konrad', '_blank']);
    const before = await version(stage.ids.other);
    await server.post(`/v1/games/${stage.ids.other}/resign`, {}, stage.people.konrad.token);
    await board.locator(`.big-board:not([data-version="${before}"])`).waitFor();
    await board.getByText('White wins').waitFor();
    expect(await eve.page.frameLocator('iframe').nth(1).locator('.tv').count()).toBe(0);
    await eve.leave();
    await new Promise<void>((done) => host.close(() => done()));
  });
});
