// Keeps the page's own files, so that it opens without a network and says so. The server's answers are never kept.
const CACHE = 'arbiter-1';
const SHELL = '/';
const FILES_MAX = 120;

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().catch(() => undefined));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  // Their names change with what is in them: what is kept is never old.
  else if (url.pathname.startsWith('/assets/')) event.respondWith(file(request));
});

/** The page with its files, as the server has it now. */
async function keepShell() {
  const cache = await caches.open(CACHE);
  const answer = await fetch(SHELL, { cache: 'no-cache', credentials: 'omit' });
  if (!answer.ok) return;
  const html = await answer.clone().text();
  const files = [...html.matchAll(/"(\/assets\/[^"]+|\/favicon\.svg)"/g)].map((match) => match[1]);
  for (const path of files) if (!(await cache.match(path))) await cache.add(path);
  await cache.put(SHELL, answer);
  const kept = await cache.keys();
  for (const old of kept.slice(0, Math.max(0, kept.length - FILES_MAX))) await cache.delete(old);
}

/** From the network; without one, the page that says so. */
async function page(event) {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(keepShell().catch(() => undefined));
    return answer;
  } catch (error) {
    const kept = await caches.match(SHELL);
    if (!kept) throw error;
    const html = (await kept.text()).replace('<div id="app"', '<div id="app" data-offline');
    const headers = new Headers(kept.headers);
    headers.delete('content-length');
    headers.delete('content-encoding');
    return new Response(html, { headers });
  }
}

async function file(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

self.addEventListener('push', (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // not ours; a notice must be shown all the same
  }
  event.waitUntil(
    self.registration.showNotification(told.title ?? 'Arbiter', {
      body: told.body ?? undefined,
      tag: told.game_id ? `game ${told.game_id}` : undefined,
      icon: '/icon-192.png',
      badge: '/icon-192.png',
      data: { url: told.game_id ? `/game/${told.game_id}` : (told.url ?? '/') },
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? '/', self.location.origin);
  const path = url.origin === self.location.origin ? url.pathname : '/';
  event.waitUntil(
    (async () => {
      const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const there = windows.find((client) => new URL(client.url).pathname === path) ?? windows[0];
      if (!there) return self.clients.openWindow(path);
      there.postMessage({ open: path });
      return there.focus();
    })(),
  );
});
