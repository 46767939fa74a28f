// Whom one does not want to meet.
import { useEffect, useState } from 'preact/hooks';
import * as players from '../api/players';
import { t } from '../text';
import { PlayerLink } from '../views/player_link';
import { Section, useOutcome } from './section';

export function Blocked() {
  const [names, setNames] = useState<string[]>([]);
  const outcome = useOutcome();
  useEffect(
    () =>
      void players.blocks().then(
        (list) => setNames(list.names),
        () => undefined,
      ),
    [],
  );
  const unblock = (name: string) =>
    void outcome.attempt(async () => {
      await players.block(name, false);
      setNames(names.filter((other) => other !== name));
    });
  return (
    <Section id="blocked" heading={t.me.blocked}>
      {names.length === 0 && <p class="hint">{t.me.noBlocked}</p>}
      <ul>
        {names.map((name) => (
          <li key={name} class="listed">
            <PlayerLink name={name} />
            <button type="button" disabled={outcome.busy} onClick={() => unblock(name)}>
              {t.me.unblock}
            </button>
          </li>
        ))}
      </ul>
      {outcome.view}
    </Section>
  );
}
