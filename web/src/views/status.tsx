// Where the game stands, in a few words, and what needs an answer.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { controlName, localMs } from '../game/clock';
import { resultText } from '../game/react';
import { t } from '../text';
import type { Screen } from './game';
import { titled } from './titled';

const second = signal(0);

export function Status({ screen: { room, hand } }: { screen: Screen }) {
  const { game, presence } = room.room.value!;
  const observers = presence.observers ?? [];
  const mine = room.myColor.value;
  const pending = room.pending.value;
  const connection = room.connection.value;
  const theirs = mine === 'white' ? 'black' : 'white';
  const opponent = mine ? presence[theirs] : null;
  useEffect(() => {
    const timer = setInterval(() => second.value++, 1_000);
    return () => clearInterval(timer);
  }, []);

  return (
    <section class="status" aria-label={t.game.status}>
      <p class="terms">
        <span>{controlName(game.time_control)}</span>
        <span>{t.variants[game.variant]}</span>
        <span>{game.rated ? t.game.rated : t.game.casual}</span>
        {presence.spectators > 0 && (
          <span class="crowd">
            {t.game.spectators(presence.spectators)}
            {observers.length > 0 && `: ${observers.map(titled).join(', ')}`}
          </span>
        )}
        <Link connection={connection} ms={room.roundTripMs.value} />
      </p>
      {game.result ? (
        <p class="result" role="status">
          {resultText(game, mine)}
        </p>
      ) : (
        game.state !== 'WAITING' && <p class="turn-word">{turnWord(game, mine)}</p>
      )}
      {connection === 'lost' && (
        <p class="notice warn" role="alert">
          {t.net.lost}
        </p>
      )}
      {pending?.unanswered && (
        <p class="notice warn" role="alert">
          {t.game.unsent(pending.preview.san)}
        </p>
      )}
      {room.notice.value && (
        <p class="notice problem" role="alert">
          {room.notice}
        </p>
      )}
      {!room.isLive.value && (
        <p class="notice">
          {t.game.history}{' '}
          <button type="button" class="link" onClick={() => room.view(null)}>
            {t.game.backToLive}
          </button>
        </p>
      )}
      {hand.candidate.value && (
        <p class="notice ask">
          {t.moves.confirm}
          <button type="button" class="primary" onClick={() => hand.confirm(true)}>
            {t.actions.yes}
          </button>
          <button type="button" onClick={() => hand.confirm(false)}>
            {t.actions.no}
          </button>
        </p>
      )}
      {game.state === 'ACTIVE' && opponent && !opponent.online && opponent.claim_at && (
        <Gone
          name={titled(opponent)}
          claimAt={Date.parse(opponent.claim_at)}
          now={room.time.at(localMs())}
          claim={() => void room.tell('claim-win')}
        />
      )}
    </section>
  );
}

function turnWord(
  game: {
    state: string;
    paused_by?: string | null;
    resume_by: string[];
    to_move: string;
    check: boolean;
    players: Record<'white' | 'black', { name: string; title?: string | null } | null | undefined>;
  },
  mine: string | null,
): string {
  const named = (color: 'white' | 'black') =>
    titled(game.players[color] ?? { name: color === 'white' ? t.game.white : t.game.black });
  if (game.state === 'PAUSED') {
    const paused = t.game.pausedBy[game.paused_by ?? ''] ?? t.game.paused;
    const ready = game.resume_by.map((color) => t.game.ready(named(color as 'white' | 'black')));
    return [paused, ...ready].join('. ');
  }
  const mover = game.to_move as 'white' | 'black';
  const word = mine === mover ? t.game.yourMove : t.game.theirMove(named(mover));
  return game.check ? `${t.game.check}! ${word}` : word;
}

function Gone({ name, claimAt, now, claim }: { name: string; claimAt: number; now: number; claim(): void }) {
  void second.value;
  const wait = Math.ceil((claimAt - now) / 1_000);
  return (
    <p class="notice ask" role="status">
      {t.game.gone(name)}{' '}
      {wait > 0 ? (
        t.game.claimIn(wait)
      ) : (
        <button type="button" class="primary" onClick={claim}>
          {t.actions.claimWin}
        </button>
      )}
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
