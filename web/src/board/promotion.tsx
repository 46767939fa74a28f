// What shall the pawn become? Shown over the square it reaches.
import { useEffect, useRef } from 'preact/hooks';
import type { Color } from '../api/types';
import { t } from '../text';

interface Props {
  color: Color;
  orientation: Color;
  square: string;
  choices: string[];
  choose(piece: string | null): void;
}

const ROLES: Record<string, string> = { q: 'queen', n: 'knight', r: 'rook', b: 'bishop', k: 'king' };

export function Promotion({ color, orientation, square, choices, choose }: Props) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const file = square.charCodeAt(0) - 97;
  const column = orientation === 'white' ? file : 7 - file;
  const atTop = (square[1] === '8') === (orientation === 'white');
  return (
    <div
      class="promotion"
      role="dialog"
      aria-label={t.moves.promote}
      onClick={() => choose(null)}
      onKeyDown={(event) => event.key === 'Escape' && choose(null)}
    >
      <div class={`choices ${atTop ? 'top' : 'bottom'}`} style={{ left: `${column * 12.5}%` }}>
        {choices.map((piece, n) => (
          <button
            key={piece}
            ref={n === 0 ? first : undefined}
            type="button"
            aria-label={t.pieces[ROLES[piece]!]}
            data-piece={piece}
            onClick={(event) => {
              event.stopPropagation();
              choose(piece);
            }}
          >
            <piece class={`${color} ${ROLES[piece]}`} />
          </button>
        ))}
      </div>
    </div>
  );
}
