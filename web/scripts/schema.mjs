// Writes src/api/schema.d.ts from the server's own description. Starts the server that was built last
// (TEST_SERVER names another), or asks a running one: node scripts/schema.mjs [URL]
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const PORT = 7899;
const binary = process.env.TEST_SERVER ?? new URL('../../target/debug/arbiter', import.meta.url).pathname;

function start() {
  const env = { ...process.env, ARBITER_LISTEN: `127.0.0.1:${PORT}`, ARBITER_STORE: 'memory:', ARBITER_LOG: 'warn' };
  return spawn(binary, ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function description(url) {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${url}/v1/openapi.json`).catch(() => null);
    if (answer?.ok) return answer.text();
    if (tries > 100) throw new Error(`${url} does not answer`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

const child = process.argv[2] ? null : start();
try {
  const text = await description(process.argv[2] ?? `http://127.0.0.1:${PORT}`);
  const types = COMMENT_HEADER + astToString(await openapiTS(text));
  writeFileSync(new URL('../src/api/schema.d.ts', import.meta.url), types);
} finally {
  child?.kill();
}
