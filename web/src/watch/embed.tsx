// A game within another page: the board, both players, and a way here.
import { useEffect, useMemo } from 'preact/hooks';
import '../styles/watch.css';
import { t } from '../text';
import { useTitle } from '../title';
import { BigBoard, named } from './big_board';
import { chosen, Programme } from './programme';

export function EmbedPage({ id }: { id: string }) {
  const programme = useMemo(() => new Programme(() => chosen([id])), [id]);
  useEffect(() => () => programme.close(), [programme]);
  const game = programme.games.value[0];
  useTitle(game ? named(game) : t.name);
  return (
    <main class="embed">
      <h1 class="unseen">{game ? named(game) : t.name}</h1>
      {game ? (
        <BigBoard game={game} time={programme.time} target="_blank" />
      ) : (
        <p class="loading">{programme.isKnown.value ? t.game.notFound : t.game.loading}</p>
      )}
      <a class="embed-home" href={`/game/${encodeURIComponent(id)}`} target="_blank">
        {t.watch.at(t.name)}
      </a>
    </main>
  );
}
