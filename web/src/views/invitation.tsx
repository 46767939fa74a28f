// Over the board while a game waits: the link and the code, or "accept".
import { useState } from 'preact/hooks';
import type { Game } from '../api/types';
import { controlName } from '../game/clock';
import { joinPath } from '../game/join_refused';
import type { GameRoom } from '../game/room';
import { go } from '../router';
import { ensurePlayer, me } from '../session';
import { t } from '../text';
import { CopyField } from './copy';
import { host, titled } from './titled';

export function Invitation({ room, game }: { room: GameRoom; game: Game }) {
  const [busy, setBusy] = useState(false);
  const mine = me()?.id === game.creator;
  const opponent = game.opponent ? { name: game.opponent, title: game.opponent_title } : null;
  const terms = `${controlName(game.time_control)} · ${t.variants[game.variant]} · ${game.rated ? t.game.rated : t.game.casual}`;
  if (mine) {
    // Nobody sees a private game before joining it: its link carries the code.
    const isHidden = game.visibility === 'private' && game.join_code;
    const path = isHidden ? joinPath(game.join_code!, game.id) : `/game/${game.id}`;
    return (
      <div class="overlay">
        <div class="card invitation">
          <h2>{t.game.waitingTitle}</h2>
          <p class="hint">{opponent ? t.game.waitingDirected(titled(opponent)) : t.game.waitingHint}</p>
          <CopyField label={t.game.link} value={location.origin + path} />
          {game.join_code && (
            <p class="join-code">
              <span>{t.game.code}</span> <code>{game.join_code}</code>
            </p>
          )}
          <p class="hint">{terms}</p>
          <button type="button" onClick={() => void room.tell('cancel').then((done) => done && go('/'))}>
            {t.game.cancel}
          </button>
        </div>
      </div>
    );
  }
  const join = async () => {
    setBusy(true);
    await ensurePlayer();
    await room.join();
    setBusy(false);
  };
  return (
    <div class="overlay">
      <div class="card invitation">
        <h2>{t.game.joinTitle(titled(host(game)))}</h2>
        <p class="hint">{terms}</p>
        <button type="button" class="primary big" disabled={busy} onClick={() => void join()}>
          {t.game.join}
        </button>
        {game.opponent && game.opponent === me()?.id && (
          <button type="button" onClick={() => void room.tell('decline').then(() => go('/'))}>
            {t.game.decline}
          </button>
        )}
      </div>
    </div>
  );
}
