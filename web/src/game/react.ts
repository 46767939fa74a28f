// Sounds and spoken words that follow from a change of the game.
import type { Color, Game } from '../api/types';
import { announce } from '../announce';
import { sounds } from '../sound';
import { t } from '../text';
import { ending } from './result';

export function resultText(game: Game, mine: Color | null): string {
  if (!game.result) return '';
  const { decided, why } = ending(game, mine);
  return `${decided} ${why}`.trim();
}

/** The sound of a move, by how it is written. */
export function soundMove(san: string): void {
  if (san.includes('+') || san.includes('#')) sounds.check();
  else if (san.includes('x')) sounds.capture();
  else sounds.move();
}

/** To be called with the game before and after each change. `heard` is our own move that has sounded already. */
export function react(before: Game, after: Game, mine: Color | null, heard: number | null): void {
  // A move and the end it brings are two messages of one version.
  if (before.version === after.version && before.state === after.state) return;
  if (before.state === 'WAITING' && after.state === 'ACTIVE') {
    sounds.start();
    announce(t.spoken.started);
  }
  if (after.ply > before.ply) {
    const san = after.san.at(-1) ?? '';
    const mover: Color = after.to_move === 'white' ? 'black' : 'white';
    if (after.ply !== heard) soundMove(san);
    announce(t.spoken.moved(mover === 'white' ? t.game.white : t.game.black, san));
  }
  const wanted = (offer: string | null | undefined) => offer && mine && offer !== mine;
  if ((wanted(after.draw_offer) && !before.draw_offer) || (wanted(after.takeback_offer) && !before.takeback_offer))
    sounds.notice();
  if (after.state === 'COMPLETED' && before.state !== 'COMPLETED') {
    sounds.end();
    announce(t.spoken.over(resultText(after, mine)));
  }
}

/** What became of our own offer, if the opponent turned it down: by a word or by a move. */
export function turnedDown(before: Game, after: Game, mine: Color | null): string | null {
  if (!mine || after.state !== 'ACTIVE' || before.state !== 'ACTIVE') return null;
  if (before.draw_offer === mine && !after.draw_offer) return t.game.drawDeclined;
  const theyMoved = after.ply > before.ply && after.to_move === mine;
  if (before.takeback_offer === mine && !after.takeback_offer && (theyMoved || after.ply === before.ply))
    return t.game.takebackDeclined;
  return null;
}
