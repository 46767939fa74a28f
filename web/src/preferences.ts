// Settings of somebody who is signed in are kept on the server: they are the same on every device.
import { effect, untracked } from '@preact/signals';
import { ask } from './api/http';
import { session } from './session';
import { change, settings, type Settings } from './settings';

const PATH = '/v1/me/preferences';
const QUIET_MS = 800;

/** Ours among those of other programs. */
interface Preferences {
  web?: Partial<Settings>;
}

export function followPreferences(): void {
  let known = ''; // what the server has, as far as we know
  let owner: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const read = async (token: string) => {
    const kept = await ask<Preferences>('GET', PATH, { token }).catch(() => null);
    if (!kept || session.value?.token !== token) return;
    owner = token;
    if (kept.web) change(kept.web);
    known = JSON.stringify(kept.web ? settings.value : null);
    write();
  };
  const write = () => {
    clearTimeout(timer);
    const now = JSON.stringify(settings.value);
    const token = owner;
    if (!token || now === known) return;
    timer = setTimeout(() => {
      known = now;
      void ask<Preferences>('GET', PATH, { token })
        .then((kept) => ask('PUT', PATH, { body: { ...kept, web: JSON.parse(now) as Settings }, token }))
        .catch(() => undefined); // the next change tries again
    }, QUIET_MS);
  };

  effect(() => {
    const now = session.value;
    untracked(() => {
      owner = null;
      if (now && !now.account.guest) void read(now.token);
    });
  });
  effect(() => {
    void settings.value;
    untracked(write);
  });
}
