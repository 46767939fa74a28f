// The real server and the system's Chromium, for the tests in this folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { Someone } from './scenarios';

const BINARY = process.env.TEST_SERVER ?? new URL('../../target/debug/arbiter', import.meta.url).pathname;
const CHROMIUM = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Longer than any of these pages takes on a slow machine; nothing waits for it to pass. */
export const PATIENCE_MS = 60_000;

/** For what is on the board a frame later. */
export const POLL = { timeout: PATIENCE_MS, interval: 50 };

/**
 * A port that is free now and stays so while a server that is killed is away: below those that the system gives to
 * whoever connects.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((done) => {
      probe.once('error', () => done(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
    });
    if (isFree) return port;
  }
}

/** A server of our own, with its own database, which survives `kill` and `start`. */
export class Server {
  private process: ChildProcess | null = null;
  /** What it told whoever started it. */
  private said = '';
  private constructor(
    readonly url: string,
    private readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Server> {
    const port = await freePort();
    const server = new Server(`http://127.0.0.1:${port}`, port, mkdtempSync(join(tmpdir(), 'arbiter-browser-')));
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const env = {
      ...process.env,
      ARBITER_LISTEN: `127.0.0.1:${this.port}`,
      ARBITER_STORE: `sqlite:${join(this.folder, 'arbiter.db')}`,
      ARBITER_RATE_LIMITS: 'off',
      ARBITER_LOG: 'warn',
    };
    const child = (this.process = spawn(BINARY, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] }));
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    const gone = new Promise<never>((_, fail) => {
      child.once('error', fail);
      child.once('exit', (code) => fail(new Error(`the server ended with ${code}`)));
    });
    gone.catch(() => undefined);
    await Promise.race([this.ready(), gone]);
  }

  private async ready(): Promise<void> {
    for (;;) {
      const answer = await fetch(`${this.url}/ready`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** The code for the first administrator, as the server wrote it when it started. */
  get setupCode(): string {
    return /with the code (\S+)/.exec(this.said)?.[1] ?? '';
  }

  /** As when the power goes: nothing is said, nothing is finished. */
  async kill(): Promise<void> {
    const child = this.process;
    this.process = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise<void>((done) => child.once('exit', () => done()));
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async json<T = Record<string, unknown>>(path: string): Promise<T> {
    const answer = await fetch(this.url + path);
    return (await answer.json()) as T;
  }

  async post<T = Record<string, unknown>>(path: string, body: unknown, token?: string): Promise<T> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const answer = await fetch(this.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}

export function openBrowser(): Promise<Browser> {
  // Root may not use Chromium's sandbox; what is opened here is our own page.
  return chromium.launch({ executablePath: CHROMIUM, headless: true, chromiumSandbox: false, args: FLAGS });
}

/** Somebody at a screen of their own: storage, network and page. */
export class Person implements Someone {
  /** Whatever the page complained about. */
  readonly complaints: string[] = [];
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly server: Server,
  ) {}

  static async arrive(
    browser: Browser,
    server: Server,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Person> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 860 },
      baseURL: server.url,
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const person = new Person(context, page, server);
    page.on('pageerror', (error) => person.complaints.push(error.message));
    page.on(
      'console',
      (line) =>
        line.type() === 'error' &&
        !/Failed to load resource|WebSocket connection/.test(line.text()) &&
        person.complaints.push(line.text()),
    );
    return person;
  }

  async leave(): Promise<void> {
    await this.context.close();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path);
  }

  async sees(what: string, text?: string | RegExp): Promise<void> {
    await this.find(what, text).waitFor();
  }

  async press(what: string, text?: string): Promise<void> {
    await this.find(what, text).click();
  }

  async write(field: string, text: string): Promise<void> {
    await this.page.locator(field).fill(text);
  }

  async key(name: string): Promise<void> {
    await this.page.keyboard.press(name);
  }

  async has(what: string): Promise<boolean> {
    return (await this.page.locator(what).count()) > 0;
  }

  path(): string {
    return new URL(this.page.url()).pathname;
  }

  private find(what: string, text?: string | RegExp): Locator {
    return this.page.locator(what, { hasText: text }).first();
  }

  /** Waits until the page's game is at that half-move, as the server knows it. */
  async atPly(ply: number): Promise<void> {
    await this.page
      .locator('.moves .ply')
      .nth(ply - 1)
      .waitFor();
    await this.page.waitForFunction((n) => document.querySelectorAll('.moves .ply').length === n, ply);
  }

  async square(name: string): Promise<{ x: number; y: number }> {
    const box = (await this.page.locator('.board-frame cg-board, .match cg-board').first().boundingBox())!;
    const isBlack = await this.page.locator('.cg-wrap.orientation-black').count();
    const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
    const [column, row] = isBlack ? [7 - file, rank] : [file, 7 - rank];
    return { x: box.x + ((column + 0.5) * box.width) / 8, y: box.y + ((row + 0.5) * box.height) / 8 };
  }

  async click(square: string): Promise<void> {
    const { x, y } = await this.square(square);
    await this.page.mouse.click(x, y);
  }

  /** Click and click: the other way to move. */
  async clicks(from: string, to: string): Promise<void> {
    await this.click(from);
    await this.click(to);
  }

  async drag(from: string, to: string): Promise<void> {
    const [a, b] = [await this.square(from), await this.square(to)];
    await this.page.mouse.move(a.x, a.y);
    await this.page.mouse.down();
    await this.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 2 });
    await this.page.mouse.move(b.x, b.y, { steps: 2 });
    await this.page.mouse.up();
  }

  /** What axe-core finds wrong with the page, seriously. */
  async flaws(): Promise<string[]> {
    await this.page.evaluate(axe);
    const found = await this.page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
      return (await axe.run({ resultTypes: ['violations'] })).violations;
    });
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
  }

  /** What fields and choices on the page say and have no room for. */
  cut(): Promise<string[]> {
    return this.page.evaluate(() => {
      const ARROW = 16;
      const pen = document.createElement('canvas').getContext('2d')!;
      const fields = document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
        'main input[placeholder], main select',
      );
      return [...fields].flatMap((field) => {
        const style = getComputedStyle(field);
        const isChoice = field instanceof HTMLSelectElement;
        const text = isChoice ? (field.selectedOptions[0]?.text ?? '') : field.placeholder;
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        const around = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) + (isChoice ? ARROW : 0);
        return field.clientWidth > 0 && pen.measureText(text).width > field.clientWidth - around ? [text] : [];
      });
    });
  }

  /** The pieces on the board, as `white king e1`, sorted. */
  pieces(): Promise<string[]> {
    return this.page.evaluate(() => {
      const board = document.querySelector('.board-frame cg-board')!;
      const size = board.getBoundingClientRect().width / 8;
      const isBlack = document.querySelector('.cg-wrap.orientation-black') !== null;
      return [...board.querySelectorAll('piece:not(.ghost):not(.fading)')]
        .map((piece) => {
          const at = /translate\(([-\d.]+)px(?:, ([-\d.]+)px)?\)/.exec((piece as HTMLElement).style.transform)!;
          const [column, row] = [Math.round(Number(at[1]) / size), Math.round(Number(at[2] ?? 0) / size)];
          const [file, rank] = isBlack ? [7 - column, row] : [column, 7 - row];
          return `${piece.className.split(' ').slice(0, 2).join(' ')} ${'abcdefgh'[file]}${rank + 1}`;
        })
        .sort();
    });
  }
}

/** The form on the first screen that makes a game for a friend. */
export const openFriendForm = (person: Person): Promise<void> =>
  person.page.getByRole('tab', { name: 'A friend' }).click();

/** Ann creates a game on her page, Bob opens her link. Both are guests unless they signed in before. */
export async function seat(ann: Person, bob: Person, side: 'white' | 'black' = 'white', time = '5+3'): Promise<string> {
  await ann.page.goto('/');
  await openFriendForm(ann);
  await ann.page.locator('.time', { hasText: time }).first().click();
  await ann.page.locator(`.side-${side}`).click();
  // Everyone may watch the games of these tests.
  await ann.page.getByLabel(/^Private/).uncheck();
  await ann.page.getByRole('button', { name: 'Create the game' }).click();
  await ann.page.waitForURL(/\/game\//);
  const path = new URL(ann.page.url()).pathname;
  await bob.page.goto(path);
  await bob.page.getByRole('button', { name: 'Accept and play' }).click();
  for (const person of [ann, bob]) await person.page.locator('.game[data-state=ACTIVE]').waitFor();
  return path.split('/').pop()!;
}
