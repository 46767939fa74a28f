// A whole game on a phone, against the computer, to mate.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { known } from './tables';
import { openBrowser, Person, POLL, Server } from './world';

let browser: Browser;
let server: Server;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), Server.start()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const UPRIGHT = { width: 390, height: 844 };
const ON_ITS_SIDE = { width: 844, height: 390 };

async function phone(viewport: { width: number; height: number }) {
  const person = await Person.arrive(browser, server, { viewport, hasTouch: true, isMobile: true });
  const taps = async (...squares: string[]) => {
    for (const square of squares) {
      const { x, y } = await person.square(square);
      await person.page.touchscreen.tap(x, y);
    }
  };
  return { ...(await known(person)), taps };
}

describe('on a phone', () => {
  it('the computer is mated in two', async () => {
    const { person, token, taps } = await phone(UPRIGHT);
    const { page } = person;
    const game = await server.post<{ id: string }>(
      '/v1/games/bot',
      {
        difficulty: 'beginner',
        player_color: 'white',
        time_control: { initial_seconds: 600, increment_seconds: 5 },
        initial_fen: '6k1/8/R7/1R6/8/8/8/4K3 w - - 0 1',
      },
      token,
    );
    await page.goto(`/game/${game.id}`);
    await page.locator('.game[data-state=ACTIVE]').waitFor();
    const box = async (what: string) => (await page.locator(what).first().boundingBox())!;
    const [header, board, dock] = [await box('header'), await box('cg-board'), await box('.dock')];
    expect(header.height).toBeLessThanOrEqual(48);
    expect(board.width).toBeGreaterThanOrEqual(384);
    // Actions and offers are right under the board, and all of it is on the screen.
    expect(dock.y - (board.y + board.height)).toBeLessThan(60);
    expect(dock.y + dock.height).toBeLessThan(UPRIGHT.height);
    expect((await box('.moves')).height).toBeLessThanOrEqual(46);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(UPRIGHT.width);
    expect(await person.flaws()).toEqual([]);

    await taps('a6', 'a7');
    await person.atPly(2); // the king has nowhere to go but along the edge
    await taps('b5', 'b8');
    await person.atPly(3);
    await page.locator('.result').waitFor();
    expect(await page.locator('.result').innerText()).toBe('You win by checkmate');
    expect(await person.flaws()).toEqual([]);
    expect(person.complaints).toEqual([]);
    await person.leave();
  });

  it('on its side the board has all the height', async () => {
    const { person, token } = await phone(ON_ITS_SIDE);
    const game = await server.post<{ id: string }>(
      '/v1/games/bot',
      { difficulty: 'beginner', player_color: 'white', time_control: null },
      token,
    );
    await person.page.goto(`/game/${game.id}`);
    await person.page.locator('.game[data-state=ACTIVE]').waitFor();
    const box = async (what: string) => (await person.page.locator(what).first().boundingBox())!;
    expect((await box('cg-board')).height).toBeGreaterThan(330);
    for (const bar of ['.player.top', '.player.bottom', '.dock']) {
      const { y, height } = await box(bar);
      expect(y + height, bar).toBeLessThanOrEqual(ON_ITS_SIDE.height);
    }
    expect(await person.flaws()).toEqual([]);
    await person.leave();
  });
});

describe('on any screen', () => {
  for (const [width, height, least] of [
    [1920, 1080, 890],
    [1280, 800, 600],
    [1024, 768, 580],
    [820, 1180, 780],
  ] as const)
    it(`${width}x${height}: the board is at least ${least} pixels wide, and both clocks are seen`, async () => {
      const { person, token } = await phone({ width, height });
      const game = await server.post<{ id: string }>(
        '/v1/games/bot',
        {
          difficulty: 'beginner',
          player_color: 'white',
          variant: 'three_check',
          time_control: { initial_seconds: 600, increment_seconds: 5 },
        },
        token,
      );
      await person.page.goto(`/game/${game.id}`);
      await person.page.locator('.game[data-state=ACTIVE]').waitFor();
      expect((await person.page.locator('cg-board').boundingBox())!.width).toBeGreaterThanOrEqual(least);
      for (const bar of ['.player.top .clock', '.player.bottom .clock']) {
        const clock = (await person.page.locator(bar).boundingBox())!;
        expect(clock.y).toBeGreaterThan(0);
        expect(clock.y + clock.height, bar).toBeLessThanOrEqual(height);
      }
      await person.leave();
    });

  it('the board is made smaller by its corner, and stays so', async () => {
    const { person, token } = await phone({ width: 1280, height: 800 });
    const { page } = person;
    const game = await server.post<{ id: string }>(
      '/v1/games/bot',
      { difficulty: 'beginner', player_color: 'white', time_control: null },
      token,
    );
    await page.goto(`/game/${game.id}`);
    const width = async () => (await page.locator('cg-board').boundingBox())!.width;
    await page.locator('.game[data-state=ACTIVE]').waitFor();
    const before = await width();
    const corner = (await page.getByRole('slider', { name: 'Size of the board' }).boundingBox())!;
    await page.mouse.move(corner.x + 11, corner.y + 11);
    await page.mouse.down();
    await page.mouse.move(corner.x - 140, corner.y - 140, { steps: 4 });
    await page.mouse.up();
    await expect.poll(width, POLL).toBeLessThan(before - 100);
    const small = await width();
    await page.reload();
    await expect.poll(width, POLL).toBe(small);
    await page.getByRole('slider', { name: 'Size of the board' }).focus();
    for (let n = 0; n < 12; n++) await page.keyboard.press('ArrowUp');
    await expect.poll(width, POLL).toBe(before);
    await person.leave();
  });
});
