// An invitation that leads nowhere any more: it was withdrawn, declined, or nobody came.
import type { Game } from '../api/types';
import { t } from '../text';
import { host, titled } from './titled';

/** A game that ended before anybody had joined it never was one. */
export const isWithdrawn = (game: Game): boolean => game.state === 'COMPLETED' && !game.started_at;

export function Withdrawn({ game }: { game: Game }) {
  const declined = game.decline_reason !== undefined && game.decline_reason !== null;
  return (
    <div class="overlay">
      <div class="card invitation" role="status">
        <h2>{declined ? t.game.declinedTitle : t.game.withdrawnTitle}</h2>
        <p class="hint">{declined ? t.game.declinedHint : t.game.withdrawnHint(titled(host(game)))}</p>
        <a class="button primary" href="/">
          {t.actions.newGame}
        </a>
      </div>
    </div>
  );
}
