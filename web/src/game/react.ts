// Sounds and spoken words that follow from a change of the game.
import type { Color, Game } from '../api/types';
import { announce } from '../announce';
import { sounds } from '../sound';
import { t } from '../text';

export function resultText(game: Game, mine: Color | null): string {
  if (!game.result) return '';
  const decided =
    game.winner && mine
      ? game.winner === mine
        ? t.results.youWin!
        : t.results.youLose!
      : (t.results[game.result] ?? game.result);
  return `${decided} ${t.reasons[game.reason ?? ''] ?? ''}`.trim();
}

/** To be called with the game before and after each change. */
export function react(before: Game, after: Game, mine: Color | null): void {
  // A move and the end it brings are two messages of one version.
  if (before.version === after.version && before.state === after.state) return;
  if (before.state === 'WAITING' && after.state === 'ACTIVE') {
    sounds.start();
    announce(t.spoken.started);
  }
  if (after.ply > before.ply) {
    const san = after.san.at(-1) ?? '';
    const mover: Color = after.to_move === 'white' ? 'black' : 'white';
    if (san.includes('+') || san.includes('#')) sounds.check();
    else if (san.includes('x')) sounds.capture();
    else sounds.move();
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
