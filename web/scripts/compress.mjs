// Puts a brotli and a gzip form beside every built file that gets smaller by it; the server picks one.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = new URL('../dist', import.meta.url).pathname;
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || entry.name === 'index.html') continue; // the page is completed by the server
  const file = join(entry.parentPath, entry.name);
  const plain = readFileSync(file);
  for (const [ending, packed] of [
    ['br', brotliCompressSync(plain, brotli)],
    ['gz', gzipSync(plain, { level: 9 })],
  ]) {
    if (packed.length < plain.length) writeFileSync(`${file}.${ending}`, packed);
  }
}
