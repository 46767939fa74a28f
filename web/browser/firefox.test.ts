// The same client in Firefox: a game of two browsers, and the analysis of one. The other tests are in Chromium.
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS, POLL, Server } from './world';

const FIREFOX = process.env.TEST_FIREFOX ?? '/usr/bin/firefox-esr';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([
    puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true }),
    Server.start(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

interface Guest {
  token: string;
  account: { id: string; name: string };
}

/** Somebody at a screen of their own. */
class Reader {
  readonly complaints: string[] = [];
  private constructor(readonly page: Page) {}

  static async arrive(): Promise<Reader> {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.setViewport({ width: 1280, height: 860 });
    const reader = new Reader(page);
    // Firefox calls it an error that a socket ends with its page.
    page.on('pageerror', (error) => / wss?:\/\//.test(String(error)) || reader.complaints.push(String(error)));
    return reader;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(server.url + path);
  }

  async press(name: string): Promise<void> {
    await this.page.bringToFront();
    await this.page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
  }

  async drag(from: string, to: string): Promise<void> {
    await this.page.bringToFront(); // a page behind another draws seldom
    const [a, b] = [await this.square(from), await this.square(to)];
    await this.page.mouse.move(a.x, a.y);
    await this.page.mouse.down();
    await this.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 2 });
    await this.page.mouse.move(b.x, b.y, { steps: 2 });
    await this.page.mouse.up();
  }

  async atPly(ply: number): Promise<void> {
    await this.page.waitForFunction((n) => document.querySelectorAll('.moves .ply').length === n, {}, ply);
  }

  text(selector: string): Promise<string> {
    return this.page.$eval(selector, (element) => element.textContent ?? '');
  }

  async leave(): Promise<void> {
    await this.page.browserContext().close();
  }

  private async square(name: string): Promise<{ x: number; y: number }> {
    const board = await this.page.waitForSelector('.board-frame cg-board');
    const box = (await board!.boundingBox())!;
    const isBlack = (await this.page.$('.cg-wrap.orientation-black')) !== null;
    const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
    const [column, row] = isBlack ? [7 - file, rank] : [file, 7 - rank];
    return { x: box.x + ((column + 0.5) * box.width) / 8, y: box.y + ((row + 0.5) * box.height) / 8 };
  }
}

describe('in Firefox', () => {
  it('two browsers play to mate, and the game is analysed', async () => {
    const [ann, bob] = [await Reader.arrive(), await Reader.arrive()];
    const host = await server.post<Guest>('/v1/guests', {});
    const terms = { time_control: { initial_seconds: 300, increment_seconds: 3 }, color: 'white' };
    const game = await server.post<{ id: string }>('/v1/games', terms, host.token);
    await ann.page.evaluateOnNewDocument(
      (session) => localStorage.setItem('arbiter.session', session),
      JSON.stringify(host),
    );
    await ann.open(`/game/${game.id}`);
    await bob.open(`/game/${game.id}`);
    await bob.press('Accept and play');
    for (const { page } of [ann, bob]) await page.waitForSelector('.game[data-state=ACTIVE]');
    const moves: [Reader, string, string][] = [
      [ann, 'f2', 'f3'],
      [bob, 'e7', 'e5'],
      [ann, 'g2', 'g4'],
      [bob, 'd8', 'h4'],
    ];
    for (const [n, [who, from, to]] of moves.entries()) {
      await who.drag(from, to);
      for (const person of [ann, bob]) await person.atPly(n + 1);
    }
    for (const { page } of [ann, bob]) await page.waitForSelector('.game[data-state=COMPLETED]');

    await ann.open(`/analysis/${game.id}`);
    await ann.press('Have the game analysed');
    await ann.page.waitForSelector('.graph .white');
    await ann.page.keyboard.press('Home');
    await ann.drag('d2', 'd4');
    await expect.poll(() => ann.text('.tree [aria-current]'), POLL).toBe('1.d4');
    for (const person of [ann, bob]) {
      expect(person.complaints).toEqual([]);
      await person.leave();
    }
  });
});
