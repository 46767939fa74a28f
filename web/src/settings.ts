// What the person at the screen prefers.
import { effect } from '@preact/signals';
import { stored } from './stored';
import type { Language } from './text';

export const THEMES = ['auto', 'light', 'dark'] as const;
export const BOARDS = ['brown', 'blue', 'green', 'grey', 'violet', 'paper', 'night'] as const;
export const PIECES = ['classic', 'flat', 'contrast', 'cburnett', 'letters'] as const;

export interface Settings {
  language: Language | 'auto';
  theme: (typeof THEMES)[number];
  board: (typeof BOARDS)[number];
  pieces: (typeof PIECES)[number];
  sound: boolean;
  /** In percent. */
  volume: number;
  /** Notices outside of the page, if the browser may. */
  notifications: boolean;
  coordinates: boolean;
  dots: boolean;
  animation: boolean;
  confirmMoves: boolean;
  /** In games with days per move. */
  confirmSlow: boolean;
  alwaysQueen: boolean;
  /** Only the board and the clocks. */
  zen: boolean;
  /** Of the room there is, in percent. */
  boardSize: number;
  /** The board as text, for a screen reader. */
  textBoard: boolean;
}

const DEFAULTS: Settings = {
  language: 'auto',
  theme: 'auto',
  board: 'brown',
  pieces: 'classic',
  sound: true,
  volume: 80,
  notifications: true,
  coordinates: true,
  dots: true,
  animation: true,
  confirmMoves: false,
  confirmSlow: true,
  alwaysQueen: false,
  zen: false,
  boardSize: 100,
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
    const { theme, board, pieces, zen } = settings.value;
    Object.assign(document.documentElement.dataset, { theme, board, pieces, zen: String(zen) });
  });
}
