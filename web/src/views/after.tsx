// After the game: once more, look at it, or something new.
import type { Color, Game } from '../api/types';
import type { GameRoom } from '../game/room';
import { t } from '../text';
import { useSettled } from './act';
import { Rematch } from './rematch';

/** These come where the buttons of the game were: a press that was meant for those must not be theirs. */
const SETTLE_MS = 700;

export function After({ room, game, mine }: { room: GameRoom; game: Game; mine: Color | null }) {
  const settled = useSettled(SETTLE_MS);
  return (
    <div class={`actions after ${settled ? '' : 'resting'}`} role="group" aria-label={t.actions.label}>
      {mine && game.result !== 'aborted' && <Rematch room={room} game={game} off={!settled} />}
      {game.ply > 0 && (
        <a class="button" href={`/analysis/${game.id}`}>
          {t.actions.analyse}
        </a>
      )}
      <a class="button" href="/">
        {t.actions.newGame}
      </a>
    </div>
  );
}
