// The analysis board: what the server found of a game, and what one tries oneself.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scene, storage, type Scene } from './scene.mjs';
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

async function reader(as?: 'nobody'): Promise<Person> {
  const person = await Person.arrive(browser, server);
  await person.page.addInitScript((local) => {
    for (const [name, value] of Object.entries(local)) localStorage.setItem(name, value);
  }, storage(stage, as).local);
  return person;
}

const current = (person: Person) => person.page.locator('.tree [aria-current]').innerText();

describe('a finished game', () => {
  it('has its opening, its accuracy, graphs and best moves; own lines and notes outlive the page', async () => {
    const ann = await reader();
    await ann.page.goto(`/analysis/${stage.ids.over}`);
    await ann.page.getByRole('heading', { name: /Philidor/ }).waitFor();
    await ann.page.getByRole('img', { name: /How the game stood/ }).waitFor();
    await ann.page.getByRole('img', { name: /The time for each move/ }).waitFor();
    expect(await current(ann)).toBe('17.Rd8#');

    await ann.page.keyboard.press('Home');
    await ann.page.keyboard.press('ArrowRight');
    expect(await current(ann)).toBe('1.e4');
    await ann.page.getByRole('button', { name: /^Best: / }).waitFor();

    // A variation by hand, one by keys, a note, and an arrow.
    await ann.drag('c7', 'c5');
    await expect.poll(() => current(ann), POLL).toBe('1…c5');
    await ann.page.getByLabel(/^Type a move/).fill('Nf3');
    await ann.page.keyboard.press('Enter');
    await expect.poll(() => current(ann), POLL).toBe('2.Nf3');
    await ann.page.getByLabel('Note').fill('the Sicilian instead');
    const [from, to] = [await ann.square('d2'), await ann.square('d4')];
    await ann.page.mouse.move(from.x, from.y);
    await ann.page.mouse.down({ button: 'right' });
    await ann.page.mouse.move(to.x, to.y, { steps: 3 });
    await ann.page.mouse.up({ button: 'right' });
    await ann.page.locator('.cg-shapes g line').first().waitFor({ state: 'attached' });

    await ann.page.reload();
    await ann.page.locator('.tree .variation', { hasText: 'Nf3' }).waitFor();
    await ann.page.locator('.tree-note', { hasText: 'the Sicilian instead' }).waitFor();
    await ann.page.locator('.tree .variation .ply', { hasText: 'Nf3' }).click();
    await ann.page.locator('.cg-shapes g line').first().waitFor({ state: 'attached' });
    expect(await ann.pieces()).toContain('white knight f3');

    await ann.page.locator('.tree .variation .ply', { hasText: 'c5' }).click();
    await ann.page.getByRole('button', { name: 'Delete from here' }).click();
    await ann.page.locator('.tree .variation').waitFor({ state: 'detached' });
    expect(ann.complaints).toEqual([]);
    await ann.leave();
  });

  it('is shared with code to embed it and as PGN, with or without clocks and evaluations', async () => {
    const ann = await reader();
    await ann.page.goto(`/analysis/${stage.ids.over}`);
    await ann.page.locator('.graph .white').waitFor();
    await ann.page.getByRole('button', { name: 'Share' }).click();
    const code = await ann.page.getByLabel('For your page').inputValue();
    expect(code).toContain(`/embed/${stage.ids.over}"`);
    const asked = async () => {
      const download = ann.page.waitForEvent('download');
      await ann.page.getByRole('button', { name: 'Download PGN' }).click();
      const chunks: Buffer[] = [];
      for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    };
    const full = await asked();
    expect([full.includes('%clk'), full.includes('%eval')]).toEqual([true, true]);
    await ann.page.getByLabel('With clocks').uncheck();
    await ann.page.getByLabel('With evaluations').uncheck();
    const plain = await asked();
    expect([plain.includes('%clk'), plain.includes('%eval')]).toEqual([false, false]);
    expect(plain).toContain('Rd8#');
    await ann.leave();
  });

  it('is analysed when somebody asks, also a guest', async () => {
    const { margarete, ferdinand } = stage.people;
    const terms = { time_control: null, color: 'white', opponent_id: ferdinand.account.id };
    const game = await server.post<{ id: string }>('/v1/games', terms, margarete.token);
    await server.post(`/v1/games/${game.id}/join`, {}, ferdinand.token);
    for (const [n, move] of ['f3', 'e5', 'g4', 'Qh4'].entries()) {
      const player = n % 2 ? ferdinand : margarete;
      if (n === 0) {
        const eve = await reader('nobody');
        await eve.page.goto(`/analysis/${game.id}`);
        await eve.page.getByText('The game is still being played.').waitFor();
        await eve.leave();
      }
      await server.post(`/v1/games/${game.id}/moves`, { move }, player.token);
    }
    const eve = await reader('nobody');
    await eve.page.goto(`/analysis/${game.id}`);
    await eve.page.getByRole('button', { name: 'Have the game analysed' }).click();
    await eve.page.locator('.tree .blunder, .tree .mistake').first().waitFor();
    expect(eve.complaints).toEqual([]);
    await eve.leave();
  });
});

describe('a board of one’s own', () => {
  it('takes a pasted game or position, and says what it cannot read', async () => {
    const ann = await reader('nobody');
    await ann.page.goto('/analysis');
    await ann.drag('e2', 'e4');
    await expect.poll(() => current(ann), POLL).toBe('1.e4');
    await ann.page.getByText('Paste a game or a position').click();
    const paste = async (text: string) => {
      await ann.page.getByLabel('PGN or FEN').fill(text);
      await ann.page.getByRole('button', { name: 'Show it' }).click();
    };
    await paste('nothing of the kind');
    await ann.page.getByText('This is neither a game nor a position.').waitFor();
    await paste('[White "Réti"]\n[Black "Tartakower"]\n\n1. e4 c6 2. d4 (2. Nc3 d5) d5 *');
    await ann.page.getByRole('heading', { name: 'Réti – Tartakower', level: 2 }).waitFor();
    await ann.page.locator('.tree .variation', { hasText: 'Nc3' }).waitFor();
    await paste('8/4P3/8/8/8/8/k7/4K3 w - - 0 1');
    await expect.poll(() => ann.pieces(), POLL).toContain('white pawn e7');
    await ann.clicks('e7', 'e8');
    await ann.page.locator('[data-piece=n]').click();
    await expect.poll(() => current(ann), POLL).toBe('1.e8=N');
    expect(ann.complaints).toEqual([]);
    await ann.leave();
  });
});
