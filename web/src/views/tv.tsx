// The game to watch, big, and the liveliest others beside it, over one socket.
import { useEffect, useMemo } from 'preact/hooks';
import type { Game } from '../api/types';
import { sounds } from '../sound';
import '../styles/watch.css';
import { t } from '../text';
import { useTitle } from '../title';
import { BigBoard } from '../watch/big_board';
import { liveliest, Programme } from '../watch/programme';
import { MiniBoard } from './mini_board';

const SCREENS = 12;

export function Tv() {
  useTitle(t.tv.heading);
  const programme = useMemo(() => {
    const all: Programme = new Programme(
      () => liveliest(SCREENS),
      (game) => game.id === all.featured.value && sound(game),
    );
    return all;
  }, []);
  useEffect(() => () => programme.close(), [programme]);
  const games = programme.games.value;
  const featured = games.find((game) => game.id === programme.featured.value) ?? games[0];
  return (
    <div class="tv">
      <div class="split">
        <div>
          <h1>{t.tv.heading}</h1>
          <p class="hint">{t.tv.hint}</p>
        </div>
        <a class="button" href="/tv/many">
          {t.watch.many}
        </a>
      </div>
      {!featured ? (
        <p class="hint">{programme.isKnown.value ? t.tv.none : t.loading}</p>
      ) : (
        <div class="channel">
          <section class="featured" aria-label={t.watch.featured}>
            <BigBoard key={featured.id} game={featured} time={programme.time} />
          </section>
          <section class="minis screens" aria-label={t.watch.others}>
            {games
              .filter((game) => game !== featured)
              .map((game) => (
                <MiniBoard key={game.id} game={game} time={programme.time} />
              ))}
          </section>
        </div>
      )}
    </div>
  );
}

/** Only the move that was just made, and only the big board: what is past is not made up for. */
function sound(game: Game): void {
  if (document.visibilityState !== 'visible' || !navigator.userActivation?.hasBeenActive) return;
  const san = game.san.at(-1) ?? '';
  if (san.includes('+') || san.includes('#')) sounds.check();
  else if (san.includes('x')) sounds.capture();
  else sounds.move();
}
