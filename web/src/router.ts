// Which page the address means.
import { signal } from '@preact/signals';

export type Route =
  | { page: 'home' }
  | { page: 'tv' }
  | { page: 'game'; id: string }
  | { page: 'join'; code: string }
  | { page: 'skill' }
  | { page: 'match'; id: string }
  | { page: 'nowhere' };

export function route(path: string): Route {
  const [first, second, ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent);
  if (rest.length > 0) return { page: 'nowhere' };
  if (first === undefined) return { page: 'home' };
  if (first === 'tv' && second === undefined) return { page: 'tv' };
  if (first === 'game' && second) return { page: 'game', id: second };
  if (first === 'join' && second) return { page: 'join', code: second };
  if (first === 'skill') return second ? { page: 'match', id: second } : { page: 'skill' };
  return { page: 'nowhere' };
}

export const here = signal(typeof location === 'undefined' ? '/' : location.pathname);

export function go(path: string): void {
  if (path === location.pathname) return;
  history.pushState(null, '', path);
  here.value = location.pathname;
  scrollTo(0, 0);
}

/** Links within the client change the page without loading it. */
export function followLinks(): void {
  addEventListener('popstate', () => (here.value = location.pathname));
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || route(link.pathname).page === 'nowhere' || link.hash) return;
    event.preventDefault();
    go(link.pathname);
  });
}
