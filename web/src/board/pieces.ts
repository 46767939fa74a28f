// Pieces on the page, painted as the settings say. Sets that are not our own drawings are loaded when they are chosen.
import { effect } from '@preact/signals';
import { settings, type Settings } from '../settings';
import { DRAWINGS, svg, type Painted } from './drawings';

type Lazy = Exclude<Settings['pieces'], Painted>;
type Draw = (role: string, color: 'white' | 'black') => string;

const LAZY: Record<Lazy, () => Promise<string>> = {
  // By Colin M. L. Burnett, GPL-2.0-or-later, as it comes with chessground. It paints the board only; ours are elsewhere too.
  cburnett: async () =>
    (await import('@lichess-org/chessground/assets/chessground.cburnett.css?inline')).default.replaceAll(
      '.cg-wrap ',
      '',
    ),
  letters: async () => rules((await import('./letters')).letter),
};

const isLazy = (set: Settings['pieces']): set is Lazy => set in LAZY;

function rules(draw: Draw): string {
  const rule = (role: string, color: 'white' | 'black') =>
    `piece.${role}.${color}{background-image:url("data:image/svg+xml,${encodeURIComponent(draw(role, color))}")}`;
  return Object.keys(DRAWINGS)
    .flatMap((role) => [rule(role, 'white'), rule(role, 'black')])
    .join('\n');
}

/** Paints every `<piece>` on the page as the settings say. */
export function applyPieces(): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  effect(() => {
    const set = settings.value.pieces;
    if (!isLazy(set)) return sheet.replaceSync(rules((role, color) => svg(role, color, set)));
    // Until they are here, and if they never come, the usual ones.
    if (sheet.cssRules.length === 0) sheet.replaceSync(rules((role, color) => svg(role, color, 'classic')));
    void LAZY[set]().then(
      (text) => settings.peek().pieces === set && sheet.replaceSync(text),
      () => undefined,
    );
  });
}
