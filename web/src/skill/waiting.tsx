// A room that waits for its second player: how to come in, and how to close it.
import { go } from '../router';
import { t } from '../text';
import { CopyField } from '../views/copy';
import type { MatchRoom } from './room';
import type { Snapshot } from './types';

export function Waiting({ room, snapshot }: { room: MatchRoom; snapshot: Snapshot }) {
  const close = async () => {
    if (await room.act('leaveMatch')) go('/skill');
  };
  return (
    <div class="overlay">
      <div class="card invitation">
        <h2>{t.skill.waiting}</h2>
        <p class="hint">{t.skill.waitingHint}</p>
        <p class="join-code">
          <code>{snapshot.roomCode}</code>
        </p>
        <CopyField label={t.game.link} value={`${location.origin}/join/${snapshot.roomCode}`} />
        <button type="button" disabled={room.busy.value} onClick={() => void close()}>
          {t.skill.close}
        </button>
      </div>
    </div>
  );
}
