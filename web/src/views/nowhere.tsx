// An address that means nothing, with a way home.
import { t } from '../text';
import { useTitle } from '../title';

export function Nowhere() {
  useTitle(t.nowhere.heading);
  return (
    <div class="narrow nowhere">
      <h1>{t.nowhere.heading}</h1>
      <p class="hint">{t.nowhere.hint}</p>
      <a class="button primary" href="/">
        {t.nowhere.home}
      </a>
    </div>
  );
}
