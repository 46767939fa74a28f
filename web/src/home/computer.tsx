// A game with the computer: six levels.
import { signal } from '@preact/signals';
import { playComputer } from '../api/meet';
import { go } from '../router';
import { ensurePlayer } from '../session';
import { t } from '../text';
import { number } from '../text/format';
import { wordsFor } from '../text/problem';
import { Rules, Sides, Times } from './fields';
import { Terms } from './terms';

/** As the server names them, and about how strong they are. */
const LEVELS = [
  ['beginner', 400],
  ['easy', 800],
  ['medium', 1200],
  ['hard', 1600],
  ['expert', 2000],
  ['master', 2400],
] as const;

const terms = new Terms();
terms.preset.value = 4;
const level = signal<(typeof LEVELS)[number][0]>('easy');
const busy = signal(false);
const problem = signal<string | null>(null);

async function start(): Promise<void> {
  busy.value = true;
  problem.value = null;
  try {
    await ensurePlayer();
    const game = await playComputer({
      difficulty: level.value,
      player_color: terms.color.value,
      time_control: terms.control(),
      variant: terms.variant.value,
      ...terms.startPosition(),
      // Whoever is still looking at the board loses no time by it.
      ...terms.clockStart(true),
    });
    go(`/game/${game.id}`);
  } catch (error) {
    problem.value = wordsFor(error);
  } finally {
    busy.value = false;
  }
}

export function ComputerForm() {
  return (
    <form
      class="stack new-game"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <fieldset class="levels">
        <legend>{t.computer.level}</legend>
        {LEVELS.map(([name, strength]) => (
          <label key={name} class="time level">
            <input type="radio" name="level" checked={level.value === name} onChange={() => (level.value = name)} />
            <span>
              <b>{t.computer.levels[name]}</b>
              <small>{t.computer.strength(number(strength))}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <Times terms={terms} group="computer" />
      <Sides terms={terms} group="computer" />
      <details>
        <summary>{t.play.more}</summary>
        <div class="stack">
          <Rules terms={terms} />
        </div>
      </details>
      {problem.value && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="primary big" disabled={busy.value}>
        {busy.value ? t.play.creating : t.computer.play}
      </button>
    </form>
  );
}
