// A text that is missing in one language is an error of types, and no bundler looks at types.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

it('the build checks the types of the client before it bundles it', () => {
  expect(read('package.json').scripts.build).toMatch(/^tsc -p tsconfig\.build\.json && vite build/);
  const checked = read('tsconfig.build.json');
  expect([checked.extends, checked.include]).toEqual(['./tsconfig.json', ['src']]);
});
