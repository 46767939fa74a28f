// Everything a player can do besides moving. What costs the game asks twice. Each button has its place for the whole
// game: what is not possible now is off, not away.
import type { Color, Game } from '../api/types';
import { t } from '../text';
import { Act, Sure } from './act';
import { After } from './after';
import type { Screen } from './game';

export function Actions({ screen: { room } }: { screen: Screen }) {
  const game = room.game.value!;
  const mine = room.myColor.value;
  if (game.state === 'COMPLETED') return <After room={room} game={game} mine={mine} />;
  if (!mine || game.state === 'WAITING') return null;
  const tell = (what: string, body?: object) => () => void room.tell(what, body);
  const isPaused = game.state === 'PAUSED';
  const agreed = isPaused && game.paused_by === 'agreement';
  return (
    <div class="actions" role="group" aria-label={t.actions.label}>
      {mayAbort(game, mine) ? (
        <Sure key="abort" label={t.actions.abort} sign="✕" act={tell('abort')} />
      ) : (
        <Sure key="resign" label={t.actions.resign} sign="⚑" act={tell('resign')} />
      )}
      <Sure label={t.actions.draw} sign="½" act={tell('offer-draw')} off={!!game.draw_offer || mayAbort(game, mine)} />
      {game.draw_rule === 'claim' && <Act label={t.actions.claimDraw} sign="½!" act={tell('claim-draw')} />}
      {!game.rated && (
        <Act
          label={t.actions.takeback}
          sign="↶"
          act={tell('offer-takeback')}
          off={isPaused || !!game.takeback_offer || !hasMoved(game, mine)}
        />
      )}
      {!game.rated && game.clock_ms && (
        <Act label={t.actions.addTime} sign="+15" act={tell('add-time', { seconds: 15 })} off={isPaused} />
      )}
      {!game.rated &&
        (agreed ? (
          <Act
            key="resume"
            label={t.actions.resume}
            sign="▶"
            act={tell('resume')}
            off={game.resume_by.includes(mine)}
          />
        ) : (
          <Act
            key="pause"
            label={t.actions.pause}
            sign="❚❚"
            act={tell('offer-pause')}
            off={isPaused || !!game.pause_offer}
          />
        ))}
    </div>
  );
}

/** Each side may abort before it has moved. */
function mayAbort(game: Game, mine: Color): boolean {
  return game.ply < 2 && !hasMoved(game, mine);
}

function hasMoved(game: Game, mine: Color): boolean {
  const whiteBegan = game.initial_fen.split(' ')[1] !== 'b';
  const needed = (mine === 'white') === whiteBegan ? 1 : 2;
  return game.ply >= needed;
}
