// The six pieces, drawn as in the server's own board pictures (a test compares them), on squares of 100 by 100.
import type { Settings } from '../settings';

interface Drawing {
  readonly outline: string;
  readonly details: string;
}

export const DRAWINGS: Record<string, Drawing> = {
  king: {
    outline:
      'M50 6H53V12H59V18H53V29.5C62 20.5 84 24 84.5 41.5C84.5 52 77 57 75.5 66V80Q80 83 80 88Q80 91 77 91' +
      'H23Q20 91 20 88Q20 83 24.5 80V66C23 57 15.5 52 15.5 41.5C16 24 38 20.5 47 29.5V18H41V12H47V6Z',
    details:
      'M24.5 65.5Q50 57.5 75.5 65.5M24.5 75Q50 67.5 75.5 75M24.5 80.5H75.5M50 30C42.5 41 43.5 51 50 60.5' +
      'C56.5 51 57.5 41 50 30Z',
  },
  queen: {
    outline:
      'M50 22L59.5 47L69 26L72 51L85.5 34.5L76.5 65Q73.5 70 75.5 75V80Q80 83 80 88Q80 91 77 91H23' +
      'Q20 91 20 88Q20 83 24.5 80V75Q26.5 70 23.5 65L14.5 34.5L28 51L31 26L40.5 47ZM8.1 31' +
      'A4.4 4.4 0 1 1 16.9 31A4.4 4.4 0 1 1 8.1 31ZM25.9 22A4.4 4.4 0 1 1 34.7 22A4.4 4.4 0 1 1 25.9 22Z' +
      'M45.6 17.5A4.4 4.4 0 1 1 54.4 17.5A4.4 4.4 0 1 1 45.6 17.5ZM65.3 22A4.4 4.4 0 1 1 74.1 22' +
      'A4.4 4.4 0 1 1 65.3 22ZM83.1 31A4.4 4.4 0 1 1 91.9 31A4.4 4.4 0 1 1 83.1 31Z',
    details: 'M24 65.5Q50 57.5 76 65.5M25 75Q50 67.5 75 75M25 80.5H75',
  },
  rook: {
    outline:
      'M50 17H57V24H64V17H74Q76 17 76 19V31L68 39L70 68L75 73Q76 74 76 76V80Q80 83 80 88Q80 91 77 91H23' +
      'Q20 91 20 88Q20 83 24 80V76Q24 74 25 73L30 68L32 39L24 31V19Q24 17 26 17H36V24H43V17Z',
    details: 'M32 39H68M30 68H70M24 80.5H76',
  },
  bishop: {
    outline:
      'M50 8A5.4 5.4 0 0 1 53.4 17.6C62.5 24.5 70 34 70 43.5C70 50.5 66 55.5 61.5 58.5H63.5' +
      'A3.1 3.1 0 0 1 63.5 64.7H60.5C61 71 64 75.5 70.5 79Q77 82.5 77.7 88Q78 91 75 91H25Q22 91 22.3 88' +
      'Q23 82.5 29.5 79C36 75.5 39 71 39.5 64.7H36.5A3.1 3.1 0 0 1 36.5 58.5H38.5C34 55.5 30 50.5 30 43.5' +
      'C30 34 37.5 24.5 46.6 17.6A5.4 5.4 0 0 1 50 8Z',
    details: 'M38 58.5H62M39 64.7H61M26.5 80.5H73.5M60 27.5L51 42',
  },
  knight: {
    outline:
      'M32 80C33 66 51 63 52.5 47.5C49 52.5 43 54 39 56C37 59.5 35 63 31.5 64.6C27 66.5 20 63.5 19 58' +
      'C18.5 54 21 50.5 23 46.5C26 40 28 35 31.5 30.5C34 27 38 23.5 41.5 21.5L42 10.5Q47.5 13 51.5 18.5' +
      'C70 21.5 83 44 77.5 80Q81 83 81 88Q81 91 78 91H28Q25 91 25 88Q25 83 32 80Z',
    details: 'M31 80.5H77.5M57 27C68 36 71 54 68.5 72M35.5 38L39.5 35.5M25.5 57L26.5 55',
  },
  pawn: {
    outline:
      'M50 18A14.5 14.5 0 0 1 59 43.9H62A3.2 3.2 0 0 1 62 50.3H58.5C59 62 62 70 69 75Q75.5 79.5 76 86' +
      'L76.2 88Q76.5 91 73.5 91H26.5Q23.5 91 23.8 88L24 86Q24.5 79.5 31 75C38 70 41 62 41.5 50.3H38' +
      'A3.2 3.2 0 0 1 38 43.9H41A14.5 14.5 0 0 1 50 18Z',
    details: 'M26.5 80.5H73.5M41 50.3H59',
  },
};

interface Paint {
  readonly fill: string;
  readonly line: string;
  readonly edge: string;
  readonly edgeWidth: number;
  readonly details: boolean;
}

/** The sets that are our own drawings in other paint. */
export type Painted = Extract<Settings['pieces'], 'classic' | 'flat' | 'contrast'>;

const PAINTS: Record<Painted, Record<'white' | 'black', Paint>> = {
  classic: {
    white: { fill: '#fffdf9', line: '#262220', edge: '#262220', edgeWidth: 3.2, details: true },
    black: { fill: '#3b3634', line: '#e6dfd7', edge: '#1b1716', edgeWidth: 3.2, details: true },
  },
  flat: {
    white: { fill: '#fbf6ec', line: '#fbf6ec', edge: '#6b5a48', edgeWidth: 2.2, details: false },
    black: { fill: '#35302d', line: '#35302d', edge: '#191514', edgeWidth: 2.2, details: false },
  },
  contrast: {
    white: { fill: '#ffffff', line: '#000000', edge: '#000000', edgeWidth: 5, details: true },
    black: { fill: '#000000', line: '#ffffff', edge: '#ffffff', edgeWidth: 3, details: true },
  },
};

/** A piece as SVG. */
export function svg(role: string, color: 'white' | 'black', set: Painted): string {
  const { outline, details } = DRAWINGS[role]!;
  const paint = PAINTS[set][color];
  const inner = paint.details ? `<path stroke="${paint.line}" stroke-width="2.6" d="${details}"/>` : '';
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><g fill="none" stroke-linecap="round" stroke-linejoin="round">' +
    `<path fill="${paint.fill}" d="${outline}"/>${inner}<path stroke="${paint.edge}" stroke-width="${paint.edgeWidth}" d="${outline}"/></g></svg>`
  );
}
