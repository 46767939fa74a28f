// What the first load of the play page costs. Needs `npm run build`.
import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';

const BYTES_MAX = 120 * 1024;
const dist = new URL('../dist/', import.meta.url);

it('loads the play page in less than 120 KB, compressed', () => {
  const page = readFileSync(new URL('index.html', dist), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css|svg))"/g)].map((match) => match[1]!);
  expect(files.some((file) => file.endsWith('.js'))).toBe(true);
  const packed = (file: string) =>
    Math.min(
      ...['', '.gz'].map(
        (ending) => statSync(new URL(file + ending, dist), { throwIfNoEntry: false })?.size ?? Infinity,
      ),
    );
  const bytes = page.length + files.reduce((sum, file) => sum + packed(file), 0);
  console.log(`first load: ${(bytes / 1024).toFixed(1)} KB in ${files.length + 1} files (gzip)`);
  expect(bytes).toBeLessThan(BYTES_MAX);
});
