// Everything a player can do besides moving. What costs the game asks twice.
import type { Color, Game } from '../api/types';
import { t } from '../text';
import { Act, Sure } from './act';
import type { Screen } from './game';
import { Rematch } from './rematch';
import { titled } from './titled';

export function Actions({ screen: { room } }: { screen: Screen }) {
  const game = room.game.value!;
  const mine = room.myColor.value;
  if (game.state === 'WAITING') return null;
  if (game.state === 'COMPLETED') {
    return (
      <div class="actions" role="group" aria-label={t.actions.label}>
        {mine && game.result !== 'aborted' && <Rematch room={room} game={game} />}
        <a class="button" href="/">
          {t.actions.newGame}
        </a>
      </div>
    );
  }
  if (!mine) return null;
  const tell = (what: string, body?: unknown) => () => void room.tell(what, body);
  const paused = game.state === 'PAUSED' && game.paused_by !== 'idle';
  return (
    <>
      <Offers game={game} mine={mine} tell={(what) => void room.tell(what)} />
      <div class="actions" role="group" aria-label={t.actions.label}>
        {mayAbort(game, mine) ? (
          <Sure label={t.actions.abort} sign="✕" act={tell('abort')} />
        ) : (
          <Sure label={t.actions.resign} sign="⚑" act={tell('resign')} />
        )}
        {!game.draw_offer && !mayAbort(game, mine) && <Sure label={t.actions.draw} sign="½" act={tell('offer-draw')} />}
        {game.draw_rule === 'claim' && <Act label={t.actions.claimDraw} sign="½!" act={tell('claim-draw')} />}
        {!game.rated && !paused && !game.takeback_offer && hasMoved(game, mine) && (
          <Act label={t.actions.takeback} sign="↶" act={tell('offer-takeback')} />
        )}
        {!game.rated && game.clock_ms && !paused && (
          <Act label={t.actions.addTime} sign="+15" act={tell('add-time', { seconds: 15 })} />
        )}
        {!game.rated && !paused && !game.pause_offer && (
          <Act label={t.actions.pause} sign="❚❚" act={tell('offer-pause')} />
        )}
        {paused && game.paused_by === 'agreement' && !game.resume_by.includes(mine) && (
          <Act label={t.actions.resume} sign="▶" act={tell('resume')} />
        )}
      </div>
    </>
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

function Offers({ game, mine, tell }: { game: Game; mine: Color; tell(what: string): void }) {
  const opponent = titled(game.players[mine === 'white' ? 'black' : 'white'] ?? { name: '' });
  const offers = [
    {
      by: game.draw_offer,
      own: t.actions.drawOffered,
      theirs: t.actions.drawWanted(opponent),
      yes: t.actions.acceptDraw,
      what: 'draw',
    },
    {
      by: game.takeback_offer,
      own: t.actions.takebackOffered,
      theirs: t.actions.takebackWanted(opponent),
      yes: t.actions.acceptTakeback,
      what: 'takeback',
    },
    {
      by: game.pause_offer,
      own: t.actions.pauseOffered,
      theirs: t.actions.pauseWanted(opponent),
      yes: t.actions.acceptPause,
      what: 'pause',
    },
  ];
  return (
    <div aria-live="polite">
      {offers
        .filter((offer) => offer.by)
        .map((offer) =>
          offer.by === mine ? (
            <p key={offer.what} class="notice">
              {offer.own}
            </p>
          ) : (
            <p key={offer.what} class="notice ask">
              {offer.theirs}
              <button type="button" class="primary" onClick={() => tell(`accept-${offer.what}`)}>
                {offer.yes}
              </button>
              {offer.what !== 'pause' && (
                <button type="button" onClick={() => tell(`decline-${offer.what}`)}>
                  {t.actions.declineDraw}
                </button>
              )}
            </p>
          ),
        )}
    </div>
  );
}
