// Pieces on the page, painted as the settings say.
import { effect } from '@preact/signals';
import { settings } from '../settings';
import { DRAWINGS, svg } from './drawings';

/** Paints every `<piece>` on the page as the settings say. */
export function applyPieces(): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  effect(() => {
    const set = settings.value.pieces;
    const rules = Object.keys(DRAWINGS).flatMap((role) =>
      (['white', 'black'] as const).map(
        (color) =>
          `piece.${role}.${color}{background-image:url("data:image/svg+xml,${encodeURIComponent(svg(role, color, set))}")}`,
      ),
    );
    sheet.replaceSync(rules.join('\n'));
  });
}
