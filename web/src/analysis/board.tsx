// The board on which anything legal may be tried, with arrows, and a bar that says who stands better.
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { computed, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Color } from '../api/types';
import { Board } from '../board/board';
import { Promotion } from '../board/promotion';
import { dests, marked, position, promotions } from '../game/line';
import { pockets } from '../game/material';
import { t } from '../text';
import { Titled } from '../views/titled';
import { expected, scored } from './evaluation';
import type { Study } from './study';

interface Choosing {
  from: string;
  to: string;
  choices: string[];
}

const LETTER: Record<string, string> = { pawn: 'P', knight: 'N', bishop: 'B', rook: 'R', queen: 'Q' };
const other = { white: 'black', black: 'white' } as const;

export function AnalysisBoard({ study }: { study: Study }) {
  const hand = useMemo(() => new Hand(study), [study]);
  const choosing = hand.choosing.value;
  const bottom = study.orientation.value;
  const place = study.place.value;
  const turn: Color = place.fen.split(' ')[1] === 'b' ? 'black' : 'white';
  return (
    <>
      <Side study={study} color={other[bottom]} hand={hand} />
      <div class="analysis-board">
        <EvaluationBar study={study} />
        <div class="board-frame">
          <Board
            config={hand.config}
            label={t.analysis.boardLabel(place.san || t.analysis.start)}
            ready={(api) => hand.ready(api)}
          />
          {choosing && (
            <Promotion
              color={turn}
              orientation={bottom}
              square={choosing.to}
              choices={choosing.choices}
              choose={(piece) => hand.choose(piece)}
            />
          )}
        </div>
      </div>
      <Side study={study} color={bottom} hand={hand} />
    </>
  );
}

/** A player's name, and in Crazyhouse what may be dropped. */
function Side({ study, color, hand }: { study: Study; color: Color; hand: Hand }) {
  const player = study.game?.players[color];
  const tag = study.headers.value.get(color === 'white' ? 'White' : 'Black');
  const name = player ?? (tag && tag !== '?' ? { name: tag } : { name: t.game[color] });
  const isHouse = study.variant.value === 'crazyhouse';
  const held = isHouse ? pockets(study.place.value.fen)[color] : {};
  return (
    <div class={`analysis-player ${color}`}>
      <span class={`dot ${color}`} aria-hidden="true" />
      <span class="name">
        {player ? (
          <a href={`/@/${player.id}`}>
            <Titled {...player} />
          </a>
        ) : (
          <Titled {...name} />
        )}
        {player?.rating != null && <small class="rating"> {player.rating}</small>}
      </span>
      {isHouse && (
        <span class="analysis-pocket" role="group" aria-label={t.game.pocket(t.game[color])}>
          {Object.keys(LETTER).map((role) => (
            <button
              key={role}
              type="button"
              class="quiet"
              disabled={!held[role]}
              aria-label={`${held[role] ?? 0} ${t.pieces[role]}`}
              aria-pressed={hand.dropping.value === role && hand.droppingColor.value === color}
              onClick={() => hand.hold(role, color)}
            >
              <piece class={`${color} ${role}`} />
              {(held[role] ?? 0) > 1 && <b>{held[role]}</b>}
            </button>
          ))}
        </span>
      )}
    </div>
  );
}

function EvaluationBar({ study }: { study: Study }) {
  if (!study.report.value) return null;
  const place = study.place.value;
  const found = study.found(place);
  const share = found ? expected(found, place.parent?.fen.split(' ')[1] !== 'b') : 0.5;
  const isFlipped = study.orientation.value === 'black';
  const white = Math.round(share * 100);
  return (
    <svg
      class={`evaluation-bar ${isFlipped ? 'flipped' : ''}`}
      viewBox="0 0 10 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={found ? t.analysis.standing(scored(found)) : t.analysis.unknown}
    >
      <rect class="black" width="10" height="100" />
      <rect class="white" y={isFlipped ? 0 : 100 - white} width="10" height={white} />
    </svg>
  );
}

/** From what the hand did on the board to a move. */
class Hand {
  readonly choosing = signal<Choosing | null>(null);
  readonly dropping = signal<string | null>(null);
  readonly droppingColor = signal<Color>('white');
  private api: Api | null = null;

  constructor(private readonly study: Study) {}

  readonly config = computed<Config>(() => {
    const { study } = this;
    const place = study.place.value;
    const variant = study.variant.value;
    const pos = position(variant, place.fen);
    const turn = pos?.turn ?? 'white';
    return {
      fen: place.fen,
      orientation: study.orientation.value,
      turnColor: turn,
      check: pos?.isCheck() ? turn : false,
      lastMove: place.uci ? (marked(place.uci) as Key[] | undefined) : undefined,
      movable: {
        free: false,
        color: turn,
        dests: pos ? (dests(pos, variant) as Map<Key, Key[]>) : new Map(),
        rookCastle: variant !== 'chess960',
        events: { after: (from, to) => this.moved(from, to) },
      },
      premovable: { enabled: false },
      predroppable: { enabled: false },
      events: { select: (key) => this.selected(key) },
      drawable: {
        enabled: true,
        shapes: study.marks.peek().shapes[place.path] ?? [],
        autoShapes: this.bestArrow(),
        onChange: (shapes: DrawShape[]) => study.draw(shapes),
      },
    };
  });

  ready(api: Api): void {
    this.api = api;
  }

  /** A piece of the pocket: the next square that is clicked takes it. */
  hold(role: string, color: Color): void {
    this.dropping.value = this.dropping.value === role && this.droppingColor.value === color ? null : role;
    this.droppingColor.value = color;
  }

  choose(piece: string | null): void {
    const choosing = this.choosing.value;
    this.choosing.value = null;
    if (choosing && piece) this.study.play(choosing.from + choosing.to + piece);
    else this.restore();
  }

  private moved(from: string, to: string): void {
    const { place, variant } = this.study;
    const pos = position(variant.value, place.value.fen);
    const choices = pos ? promotions(pos, from, to, variant.value) : [];
    if (choices.length > 0) this.choosing.value = { from, to, choices };
    else if (!this.study.play(from + to)) this.restore();
  }

  private selected(key: string): void {
    const role = this.dropping.value;
    this.dropping.value = null;
    if (role) this.study.play(`${LETTER[role]}@${key}`);
  }

  private bestArrow(): DrawShape[] {
    const { study } = this;
    const best = study.best(study.place.value);
    const squares = best ? marked(best) : undefined;
    if (!squares) return [];
    const [from, to] = squares as Key[];
    return [{ orig: from!, dest: to, brush: 'paleBlue' }];
  }

  private restore(): void {
    this.api?.set(this.config.peek());
  }
}
