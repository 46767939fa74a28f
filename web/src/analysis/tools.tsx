// A move by the keyboard, and what can be done with a variation.
import { useState } from 'preact/hooks';
import { announce } from '../announce';
import { position, typed } from '../game/line';
import { t } from '../text';
import type { Study } from './study';
import { branchOf } from './tree';

export function Tools({ study }: { study: Study }) {
  const [problem, setProblem] = useState(false);
  void study.revision.value;
  const place = study.place.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const pos = position(study.variant.value, place.fen);
    const move = pos && typed(pos, String(new FormData(form).get('move')));
    setProblem(!move);
    if (!move) return announce(t.moves.illegal);
    form.reset();
    study.play(move);
  };
  return (
    <div class="tools">
      <form class="row typed" onSubmit={submit}>
        <input
          name="move"
          aria-label={`${t.moves.typed}: ${t.moves.typedHint}`}
          placeholder={t.moves.typedShort}
          autocomplete="off"
          spellcheck={false}
          autocapitalize="off"
          aria-invalid={problem ? 'true' : undefined}
          onInput={() => setProblem(false)}
        />
        <button type="submit">{t.moves.play}</button>
      </form>
      <p class="problem" role="alert">
        {problem ? t.moves.illegal : ''}
      </p>
      <div class="row">
        <button type="button" disabled={!study.isOwn()} onClick={() => study.remove()}>
          {t.analysis.remove}
        </button>
        <button type="button" disabled={!branchOf(place)} onClick={() => study.promote()}>
          {t.analysis.promote}
        </button>
      </div>
    </div>
  );
}
