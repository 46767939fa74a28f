// Two clicks to a game: a time, and "create". Everything else is folded away.
import { computed, signal } from '@preact/signals';
import { create, type NewGame } from '../api/games';
import { ApiError } from '../api/http';
import { go } from '../router';
import { ensurePlayer, session } from '../session';
import { t } from '../text';

interface Preset {
  name: string;
  control: object | null;
}

const clock = (minutes: number, increment: number): Preset => ({
  name: `${minutes}+${increment}`,
  control: { initial_seconds: minutes * 60, increment_seconds: increment },
});

const PRESETS: Preset[] = [
  clock(1, 0),
  clock(3, 2),
  clock(5, 0),
  clock(5, 3),
  clock(10, 5),
  clock(15, 10),
  clock(30, 20),
  { name: '3 d', control: { days_per_move: 3 } },
  { name: '∞', control: null },
];

const preset = signal<number>(3);
const minutes = signal(10);
const increment = signal(0);
const variant = signal('standard');
const color = signal<'white' | 'black' | 'random'>('random');
const isPrivate = signal(false);
const opponent = signal('');
const busy = signal(false);
const problem = signal<string | null>(null);
const isCustom = computed(() => preset.value === -1);

async function start(): Promise<void> {
  busy.value = true;
  problem.value = null;
  try {
    await ensurePlayer();
    const chosen = PRESETS[preset.value];
    const control = chosen
      ? chosen.control
      : { initial_seconds: Math.round(minutes.value * 60), increment_seconds: increment.value };
    const wish: NewGame = { time_control: control, variant: variant.value, color: color.value };
    // A private game is open to whoever has its code.
    if (isPrivate.value) wish.visibility = 'private';
    if (opponent.value.trim()) wish.opponent_id = opponent.value.trim();
    const game = await create(wish);
    go(`/game/${game.id}`);
  } catch (error) {
    problem.value = error instanceof ApiError ? error.message : t.problems.unreachable;
  } finally {
    busy.value = false;
  }
}

export function NewGameForm() {
  return (
    <section class="card new-game" aria-labelledby="new-game">
      <h2 id="new-game">{t.play.friend}</h2>
      <p class="hint">{t.play.friendHint}</p>
      <fieldset class="times">
        <legend class="unseen">{t.play.time}</legend>
        {PRESETS.map((option, n) => (
          <label key={option.name} class="time">
            <input type="radio" name="time" checked={preset.value === n} onChange={() => (preset.value = n)} />
            <span>{option.name}</span>
          </label>
        ))}
        <label class="time">
          <input type="radio" name="time" checked={isCustom.value} onChange={() => (preset.value = -1)} />
          <span>{t.play.custom}</span>
        </label>
      </fieldset>
      {isCustom.value && (
        <div class="pair">
          <label>
            {t.play.minutes}
            <input
              type="number"
              min="0.25"
              max="180"
              step="0.25"
              value={minutes.value}
              onInput={(e) => (minutes.value = e.currentTarget.valueAsNumber || 1)}
            />
          </label>
          <label>
            {t.play.increment}
            <input
              type="number"
              min="0"
              max="180"
              value={increment.value}
              onInput={(e) => (increment.value = e.currentTarget.valueAsNumber || 0)}
            />
          </label>
        </div>
      )}
      <fieldset class="segments sides">
        <legend>{t.play.side}</legend>
        {(['white', 'random', 'black'] as const).map((side) => (
          <label key={side} class={`segment side-${side}`}>
            <input type="radio" name="side" checked={color.value === side} onChange={() => (color.value = side)} />
            <span>{t.play[side]}</span>
          </label>
        ))}
      </fieldset>
      <details>
        <summary>{t.play.more}</summary>
        <div class="stack">
          <label>
            {t.play.variant}
            <select value={variant.value} onChange={(e) => (variant.value = e.currentTarget.value)}>
              {Object.entries(t.variants).map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t.play.opponent}
            <input
              value={opponent.value}
              maxLength={20}
              placeholder={t.play.anyone}
              autocomplete="off"
              spellcheck={false}
              onInput={(e) => (opponent.value = e.currentTarget.value)}
            />
          </label>
          <label class="switch">
            <input
              type="checkbox"
              checked={isPrivate.value}
              onChange={(e) => (isPrivate.value = e.currentTarget.checked)}
            />
            {t.play.private}
          </label>
        </div>
      </details>
      {problem.value && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="button" class="primary big" disabled={busy.value} onClick={() => void start()}>
        {busy.value ? t.play.creating : t.play.create}
      </button>
      {!session.value && <p class="hint center">{t.play.asGuest}</p>}
    </section>
  );
}
