// What the person at the screen prefers.
import { effect } from '@preact/signals';
import { stored } from './stored';

export const THEMES = ['auto', 'light', 'dark'] as const;
export const BOARDS = ['brown', 'blue', 'green', 'grey'] as const;
export const PIECES = ['classic', 'flat', 'contrast'] as const;

export interface Settings {
  theme: (typeof THEMES)[number];
  board: (typeof BOARDS)[number];
  pieces: (typeof PIECES)[number];
  sound: boolean;
  coordinates: boolean;
  dots: boolean;
  animation: boolean;
  confirmMoves: boolean;
  /** The board as text, for a screen reader. */
  textBoard: boolean;
}

const DEFAULTS: Settings = {
  theme: 'auto',
  board: 'brown',
  pieces: 'classic',
  sound: true,
  coordinates: true,
  dots: true,
  animation: true,
  confirmMoves: false,
  textBoard: false,
};

export const settings = stored<Settings>('arbiter.settings', DEFAULTS, (value) => ({
  ...DEFAULTS,
  ...(value as Partial<Settings>),
}));

export function change(some: Partial<Settings>): void {
  settings.value = { ...settings.value, ...some };
}

/** Keeps the page's colours as they were chosen. */
export function applyLooks(): void {
  effect(() => {
    const { theme, board, pieces } = settings.value;
    Object.assign(document.documentElement.dataset, { theme, board, pieces });
  });
}
