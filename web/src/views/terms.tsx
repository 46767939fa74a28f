// What is played here, who watches, and how good the connection is. One line that never grows.
import { Fragment } from 'preact';
import { controlName } from '../game/clock';
import type { GameRoom } from '../game/room';
import { t } from '../text';
import { PlayerLink } from './player_link';
import { titled } from './titled';

export function Terms({ room }: { room: GameRoom }) {
  const { game, presence } = room.room.value!;
  const observers = presence.observers ?? [];
  return (
    <p class="terms">
      <span>{controlName(game.time_control)}</span>
      <span>{t.variants[game.variant]}</span>
      <span>{game.rated ? t.game.rated : t.game.casual}</span>
      {presence.spectators > 0 && (
        <span class="crowd" title={observers.map(titled).join(', ')}>
          {t.game.spectators(presence.spectators)}
          {observers.map((observer, n) => (
            <Fragment key={observer.id}>
              {n === 0 ? ': ' : ', '}
              <PlayerLink {...observer} />
            </Fragment>
          ))}
        </span>
      )}
      <Link connection={room.connection.value} ms={room.roundTripMs.value} />
    </p>
  );
}

function Link({ connection, ms }: { connection: string; ms: number | null }) {
  const word =
    connection === 'open'
      ? ms === null
        ? t.net.open
        : t.net.slow(Math.round(ms))
      : connection === 'lost'
        ? t.net.lost
        : t.net.connecting;
  return (
    <span class={`link-state ${connection}`} data-connection={connection} title={word}>
      <span class="unseen">{word}</span>
    </span>
  );
}
