// Takes the pictures of the README from a running server: node scripts/screenshots.mjs [URL] [FOLDER]
import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { indexed } from './palette.mjs';

const server = process.argv[2] ?? 'http://127.0.0.1:7878';
const folder = process.argv[3] ?? new URL('../../docs/screenshots', import.meta.url).pathname;
const executablePath = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium';
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });

async function person(name, options) {
  const context = await browser.newContext({ baseURL: server, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  const account = await post('/v1/accounts', { username: name, password: `password of ${name}` }).catch(() =>
    post('/v1/sessions', { username: name, password: `password of ${name}` }),
  );
  await page.addInitScript((session) => localStorage.setItem('arbiter.session', session), JSON.stringify(account));
  return { page, token: account.token, name };
}

async function post(path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(server + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

const shoot = async (page, name) => {
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(500);
  writeFileSync(`${folder}/${name}.png`, indexed(await page.screenshot()));
};

/** A game between two accounts, some moves in. */
async function played(white, black, moves, terms = {}) {
  const game = await post(
    '/v1/games',
    { time_control: { initial_seconds: 600, increment_seconds: 5 }, opponent_id: black.name, ...terms },
    white.token,
  );
  await post(`/v1/games/${game.id}/join`, {}, black.token);
  for (const [n, move] of moves.split(' ').entries())
    await post(`/v1/games/${game.id}/moves`, { move }, (n % 2 ? black : white).token);
  return game.id;
}

const MARSHALL =
  'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5 exd5 Nxd5 Nxe5 Nxe5 Rxe5 c6 d4 Bd6 Re1 Qh4 g3 Qh3';
const SICILIAN = 'e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Bg5 e6 f4 Qb6';
const GAMBIT = 'd4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6 Bh4 b6';
const CRAZY = 'e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 Bg4 Be2 Nc6 O-O O-O-O h3 Bxf3 Bxf3 e5';

const light = await person('Margarete', { viewport: WIDE, colorScheme: 'light' });
const dark = await person('Ferdinand', { viewport: WIDE, colorScheme: 'dark' });
const phoneLight = await person('Sophie', {
  viewport: PHONE,
  colorScheme: 'light',
  deviceScaleFactor: 1,
  hasTouch: true,
});
const phoneDark = await person('Konrad', {
  viewport: PHONE,
  colorScheme: 'dark',
  deviceScaleFactor: 1,
  hasTouch: true,
});

const main = await played(light, dark, MARSHALL);
await played(dark, phoneLight, SICILIAN);
await played(phoneLight, phoneDark, GAMBIT);
const crazy = await played(phoneDark, light, CRAZY, { variant: 'crazyhouse' });
const open = await post('/v1/games', { time_control: { initial_seconds: 180, increment_seconds: 2 } }, phoneDark.token);

for (const { page } of [light, dark, phoneLight, phoneDark]) await page.goto(`/game/${main}`);
await post(`/v1/games/${main}/chat`, { text: 'The Marshall? Brave.', audience: 'room' }, light.token);
await post(`/v1/games/${main}/chat`, { text: 'Let us see how you defend.', audience: 'room' }, dark.token);
await shoot(light.page, 'game-light');
await shoot(dark.page, 'game-dark');
await shoot(phoneLight.page, 'watch-phone-light');
await phoneDark.page.goto(`/game/${crazy}`);
await shoot(phoneDark.page, 'game-phone-dark');

for (const [who, name] of [
  [light, 'home-light'],
  [dark, 'home-dark'],
  [phoneLight, 'home-phone-light'],
  [phoneDark, 'home-phone-dark'],
]) {
  await who.page.goto('/');
  await shoot(who.page, name);
}
await light.page.goto('/tv');
await shoot(light.page, 'tv-light');
await dark.page.goto('/tv');
await shoot(dark.page, 'tv-dark');
await phoneDark.page.goto(`/game/${open.id}`);
await shoot(phoneDark.page, 'waiting-phone-dark');

// A skill match: the draft, then a skill in the hand.
await light.page.goto('/skill');
await light.page.getByLabel('Your name').fill('Margarete');
await light.page.getByRole('button', { name: 'Open a room' }).click();
const code = await light.page.locator('.join-code code').innerText();
await phoneDark.page.goto('/skill');
await phoneDark.page.getByLabel('Your name').fill('Konrad');
await phoneDark.page.goto(`/join/${code}`);
await light.page.locator('[data-skill=deadeye] select').selectOption('c1');
await light.page.locator('[data-skill=deadeye] em').waitFor();
await light.page.locator('[data-skill=shadowstep] select').selectOption('f1');
await light.page.locator('[data-skill=shadowstep] em').waitFor();
await phoneDark.page.locator('[data-skill=knightfall] select').selectOption('e7');
await phoneDark.page.locator('[data-skill=knightfall] em').waitFor();
await shoot(light.page, 'skill-draft-light');
for (const { page } of [light, phoneDark]) await page.getByRole('button', { name: 'Lock in' }).click();
for (const { page } of [light, phoneDark]) await page.locator('.match[data-phase=active]').waitFor();
const squares = async (page, ...names) => {
  const box = await page.locator('cg-board').boundingBox();
  const isBlack = (await page.locator('.orientation-black').count()) > 0;
  for (const name of names) {
    const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
    const [column, row] = isBlack ? [7 - file, rank] : [file, 7 - rank];
    await page.mouse.click(box.x + ((column + 0.5) * box.width) / 8, box.y + ((row + 0.5) * box.height) / 8);
  }
};
let n = 0;
for (const [who, from, to] of [
  [light, 'd2', 'd4'],
  [phoneDark, 'd7', 'd5'],
  [light, 'c2', 'c4'],
  [phoneDark, 'd5', 'c4'],
]) {
  await squares(who.page, from, to);
  n += 1;
  for (const { page } of [light, phoneDark])
    await page.waitForFunction((k) => document.querySelectorAll('.moves .ply').length === k, n);
}
await light.page.locator('[data-skill=deadeye] button').click();
await shoot(light.page, 'skill-light');
await shoot(phoneDark.page, 'skill-phone-dark');
await browser.close();
