// Something to look at: a game or a position, pasted.
import { useState } from 'preact/hooks';
import { t } from '../text';
import { START, type Study } from './study';
import { read } from './written';

const VARIANTS = Object.keys(t.variants);

export function Import({ study }: { study: Study }) {
  const [problem, setProblem] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const found = read(String(data.get('pgn')), String(data.get('variant')));
    setProblem(!found);
    if (!found) return;
    study.take(found);
    form.reset();
  };
  const fresh = () => {
    const found = read(START, 'standard');
    if (found) study.take(found);
  };
  return (
    <section class="card import" aria-labelledby="import">
      <div class="split">
        <h2 id="import">{study.title()}</h2>
        <button type="button" class="quiet" onClick={fresh}>
          {t.analysis.fresh}
        </button>
      </div>
      <details>
        <summary>{t.analysis.import}</summary>
        <form class="stack" onSubmit={submit}>
          <label>
            {t.analysis.paste}
            <textarea name="pgn" rows={4} required spellcheck={false} onInput={() => setProblem(false)} />
          </label>
          <label>
            {t.analysis.variantOfFen}
            <select name="variant">
              {VARIANTS.map((variant) => (
                <option key={variant} value={variant}>
                  {t.variants[variant]}
                </option>
              ))}
            </select>
          </label>
          {problem && (
            <p class="problem" role="alert">
              {t.analysis.unreadable}
            </p>
          )}
          <button type="submit" class="primary">
            {t.analysis.load}
          </button>
        </form>
      </details>
    </section>
  );
}
