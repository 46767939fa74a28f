// Without a network: the page says so, and comes back by itself.
import { signal } from '@preact/signals';
import { go } from './router';

/** Whether the page was opened without a server to ask. */
export const isOffline = signal(false);

const EVERY_MS = 2_000;

/** What the service worker writes on the page when it had to serve it from what is kept. */
export function wasKept(root: HTMLElement): boolean {
  return root.dataset.offline !== undefined;
}

/** Looks for the server until it is there. */
export function awaitServer(): () => void {
  const look = async () => {
    const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null);
    // What stands in the page's head may be older than the server: all of it is fetched anew.
    if (answer?.ok) location.reload();
  };
  const again = () => void look();
  const timer = setInterval(again, EVERY_MS);
  addEventListener('online', again);
  return () => {
    clearInterval(timer);
    removeEventListener('online', again);
  };
}

/** Makes the page installable. */
export function followServiceWorker(): void {
  if (!('serviceWorker' in navigator) || !isSecureContext || import.meta.env.DEV) return;
  void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
  // A notice that was pressed leads to its page in the window that is open.
  navigator.serviceWorker.addEventListener('message', (event: MessageEvent<{ open?: string }>) => {
    if (event.data.open) go(event.data.open);
  });
}
