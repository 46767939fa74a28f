// What one is told of, and how.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/account';
import type { Choices, Notifications } from '../api/account';
import { canTell } from '../notices/browser';
import { change, settings } from '../settings';
import { t } from '../text';
import { canPush, current, turnOff, turnOn } from './push';
import { Section, useOutcome } from './section';

const KINDS = ['your_turn', 'challenge', 'deadline_near', 'game_over'] as const;
const CHANNELS = ['stream', 'push', 'email'] as const;

interface Props {
  notified: Notifications | null;
  changed(notified: Notifications): void;
}

export function Notified({ notified, changed }: Props) {
  const outcome = useOutcome();
  const choose = (some: Partial<Choices>) => {
    if (!notified) return;
    const { your_turn, challenge, deadline_near, game_over, digest, quiet_hours } = notified;
    const choices = { your_turn, challenge, deadline_near, game_over, digest, quiet_hours, ...some };
    void outcome.attempt(async () => changed(await api.choose(choices)), t.me.saved);
  };
  return (
    <Section id="notified" heading={t.me.notifications}>
      <label class="switch">
        <input
          type="checkbox"
          checked={settings.value.notifications}
          disabled={!canTell()}
          onChange={(event) => {
            change({ notifications: event.currentTarget.checked });
            if (event.currentTarget.checked) void Notification.requestPermission();
          }}
        />
        {t.me.pages}
      </label>
      {notified && <Push publicKey={notified.push.public_key} />}
      {notified && (
        <table class="channel-table">
          <thead>
            <tr>
              <td />
              {CHANNELS.map((channel) => (
                <th key={channel} scope="col">
                  {t.me.channels[channel]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {KINDS.map((kind) => (
              <tr key={kind}>
                <th scope="row">{t.me.kinds[kind]}</th>
                {CHANNELS.map((channel) => (
                  <td key={channel}>
                    <input
                      type="checkbox"
                      aria-label={`${t.me.kinds[kind]}: ${t.me.channels[channel]}`}
                      checked={notified[kind]?.[channel] ?? false}
                      disabled={outcome.busy}
                      onChange={(event) =>
                        choose({ [kind]: { ...notified[kind], [channel]: event.currentTarget.checked } })
                      }
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {notified && (
        <label class="switch">
          <input
            type="checkbox"
            checked={notified.digest ?? false}
            onChange={(event) => choose({ digest: event.currentTarget.checked })}
          />
          {t.me.digest}
        </label>
      )}
      {outcome.view}
    </Section>
  );
}

function Push({ publicKey }: { publicKey: string }) {
  const [isOn, setOn] = useState<boolean | null>(null);
  const [isRefused, setRefused] = useState(false);
  const outcome = useOutcome();
  useEffect(() => void current().then((subscription) => setOn(subscription !== null)), []);
  const toggle = () =>
    void outcome.attempt(async () => {
      setRefused(false);
      if (isOn) {
        await turnOff();
        setOn(false);
      } else if (await turnOn(publicKey)) setOn(true);
      else setRefused(true);
    });
  return (
    <div>
      <div class="listed">
        <span>
          {t.me.push}
          <small> {!canPush() ? t.me.pushNone : isRefused ? t.me.pushRefused : isOn ? t.me.pushIsOn : ''}</small>
        </span>
        <button type="button" disabled={!canPush() || isOn === null || outcome.busy} onClick={toggle}>
          {isOn ? t.me.pushOff : t.me.pushOn}
        </button>
      </div>
      {outcome.view}
    </div>
  );
}
