import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DRAWINGS } from '../src/board/drawings';

it('draws the pieces as the server’s pictures do', () => {
  const source = readFileSync(new URL('../../crates/server/src/picture/pieces.rs', import.meta.url), 'utf8');
  const joined = source.replace(/\\\n\s*/g, '');
  for (const [role, { outline, details }] of Object.entries(DRAWINGS)) {
    expect(joined, role).toContain(`outline: "${outline}"`);
    expect(joined, role).toContain(`details: "${details}"`);
  }
});
