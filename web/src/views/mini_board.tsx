// A small board to look at: a link to the game.
import type { Config } from '@lichess-org/chessground/config';
import { computed, signal, type Signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { Color, Game } from '../api/types';
import { Board } from '../board/board';
import { face, type ServerTime } from '../game/clock';
import { marked } from '../game/line';
import { resultText } from '../game/react';
import { t } from '../text';
import { ClockFace } from './clock';
import { Titled } from './titled';

export function MiniBoard({ game, time }: { game: Game; time?: ServerTime }) {
  const latest = useRef<Signal<Game>>(signal(game)).current;
  latest.value = game;
  const config = useMemo(() => {
    const fen = computed(() => latest.value.fen);
    const last = computed(() => latest.value.moves.at(-1) ?? '');
    return computed<Config>(() => ({
      fen: fen.value,
      lastMove: last.value ? (marked(last.value) as never) : undefined,
      viewOnly: true,
      coordinates: false,
      drawable: { enabled: false, visible: false },
    }));
  }, []);
  const clocks = face(game);
  const side = (color: Color) => (
    <div class="mini-side">
      <span class={`dot ${color}`} aria-hidden="true" />
      <span class="name">
        <Titled {...(game.players[color] ?? { name: '…' })} />
        {game.players[color]?.rating != null && <small class="rating"> {game.players[color].rating}</small>}
      </span>
      {clocks && time && <ClockFace face={clocks} color={color} time={time} quiet />}
    </div>
  );
  return (
    <a class="mini" href={`/game/${game.id}`}>
      {side('black')}
      <div class="mini-board" aria-hidden="true">
        <Board config={config} label={t.spoken.board} still />
      </div>
      {side('white')}
      {game.variant !== 'standard' && <span class="mini-variant">{t.variants[game.variant]}</span>}
      {game.result && <span class="mini-result">{resultText(game, null)}</span>}
    </a>
  );
}
