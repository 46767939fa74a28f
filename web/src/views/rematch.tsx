// The next game between the same two: a waiting game of its own, which the stream tells of.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/games';
import type { Game } from '../api/types';
import type { GameRoom } from '../game/room';
import { go } from '../router';
import { me } from '../session';
import { t } from '../text';

const EVERY_MS = 2_000;

export function Rematch({ room, game, off }: { room: GameRoom; game: Game; off: boolean }) {
  const [next, setNext] = useState<Game | null>(null);
  const id = room.room.value?.rematch ?? next?.id;

  // While it waits, its own stream is not ours to watch: look at it now and then.
  useEffect(() => {
    if (!id) return;
    const look = () => void api.read(id).then(setNext, () => undefined);
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [id]);

  const started = next !== null && next.state !== 'WAITING' && next.result !== 'aborted';
  const offeredByMe = next?.state === 'WAITING' && next.creator === me()?.id;
  useEffect(() => {
    // Whoever offered or accepted wants to play it.
    if (started && next && next.ply === 0) go(`/game/${next.id}`);
  }, [started]);

  const offer = async (what: string) => {
    const made = await room.tell(what);
    if (made && made.id !== game.id) setNext(made);
  };
  if (started)
    return (
      <a class="button primary" href={`/game/${next.id}`}>
        {t.actions.toRematch}
      </a>
    );
  if (offeredByMe)
    return (
      <button type="button" disabled>
        {t.actions.rematchOffered}
      </button>
    );
  if (next?.state === 'WAITING')
    return (
      <button type="button" class="primary" disabled={off} onClick={() => void offer('accept-rematch')}>
        {t.actions.acceptRematch}
      </button>
    );
  return (
    <button type="button" class="primary" disabled={off} onClick={() => void offer('offer-rematch')}>
      {t.actions.rematch}
    </button>
  );
}
