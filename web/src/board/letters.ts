// Pieces as letters on discs: for whoever reads them more easily than shapes.
const LETTERS: Record<string, string> = { king: 'K', queen: 'Q', rook: 'R', bishop: 'B', knight: 'N', pawn: 'P' };

export function letter(role: string, color: 'white' | 'black'): string {
  const [fill, ink] = color === 'white' ? ['#fffdf9', '#1b1716'] : ['#2b2624', '#fffdf9'];
  const radius = role === 'pawn' ? 30 : 40;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">' +
    `<circle cx="50" cy="50" r="${radius}" fill="${fill}" stroke="${color === 'white' ? ink : '#000'}" stroke-width="4"/>` +
    `<text x="50" y="${role === 'pawn' ? 64 : 69}" fill="${ink}" font-family="Arial,Helvetica,sans-serif" font-weight="700" ` +
    `font-size="${role === 'pawn' ? 40 : 54}" text-anchor="middle">${LETTERS[role]}</text></svg>`
  );
}
