// Taking everything along, and leaving.
import { useState } from 'preact/hooks';
import * as api from '../api/account';
import { go } from '../router';
import { session } from '../session';
import { t } from '../text';
import { Section, useOutcome } from './section';

function save(data: unknown, name: string): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

export function Data({ name }: { name: string }) {
  const [typed, setTyped] = useState('');
  const outcome = useOutcome();
  const remove = () =>
    void outcome.attempt(async () => {
      await api.remove();
      session.value = null;
      go('/');
    });
  return (
    <Section id="data" heading={t.me.data}>
      <button
        type="button"
        disabled={outcome.busy}
        onClick={() => void outcome.attempt(async () => save(await api.everything(), `arbiter-${name}.json`))}
      >
        {t.me.export}
      </button>
      <p class="hint">{t.me.deleteHint}</p>
      <div class="row">
        <input
          aria-label={t.me.deleteSure}
          placeholder={t.me.deleteSure}
          value={typed}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="button" class="danger" disabled={outcome.busy || typed.trim() !== name} onClick={remove}>
          {t.me.delete}
        </button>
      </div>
      {outcome.view}
    </Section>
  );
}
