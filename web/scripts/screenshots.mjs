// Takes pictures from a running server that is new:
//   node scripts/screenshots.mjs [URL]                   those that the README shows
//   node scripts/screenshots.mjs URL FOLDER [SCREEN...]  every screen, light and dark, on a desk and on a phone
// SETUP_CODE is what the server said for its first administrator: without it the console is left out.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { address, FORMS, scene, SCREENS, storage } from '../browser/scene.mjs';
import { indexed } from './palette.mjs';

const root = new URL('../../', import.meta.url);
const [url = 'http://127.0.0.1:7878', folder, ...only] = process.argv.slice(2);
const target = folder ?? new URL('docs/screenshots', root).pathname;
const readme = readFileSync(new URL('README.md', root), 'utf8');

/** Whether that picture is to be taken. */
const isWanted = (screen, picture) =>
  !folder ? readme.includes(`/${picture}.png`) : only.length === 0 || only.includes(screen.name);

const executablePath = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium';

const stage = await scene(url, process.env.SETUP_CODE);
const screens = SCREENS.filter(({ as }) => as !== 'operator' || stage.operator !== null);
mkdirSync(target, { recursive: true });
const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
for (const form of FORMS) {
  for (const screen of screens) {
    const picture = `${screen.name}-${form.name}`;
    if (!isWanted(screen, picture)) continue;
    const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...form.options });
    await context.addInitScript(
      ({ local, session }) => {
        for (const [name, value] of Object.entries(local)) localStorage.setItem(name, value);
        for (const [name, value] of Object.entries(session)) sessionStorage.setItem(name, value);
      },
      storage(stage, screen.as),
    );
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(`${screen.name}: ${error.message}`));
    await page.goto(address(screen, stage));
    await page
      .locator(screen.ready)
      .first()
      .waitFor({ timeout: 15_000 })
      .catch((e) => console.error(screen.name, e.message));
    await page.waitForLoadState('networkidle').catch(() => undefined);
    writeFileSync(`${target}/${picture}.png`, indexed(await page.screenshot()));
    await context.close();
  }
}
await browser.close();
