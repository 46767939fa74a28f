// Makes the icons of the installed page from favicon.svg: node scripts/icons.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const folder = new URL('../public/', import.meta.url).pathname;
const svg = readFileSync(`${folder}favicon.svg`, 'utf8');
// A maskable icon is cut to any shape: the ground fills it, the sign keeps to the middle.
const masked = svg
  .replace(' rx="22"', '')
  .replace(/<path/, '<path transform="translate(50 50) scale(0.72) translate(-50 -50)"');

const browser = await chromium.launch({
  executablePath: process.env.TEST_CHROMIUM ?? '/usr/bin/chromium',
  chromiumSandbox: false,
  args: ['--disable-gpu'],
});
for (const [name, size, source] of [
  ['icon-192', 192, svg],
  ['icon-512', 512, svg],
  ['icon-maskable-512', 512, masked],
  ['apple-touch-icon', 180, masked],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${source}`);
  writeFileSync(`${folder}${name}.png`, await page.screenshot({ omitBackground: true }));
}
// A picture in an icon file is what browsers ask for by habit.
const page = await browser.newPage({ viewport: { width: 32, height: 32 } });
await page.setContent(`<style>body{margin:0}svg{display:block;width:32px;height:32px}</style>${svg}`);
const png = await page.screenshot({ omitBackground: true });
const head = Buffer.alloc(22);
head.writeUInt16LE(1, 2); // an icon
head.writeUInt16LE(1, 4); // with one picture
head.writeUInt8(32, 6);
head.writeUInt8(32, 7);
head.writeUInt16LE(1, 10);
head.writeUInt16LE(32, 12);
head.writeUInt32LE(png.length, 14);
head.writeUInt32LE(22, 18);
writeFileSync(`${folder}favicon.ico`, Buffer.concat([head, png]));
await browser.close();
