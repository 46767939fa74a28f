// What is shown without a network.
import { useEffect } from 'preact/hooks';
import { awaitServer } from '../offline';
import { t } from '../text';
import { useTitle } from '../title';

export function Offline() {
  useTitle(t.offline.heading);
  useEffect(awaitServer, []);
  return (
    <div class="narrow offline" role="status">
      <h1>{t.offline.heading}</h1>
      <p class="hint">{t.offline.hint}</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {t.offline.again}
      </button>
    </div>
  );
}
