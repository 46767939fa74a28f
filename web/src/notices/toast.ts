// What is told on every page, one thing at a time, the oldest first.
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { here, route } from '../router';

export interface Toast {
  /** One of a kind: a newer one with the same key takes its place. */
  readonly key: string;
  readonly kind: 'challenge' | 'rematch' | 'started' | 'turn' | 'over' | 'deadline' | 'followed' | 'chat' | 'notice';
  readonly text: string;
  /** The game it is about. */
  readonly game?: string;
  /** A page where it needs no telling. */
  readonly knownOn?: string;
  readonly accept?: () => void;
  readonly decline?: () => void;
  readonly dismissed?: () => void;
}

const all = signal<readonly Toast[]>([]);

/** The game whose page is open. */
export const gameHere: ReadonlySignal<string | null> = computed(() => {
  const at = route(here.value);
  return at.page === 'game' ? at.id : null;
});

/** What wants an answer comes before what is only told. */
const RANK: Record<Toast['kind'], number> = {
  challenge: 0,
  rematch: 0,
  started: 0,
  deadline: 1,
  turn: 1,
  notice: 1,
  chat: 2,
  over: 2,
  followed: 3,
};

/** Whether it may go by itself after a while. */
export const isPassing = ({ kind }: Toast): boolean => RANK[kind] >= 2;

/** Those that tell something that the page does not show itself. */
export const toasts: ReadonlySignal<readonly Toast[]> = computed(() =>
  shownHere().sort((a, b) => RANK[a.kind] - RANK[b.kind]),
);

const isWide = (): boolean => typeof matchMedia === 'undefined' || matchMedia('(min-width: 861px)').matches;

const shownHere = (): Toast[] =>
  all.value.filter((toast) => {
    if (toast.game && toast.game === gameHere.value) return false;
    if (toast.knownOn && toast.knownOn === gameHere.value) return false;
    // The first page lists games that wait, where the list is in sight.
    return !(toast.kind === 'turn' && here.value === '/' && isWide());
  });

/** How much waits for us elsewhere, for the title. */
export const waiting: ReadonlySignal<number> = computed(
  () =>
    all.value.filter(
      ({ kind, game }) => ['challenge', 'rematch', 'turn', 'started'].includes(kind) && game !== gameHere.value,
    ).length,
);

export function show(toast: Toast): void {
  const at = all.value.findIndex(({ key }) => key === toast.key);
  all.value = at < 0 ? [...all.value, toast] : all.value.with(at, toast);
}

/** Says something already said in better words. */
export function reword(key: string, text: string): void {
  const at = all.value.findIndex((toast) => toast.key === key);
  if (at >= 0) all.value = all.value.with(at, { ...all.value[at]!, text });
}

export function dismiss(key: string): void {
  all.value = all.value.filter((toast) => toast.key !== key);
}

/** Takes back what was said of a game. */
export function forgetGame(game: string, kinds?: Toast['kind'][]): void {
  all.value = all.value.filter((toast) => toast.game !== game || (kinds && !kinds.includes(toast.kind)));
}

export function forgetAll(): void {
  all.value = [];
}
