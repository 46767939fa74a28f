// The operator: the first run, and what an arbiter does is seen by the players.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scene, type Scene } from './scene.mjs';
import { openBrowser, Person, POLL, Server } from './world';

const PASSWORD = 'password of the house';

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

async function enter(person: Person, path: string): Promise<void> {
  await person.page.goto(path);
  await person.page.getByLabel('Name').fill('Steward');
  await person.page.getByLabel('Password').fill(PASSWORD);
  await person.page.getByRole('button', { name: 'Open the console' }).click();
  await person.page.getByRole('button', { name: 'Leave the console' }).waitFor();
}

describe('the first run', () => {
  it('makes whoever has the code of the log the administrator, once', async () => {
    const ann = await Person.arrive(browser, server);
    const set = async (code: string) => {
      await ann.page.getByLabel('Code').fill(code);
      await ann.page.getByLabel('Name').fill('Steward');
      await ann.page.getByLabel('Password').fill(PASSWORD);
      await ann.page.getByRole('button', { name: 'Create the administrator' }).click();
    };
    await ann.page.goto('/console');
    await ann.page.getByRole('heading', { name: 'Welcome to your server' }).waitFor();
    expect(await ann.flaws()).toEqual([]);
    await set('AAAA-BBBB-CCCC');
    await ann.page.getByRole('alert').waitFor();
    await set(server.setupCode);
    await ann.page.locator('.tile[data-figure=games]').waitFor();
    const late = await Person.arrive(browser, server);
    await late.page.goto('/console');
    await late.page.getByRole('button', { name: 'Open the console' }).waitFor();
    expect(await server.json('/v1/setup')).toEqual({ needed: false });
    // The administrator is signed in, too: every page leads to the console.
    await ann.page.goto('/');
    await ann.page.getByRole('link', { name: 'Console' }).click();
    await ann.page.getByRole('button', { name: 'Leave the console' }).click();
    await ann.page.getByRole('button', { name: 'Open the console' }).waitFor();
    for (const person of [ann, late]) {
      expect(person.complaints).toEqual([]);
      await person.leave();
    }
  });
});

describe('an arbiter', () => {
  it('is let in by password and shown the figures; a player is not', async () => {
    const eve = await Person.arrive(browser, server);
    await eve.page.goto('/console');
    await eve.page.getByLabel('Name').fill('Konrad');
    await eve.page.getByLabel('Password').fill('password of Konrad');
    await eve.page.getByRole('button', { name: 'Open the console' }).click();
    await eve.page.getByRole('alert').waitFor();
    await enter(eve, '/console');
    await eve.page.locator('.tile .sparkline').first().waitFor();
    await eve.page.getByRole('button', { name: 'Leave the console' }).click();
    await eve.page.getByRole('button', { name: 'Open the console' }).waitFor();
    await eve.leave();
  });

  it('stops and sets a clock, which the player sees, and decides the game', async () => {
    const ann = await Person.arrive(browser, server);
    await ann.page.addInitScript(
      (session) => localStorage.setItem('arbiter.session', session),
      JSON.stringify(stage.people.margarete),
    );
    await ann.page.goto(`/game/${stage.ids.game}`);
    await ann.page.locator('.game[data-state=ACTIVE]').waitFor();
    const eve = await Person.arrive(browser, server);
    await enter(eve, '/console/games');
    await eve.page.getByLabel('Game’s id or player’s name').fill(stage.ids.game);
    await eve.page.getByRole('button', { name: 'Search' }).click();
    await eve.page.getByRole('link', { name: stage.ids.game }).click();
    await eve.page.getByRole('button', { name: 'Stop the clocks' }).click();
    await ann.page.locator('.game[data-state=PAUSED]').waitFor();
    await eve.page.getByRole('button', { name: 'Let the clocks run' }).waitFor();
    await eve.page.getByLabel('White').fill('7:77');
    await eve.page.getByRole('button', { name: 'Set the clocks' }).click();
    await eve.page.getByText('A time like 5:00, please.').waitFor();
    await eve.page.getByLabel('White').fill('42:00');
    await eve.page.getByRole('button', { name: 'Set the clocks' }).click();
    await expect.poll(() => ann.page.locator('.player.white .clock').innerText(), POLL).toContain('42:00');
    await eve.page.getByRole('button', { name: 'Draw' }).click();
    await eve.page.getByRole('button', { name: /Draw: .*Sure\?/ }).click();
    await ann.page.locator('.game[data-state=COMPLETED]').waitFor();
    for (const person of [ann, eve]) {
      expect(person.complaints).toEqual([]);
      await person.leave();
    }
  });

  it('sets one clock while the other runs, which is left alone, and sees the game go on meanwhile', async () => {
    const { sophie, konrad } = stage.people;
    const eve = await Person.arrive(browser, server);
    await enter(eve, `/console/games/${stage.ids.other}`);
    const game = await server.json<{ to_move: 'white' | 'black' }>(`/v1/games/${stage.ids.other}`);
    const [running, standing] = game.to_move === 'white' ? ['White', 'Black'] : ['Black', 'White'];
    const clock = eve.page.getByLabel(running!);
    const begun = await clock.inputValue();
    // It runs on the page, too.
    await expect.poll(() => clock.inputValue(), POLL).not.toBe(begun);
    const sent = eve.page.waitForRequest((request) => request.url().endsWith('/clock'));
    await eve.page.getByLabel(standing!).fill('33:00');
    const entered = await clock.inputValue();
    await expect.poll(() => clock.inputValue(), POLL).not.toBe(entered);
    // What is being written stays when a move is made.
    const mover = game.to_move === 'white' ? sophie : konrad;
    await server.post(`/v1/games/${stage.ids.other}/offer-draw`, {}, mover.token);
    await eve.page.locator('.log li', { hasText: /draw/i }).first().waitFor({ state: 'attached' });
    expect(await eve.page.getByLabel(standing!).inputValue()).toBe('33:00');
    await eve.page.getByRole('button', { name: 'Set the clocks' }).click();
    expect((await sent).postDataJSON()).toEqual({ [`${standing!.toLowerCase()}_ms`]: 1_980_000 });
    await eve.page.getByText('Done.').waitFor();
    expect(eve.complaints).toEqual([]);
    await eve.leave();
  });

  it('decides a report, silences and lifts, and every step is in the audit log', async () => {
    const eve = await Person.arrive(browser, server);
    await enter(eve, '/console/reports');
    const report = eve.page.locator('.reports .card', { hasText: 'konrad' });
    await report.getByLabel('Decision').selectOption('warn');
    await report.getByLabel('Why').fill('be kind');
    await report.getByRole('button', { name: 'Decide' }).click();
    await eve.page.getByText('Nothing to decide.').waitFor();
    await eve.page.getByRole('button', { name: 'Decided', exact: true }).click();
    await eve.page.locator('.reports .card', { hasText: 'be kind' }).waitFor();

    await eve.page.getByRole('link', { name: 'konrad' }).click();
    const mute = eve.page.getByRole('group', { name: 'May not speak' });
    await mute.getByLabel('Why').fill('once more');
    await mute.getByRole('button', { name: 'Impose' }).click();
    await eve.page.getByRole('button', { name: 'Lift' }).click();
    await mute.waitFor();

    await eve.page.getByRole('link', { name: 'Audit log' }).click();
    await eve.page.locator('.console-table tbody tr', { hasText: 'konrad' }).nth(2).waitFor();
    expect(eve.complaints).toEqual([]);
    await eve.leave();
  });

  it('takes games in from a file and hands them out', async () => {
    const eve = await Person.arrive(browser, server);
    await enter(eve, '/console/files');
    const pgn = '[White "Reti"]\n[Black "Tartakower"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n';
    await eve.page.getByLabel('PGN file').setInputFiles({
      name: 'games.pgn',
      mimeType: 'application/x-chess-pgn',
      buffer: Buffer.from(pgn),
    });
    await eve.page.getByRole('button', { name: 'Import games' }).click();
    await eve.page.getByText(/^1 taken in/).waitFor();
    const download = eve.page.waitForEvent('download');
    await eve.page.getByRole('button', { name: 'Export games' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain('Qxf7#');
    expect(eve.complaints).toEqual([]);
    await eve.leave();
  });
});
