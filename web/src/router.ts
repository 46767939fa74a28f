// Which page the address means.
import { signal } from '@preact/signals';

export type Route =
  | { page: 'home' }
  | { page: 'tv' }
  | { page: 'screens' }
  | { page: 'game'; id: string }
  | { page: 'join'; code: string }
  | { page: 'skill' }
  | { page: 'match'; id: string }
  | { page: 'profile'; name: string }
  | { page: 'players' }
  | { page: 'account' }
  | { page: 'analysis'; id: string | null }
  | { page: 'embed'; id: string }
  | { page: 'console'; section: string[] }
  | { page: 'nowhere' };

const NOWHERE: Route = { page: 'nowhere' };

/** Pages of their own: what follows the first word. */
const PAGES: Record<string, (rest: string[]) => Route> = {
  tv: ([many, ...more]) =>
    more.length > 0 ? NOWHERE : many === undefined ? { page: 'tv' } : many === 'many' ? { page: 'screens' } : NOWHERE,
  game: one((id) => ({ page: 'game', id })),
  join: one((code) => ({ page: 'join', code })),
  skill: (rest) => (rest.length === 0 ? { page: 'skill' } : one((id) => ({ page: 'match', id }))(rest)),
  '@': one((name) => ({ page: 'profile', name })),
  players: none({ page: 'players' }),
  account: none({ page: 'account' }),
  analysis: (rest) =>
    rest.length === 0 ? { page: 'analysis', id: null } : one((id) => ({ page: 'analysis', id }))(rest),
  embed: one((id) => ({ page: 'embed', id })),
  console: (section) => ({ page: 'console', section }),
};

function one(page: (value: string) => Route): (rest: string[]) => Route {
  return ([value, ...more]) => (value === undefined || more.length > 0 ? NOWHERE : page(value));
}

function none(page: Route): (rest: string[]) => Route {
  return (rest) => (rest.length === 0 ? page : NOWHERE);
}

export function route(path: string): Route {
  let words: string[];
  try {
    words = path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return NOWHERE; // a lone per cent sign
  }
  const [first, ...rest] = words;
  if (first === undefined) return { page: 'home' };
  if (Object.hasOwn(PAGES, first)) return PAGES[first]!(rest);
  // As clients of the Lichess door name a game; every address above comes first.
  if (rest.length === 0 && /^[A-Za-z0-9]{8}$/.test(first)) return { page: 'game', id: first };
  return NOWHERE;
}

export const here = signal(typeof location === 'undefined' ? '/' : location.pathname);

export function go(path: string): void {
  if (path === location.pathname + location.search) return;
  history.pushState(null, '', path);
  arrive();
}

/** In place of the address we are at: "back" does not lead there again. */
export function replace(path: string): void {
  history.replaceState(null, '', path);
  arrive();
}

function arrive(): void {
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
    go(link.pathname + link.search);
  });
}
