// After the game: its link, its position, its moves.
import * as api from '../api/games';
import type { Game } from '../api/types';
import { t } from '../text';
import { CopyButton, CopyField } from './copy';

export function Share({ game }: { game: Game }) {
  const download = async () => {
    const file = URL.createObjectURL(new Blob([await api.pgn(game.id)], { type: 'application/x-chess-pgn' }));
    const link = Object.assign(document.createElement('a'), { href: file, download: `${game.id}.pgn` });
    link.click();
    URL.revokeObjectURL(file);
  };
  return (
    <section class="card share" aria-labelledby="share">
      <h2 id="share">{t.share.heading}</h2>
      <CopyField label={t.share.link} value={`${location.origin}/game/${game.id}`} />
      <CopyField label={t.share.fen} value={game.fen} />
      <div class="row">
        <CopyButton label={t.share.copyPgn} text={() => api.pgn(game.id)} />
        <button type="button" onClick={() => void download()}>
          {t.share.download}
        </button>
      </div>
    </section>
  );
}
