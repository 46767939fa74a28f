// The one place where something is said. It has its size from the beginning: nothing moves when it speaks.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Color, Game } from '../api/types';
import { ending, ratingChange, signed } from '../game/result';
import { t } from '../text';
import { useSettled } from './act';
import type { Screen } from './game';
import { messages, type Said } from './messages';

const second = signal(0);

export function Slot({ screen }: { screen: Screen }) {
  useEffect(() => {
    const timer = setInterval(() => second.value++, 1_000);
    return () => clearInterval(timer);
  }, []);
  void second.value; // an opponent who has left may be counted down
  const game = screen.room.game.value!;
  const [first] = messages(screen);
  return (
    <section class="slot" aria-label={t.game.status}>
      {game.result && !first && <Result game={game} mine={screen.room.myColor.value} />}
      {first && <Message key={first.key} said={first} />}
    </section>
  );
}

function Message({ said }: { said: Said }) {
  const settled = useSettled();
  const urgent = said.kind === 'warn' || said.kind === 'problem';
  return (
    <p class={`said ${said.kind}`} role={urgent ? 'alert' : 'status'} data-said={said.key}>
      <span>{said.text}</span>
      {said.choices?.map(({ label, act, isMain }) => (
        <button key={label} type="button" class={isMain ? 'primary' : ''} disabled={!settled} onClick={act}>
          {label}
        </button>
      ))}
    </p>
  );
}

function Result({ game, mine }: { game: Game; mine: Color | null }) {
  const { decided, why } = ending(game, mine);
  const change = mine ? ratingChange(game, mine) : null;
  const mood = !game.winner || !mine ? '' : game.winner === mine ? 'won' : 'lost';
  return (
    <div class={`outcome ${mood}`}>
      <p class="result" role="status">
        <strong>{decided}</strong> {why}
      </p>
      {change !== null && (
        <p class={`rating-change ${change < 0 ? 'less' : 'more'}`}>
          {t.game.ratingNow(game.ratings![mine!].after, signed(change))}
        </p>
      )}
    </div>
  );
}
