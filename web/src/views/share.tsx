// After the game: its picture, its link, its moves.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/games';
import type { Color, Game } from '../api/types';
import { settings } from '../settings';
import { t } from '../text';
import { CopyButton, CopyField } from './copy';
import { titled } from './titled';

/** The boards that the server can draw. */
const DRAWN = ['brown', 'blue', 'green', 'grey'];

export function Share({ game, bottom }: { game: Game; bottom: Color }) {
  const [written, setWritten] = useState<api.PgnWith>({ clocks: true, evals: false });
  const picture = usePicture(game, bottom);
  const link = `${location.origin}/game/${game.id}`;
  const pgn = () => api.pgn(game.id, written);
  const names = (['white', 'black'] as const).map((color) => titled(game.players[color] ?? { name: '…' }));
  const share = () => {
    const title = t.game.vs(names[0]!, names[1]!);
    const files = picture ? [new File([picture.blob], `${game.id}.png`, { type: 'image/png' })] : [];
    const whole = { title, url: link, files };
    void navigator.share(navigator.canShare?.(whole) ? whole : { title, url: link }).catch(() => undefined);
  };
  const option = (name: keyof api.PgnWith, label: string) => (
    <label class="switch">
      <input
        type="checkbox"
        checked={written[name]}
        onChange={(event) => setWritten({ ...written, [name]: event.currentTarget.checked })}
      />
      {label}
    </label>
  );
  return (
    <section class="card share" aria-labelledby="share">
      <h2 id="share">{t.share.heading}</h2>
      {picture && <img class="picture" src={picture.url} alt={t.share.picture} width="160" height="160" />}
      <div class="row">
        {'share' in navigator && (
          <button type="button" onClick={share}>
            {t.share.share}
          </button>
        )}
        {picture && (
          <a class="button" href={picture.url} download={`${game.id}.png`}>
            {t.share.savePicture}
          </a>
        )}
      </div>
      <CopyField label={t.share.link} value={link} />
      <CopyField label={t.share.fen} value={game.fen} />
      {game.visibility === 'public' && (
        <CopyField
          label={t.share.embed}
          value={`<iframe src="${location.origin}/embed/${game.id}" width="400" height="480"></iframe>`}
        />
      )}
      <div class="row options">
        {option('clocks', t.share.withClocks)}
        {option('evals', t.share.withEvals)}
      </div>
      <div class="row">
        <CopyButton label={t.share.copyPgn} text={pgn} />
        <button type="button" onClick={() => void pgn().then((text) => download(`${game.id}.pgn`, text))}>
          {t.share.download}
        </button>
      </div>
    </section>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

interface Picture {
  blob: Blob;
  url: string;
}

/** The last position, asked for with our token: a private game has a picture for its players too. */
function usePicture(game: Game, orientation: Color): Picture | null {
  const [picture, setPicture] = useState<Picture | null>(null);
  const { board } = settings.value;
  const theme = DRAWN.includes(board) ? board : 'brown';
  useEffect(() => {
    let isWanted = true;
    const load = async () => {
      const blob = await api.picture(game.id, { size: '480', orientation, theme });
      const url = await dataUrl(blob);
      if (isWanted) setPicture({ blob, url });
    };
    void load().catch(() => undefined);
    return () => void (isWanted = false);
  }, [game.id, orientation, theme]);
  return picture;
}

/** The page's policy allows pictures of our own and data, nothing else. */
const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => fail(reader.error ?? new Error('the picture cannot be read'));
    reader.readAsDataURL(blob);
  });
