// Both clocks as they are now, to be set.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Color, Game } from '../api/types';
import { face, left, localMs, ServerTime } from '../game/clock';
import { t } from '../text';
import { clocksToSet, clockText, isChanged, type Held } from './clock_ms';

const EVERY_MS = 1_000;

/** A field follows its clock until somebody is in it, and stands still from then on if they write. */
export function Clocks({ game, set }: { game: Game; set(body: Record<string, number>): Promise<boolean> }) {
  const [held, setHeld] = useState<Partial<Record<Color, Held>>>({});
  const [wrong, setWrong] = useState(false);
  const shown = useShown(game);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = clocksToSet(held);
    setWrong(body === null);
    if (body === null || Object.keys(body).length === 0) return;
    void set(body).then((done) => done && setHeld({}));
  };
  const hold = (color: Color, text: string, was: string) =>
    setHeld((before) => ({ ...before, [color]: { was: before[color]?.was ?? was, text } }));
  const release = (color: Color) =>
    setHeld((before) => (before[color] && !isChanged(before[color]) ? { ...before, [color]: undefined } : before));
  const field = (color: Color) => (
    <label>
      {t.game[color]}
      <input
        name={color}
        value={held[color]?.text ?? shown(color)}
        inputMode="numeric"
        autocomplete="off"
        aria-invalid={wrong ? 'true' : undefined}
        onFocus={({ currentTarget: { value } }) => hold(color, value, value)}
        onInput={({ currentTarget: { value } }) => hold(color, value, shown(color))}
        onBlur={() => release(color)}
      />
    </label>
  );
  return (
    <form class="clocks" onSubmit={submit}>
      <fieldset>
        <legend>{t.console.clocks}</legend>
        <div class="row">
          {field('white')}
          {field('black')}
          <button type="submit">{t.console.setClocks}</button>
        </div>
      </fieldset>
      {wrong && (
        <p class="problem" role="alert">
          {t.console.badClock}
        </p>
      )}
    </form>
  );
}

/** What a clock shows at this moment; looks again every second. */
function useShown(game: Game): (color: Color) => string {
  const [, tick] = useState(0);
  const time = useMemo(() => {
    const heard = new ServerTime();
    heard.hear(Date.parse(game.clock_at), localMs());
    return heard;
  }, [game]);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const now = face(game);
  return (color) => clockText(now ? left(now, color, time.at(localMs())) : 0);
}
