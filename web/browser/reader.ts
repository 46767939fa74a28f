// Somebody at a screen in Firefox. Playwright drives no Firefox but its own: this one is the system's, over WebDriver BiDi.
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import type { Someone } from './scenarios';
import { PATIENCE_MS, type Server } from './world';

const FIREFOX = process.env.TEST_FIREFOX ?? '/usr/bin/firefox-esr';

/** `languages`: what the browser asks for, as `de-DE, de`. */
export const openFirefox = (languages = 'en-GB, en'): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: { 'intl.accept_languages': languages },
  });

export class Reader implements Someone {
  /** Whatever the page complained about. */
  readonly complaints: string[] = [];
  private constructor(
    readonly page: Page,
    private readonly server: Server,
  ) {}

  static async arrive(browser: Browser, server: Server): Promise<Reader> {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.setViewport({ width: 1280, height: 860 });
    const reader = new Reader(page, server);
    // Firefox calls it an error that a socket ends with its page.
    page.on('pageerror', (error) => / wss?:\/\//.test(String(error)) || reader.complaints.push(String(error)));
    return reader;
  }

  async leave(): Promise<void> {
    await this.page.browserContext().close();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.server.url + path);
  }

  async sees(what: string, text: string | RegExp = ''): Promise<void> {
    await this.find(what, text);
  }

  async press(what: string, text = ''): Promise<void> {
    await (await this.find(what, text, true)).click();
  }

  async write(field: string, text: string): Promise<void> {
    await (await this.find(field, '')).type(text);
  }

  async key(name: 'Enter' | 'Home'): Promise<void> {
    await this.page.keyboard.press(name);
  }

  async has(what: string): Promise<boolean> {
    return (await this.page.$(what)) !== null;
  }

  path(): string {
    return new URL(this.page.url()).pathname;
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

  /** The first such thing in sight; `isLive`: that can be pressed. */
  private async find(what: string, text: string | RegExp, isLive = false): Promise<ElementHandle<HTMLElement>> {
    await this.page.bringToFront();
    const pattern = typeof text === 'string' ? text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : text.source;
    const flags = typeof text === 'string' ? '' : text.flags;
    const found = await this.page.waitForFunction(
      (selector, source, flags, isLive) =>
        [...document.querySelectorAll<HTMLElement>(selector)].find(
          (one) =>
            one.getClientRects().length > 0 &&
            new RegExp(source, flags).test(one.textContent ?? '') &&
            !(isLive && (one as HTMLButtonElement).disabled),
        ),
      {},
      what,
      pattern,
      flags,
      isLive,
    );
    return found as ElementHandle<HTMLElement>;
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
