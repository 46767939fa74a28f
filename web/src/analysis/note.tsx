// A note to the position that is shown.
import { t } from '../text';
import type { Study } from './study';

export function Note({ study }: { study: Study }) {
  const place = study.place.value;
  return (
    <label class="note">
      <span>{t.analysis.note}</span>
      <textarea
        rows={2}
        maxLength={2_000}
        placeholder={t.analysis.noteHint}
        value={study.marks.value.notes[place.path] ?? ''}
        onInput={(event) => study.note(event.currentTarget.value)}
      />
    </label>
  );
}
