import { defineConfig } from 'vitest/config';

// `npm run dev` serves the page with live reload and hands the API to a running server.
const server = process.env.ARBITER_URL ?? 'http://127.0.0.1:7878';

export default defineConfig({
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows no inline script or font
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000, // Swagger UI, on a page of its own
    rolldownOptions: { input: ['index.html', 'docs.html'] },
  },
  server: { proxy: { '/v1': { target: server, ws: true }, '/docs': server } },
  test: {
    reporters: ['default', './browser/unsteady.ts'],
    projects: [
      { test: { name: 'unit', include: ['test/**/*.test.ts'] } },
      {
        test: {
          name: 'browser',
          include: ['browser/**/*.test.ts'],
          // One at a time: each drives several pages on what may be a small machine.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Browsers and machines have bad moments; who needed the second try is named (browser/unsteady.ts).
          retry: 1,
        },
      },
    ],
  },
});
