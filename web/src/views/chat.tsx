// The room's talk. Who hears what is decided by the server; here it is only said plainly.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/http';
import type { Audience, Game } from '../api/types';
import type { GameRoom } from '../game/room';
import { ensurePlayer, me, session } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';
import { PlayerLink } from './player_link';

const LENGTH_MAX = 500;

/** Players as they write themselves; others by their id. */
const nameOf = (game: Game, id: string): string =>
  [game.players.white, game.players.black].find((player) => player?.id === id)?.name ?? id;

export function Chat({ room }: { room: GameRoom }) {
  const { chat, game } = room.room.value!;
  // Whoever made a game with a side by chance has none while it waits, and plays all the same.
  const isPlayer = room.myColor.value !== null || (game.state === 'WAITING' && game.creator === me()?.id);
  const isLive = game.state !== 'COMPLETED';
  const [audience, setAudience] = useState<Audience>('room');
  const [problem, setProblem] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [chat.length]);

  const say = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const text = String(new FormData(form).get('text')).trim();
    if (!text) return;
    setProblem(null);
    try {
      await ensurePlayer();
      await room.say(text, isPlayer ? audience : 'observers');
      form.reset();
    } catch (error) {
      setProblem(error instanceof ApiError && error.status === 429 ? t.chat.tooFast : wordsFor(error));
    }
  };
  const note = !isLive ? null : !isPlayer ? t.chat.observerNote : audience === 'observers' ? t.chat.banterNote : null;
  return (
    <section class="card chat" aria-label={t.chat.label}>
      <div ref={list} class="lines" role="log" aria-label={t.chat.label} tabIndex={0}>
        {chat.length === 0 && <p class="hint">{t.chat.empty}</p>}
        <ul>
          {chat.map((line) => (
            <li key={line.id} class={`by-${line.role}`}>
              <b>
                <PlayerLink id={line.from} title={line.title} name={nameOf(game, line.from)} />
              </b>
              {line.audience === 'observers' && <small>{t.chat.onlySpectators}</small>}{' '}
              <span class="words">{line.text}</span>
            </li>
          ))}
        </ul>
      </div>
      {isPlayer && (
        <div class="audiences" role="group" aria-label={t.chat.label}>
          <button type="button" aria-pressed={audience === 'room'} onClick={() => setAudience('room')}>
            {t.chat.toAll}
          </button>
          <button type="button" aria-pressed={audience === 'observers'} onClick={() => setAudience('observers')}>
            {t.chat.toObservers}
          </button>
        </div>
      )}
      <form class="row" onSubmit={(event) => void say(event)}>
        <input
          name="text"
          aria-label={t.chat.label}
          placeholder={session.value ? t.chat.placeholder : t.chat.asGuest}
          maxLength={LENGTH_MAX}
          autocomplete="off"
        />
        <button type="submit">{t.chat.send}</button>
      </form>
      {note && <small class="hint">{note}</small>}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
