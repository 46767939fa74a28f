// Writes src/api/schema.d.ts from the description of a running server: node scripts/schema.mjs [URL]
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const server = process.argv[2] ?? 'http://127.0.0.1:7878';
const description = await (await fetch(`${server}/v1/openapi.json`)).text();
writeFileSync(
  new URL('../src/api/schema.d.ts', import.meta.url),
  COMMENT_HEADER + astToString(await openapiTS(description)),
);
