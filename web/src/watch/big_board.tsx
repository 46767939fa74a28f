// A board to look at, as big as its place, with both players: for TV and for other people's pages.
import type { Config } from '@lichess-org/chessground/config';
import { computed, signal, type Signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { Color, Game } from '../api/types';
import { Board } from '../board/board';
import { controlName, face, type ServerTime } from '../game/clock';
import { marked } from '../game/line';
import { resultText } from '../game/react';
import { t } from '../text';
import { ClockFace } from '../views/clock';
import { PlayerLink } from '../views/player_link';

interface Props {
  game: Game;
  time: ServerTime;
  /** Where links go to: a page around us keeps its own. */
  target?: '_blank';
}

export function BigBoard({ game, time, target }: Props) {
  const latest = useRef<Signal<Game>>(signal(game)).current;
  latest.value = game;
  const config = useMemo(() => {
    const fen = computed(() => latest.value.fen);
    const last = computed(() => latest.value.moves.at(-1) ?? '');
    return computed<Config>(() => ({
      fen: fen.value,
      lastMove: last.value ? (marked(last.value) as never) : undefined,
      viewOnly: true,
      drawable: { enabled: false, visible: false },
    }));
  }, []);
  const side = (color: Color) => <Side game={game} color={color} time={time} target={target} />;
  return (
    <div class="big-board" data-version={game.version}>
      {side('black')}
      <div class="big-frame">
        <Board config={config} label={`${t.spoken.board}. ${named(game)}`} />
        <a class="big-link" href={`/game/${game.id}`} target={target} aria-label={t.watch.open(named(game))} />
      </div>
      {side('white')}
      <p class="big-about">
        <span class="tag">{controlName(game.time_control)}</span>
        <span class="tag">{t.variants[game.variant] ?? game.variant}</span>
        <span class="tag">{game.rated ? t.game.rated : t.game.casual}</span>
        {game.result && <b>{resultText(game, null)}</b>}
      </p>
    </div>
  );
}

function Side({ game, color, time, target }: Props & { color: Color }) {
  const player = game.players[color];
  const clocks = face(game);
  return (
    <div class="big-side">
      <span class={`dot ${color}`} aria-hidden="true" />
      <span class="name">
        {player ? <PlayerLink {...player} target={target} /> : '…'}
        {player?.rating != null && <small class="rating"> {player.rating}</small>}
      </span>
      {clocks && <ClockFace face={clocks} color={color} time={time} quiet />}
    </div>
  );
}

export function named(game: Game): string {
  return t.game.vs(game.players.white?.name ?? '…', game.players.black?.name ?? '…');
}
