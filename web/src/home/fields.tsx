// The fields of the forms that make a game.
import { controlName } from '../game/clock';
import { t } from '../text';
import { CUSTOM, PRESETS, type Terms } from './terms';

export function Times({ terms, group }: { terms: Terms; group: string }) {
  return (
    <>
      <fieldset class="times">
        <legend class="unseen">{t.play.time}</legend>
        {PRESETS.map((option, n) => (
          <label key={n} class="time">
            <input
              type="radio"
              name={`${group}-time`}
              checked={terms.preset.value === n}
              onChange={() => (terms.preset.value = n)}
            />
            <span>{controlName(option)}</span>
          </label>
        ))}
        <label class="time">
          <input
            type="radio"
            name={`${group}-time`}
            checked={terms.isCustom.value}
            onChange={() => (terms.preset.value = CUSTOM)}
          />
          <span>{t.play.custom}</span>
        </label>
      </fieldset>
      {terms.isCustom.value && (
        <div class="pair">
          <label>
            {t.play.minutes}
            <input
              inputMode="decimal"
              value={terms.minutes.value}
              onFocus={(e) => e.currentTarget.select()}
              onInput={(e) => (terms.minutes.value = e.currentTarget.value)}
            />
          </label>
          <label>
            {t.play.increment}
            <input
              inputMode="numeric"
              value={terms.increment.value}
              onFocus={(e) => e.currentTarget.select()}
              onInput={(e) => (terms.increment.value = e.currentTarget.value)}
            />
          </label>
        </div>
      )}
    </>
  );
}

export function Sides({ terms, group }: { terms: Terms; group: string }) {
  return (
    <fieldset class="segments sides">
      <legend>{t.play.side}</legend>
      {(['white', 'random', 'black'] as const).map((side) => (
        <label key={side} class={`segment side-${side}`}>
          <input
            type="radio"
            name={`${group}-side`}
            checked={terms.color.value === side}
            onChange={() => (terms.color.value = side)}
          />
          <span>{t.play[side]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Which rules, and where to begin. */
export function Rules({ terms }: { terms: Terms }) {
  const variant = terms.variant.value;
  return (
    <>
      <label>
        {t.play.variant}
        <select value={variant} onChange={(e) => (terms.variant.value = e.currentTarget.value)}>
          {Object.entries(t.variants).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <small>{t.variantHints[variant]}</small>
      </label>
      {variant === 'chess960' && (
        <label>
          {t.play.start}
          <input
            inputMode="numeric"
            value={terms.start.value}
            placeholder={t.play.startHint}
            maxLength={3}
            autocomplete="off"
            onInput={(e) => (terms.start.value = e.currentTarget.value)}
          />
        </label>
      )}
      <label>
        {t.play.fen}
        <input
          value={terms.fen.value}
          placeholder={t.play.fenHint}
          autocomplete="off"
          spellcheck={false}
          onInput={(e) => (terms.fen.value = e.currentTarget.value)}
        />
      </label>
    </>
  );
}
