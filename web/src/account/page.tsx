// One's own account.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/account';
import type { Me, Notifications } from '../api/account';
import type { Account } from '../api/types';
import { confirmSession, ownGuests, session, signOut } from '../session';
import { t } from '../text';
import { useTitle } from '../title';
import { openAccount } from '../views/account';
import { Adopt } from '../views/adopt';
import { profilePath } from '../views/player_link';
import { Titled } from '../views/titled';
import { Blocked } from './blocked';
import { Data } from './data';
import { Email, Password, WhoMayChallenge } from './identity';
import { Notified } from './notified';
import { turnOff } from './push';
import { Section, useOutcome } from './section';
import { Tokens } from './tokens';
import { VacationSection } from './vacation';
import '../styles/profile.css';

export function AccountPage() {
  useTitle(t.account.heading);
  const account = session.value?.account;
  if (!account)
    return (
      <div class="narrow stack">
        <h1>{t.account.heading}</h1>
        <p>{t.me.signedOut}</p>
        <button type="button" class="primary" onClick={() => openAccount()}>
          {t.account.signIn}
        </button>
      </div>
    );
  return account.guest ? <GuestPage account={account} /> : <OwnPage key={account.id} />;
}

function GuestPage({ account }: { account: Account }) {
  const outcome = useOutcome();
  const rename = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('display_name')).trim();
    void outcome.attempt(async () => {
      await api.change({ display_name: name || null });
      await confirmSession();
    }, t.me.saved);
  };
  return (
    <div class="narrow stack account-page">
      <h1>
        <Titled {...account} />
      </h1>
      <p>{t.me.guest}</p>
      <button type="button" class="primary" onClick={() => openAccount('register')}>
        {t.account.register}
      </button>
      <form class="card stack" onSubmit={rename}>
        <label>
          {t.me.displayName}
          <input
            name="display_name"
            minLength={2}
            maxLength={20}
            autocomplete="nickname"
            spellcheck={false}
            defaultValue={account.display_name ?? ''}
          />
        </label>
        {outcome.view}
        <button type="submit" disabled={outcome.busy}>
          {t.me.save}
        </button>
      </form>
    </div>
  );
}

/** Whoever uses this browser next is not told of our games. */
async function leave(): Promise<void> {
  await turnOff().catch(() => undefined);
  await signOut();
}

function OwnPage() {
  const [account, setAccount] = useState<Me | null>(null);
  const [notified, setNotified] = useState<Notifications | null>(null);
  useEffect(() => {
    void api.read().then(setAccount, () => undefined);
    void api.notifications().then(setNotified, () => undefined);
  }, []);
  if (!account) return <p class="loading">{t.loading}</p>;
  return (
    <div class="account-page">
      <div class="profile-head">
        <h1>
          <Titled {...account} />
        </h1>
        <div class="row">
          <a class="button" href={profilePath(account.id)}>
            {t.me.profile}
          </a>
          <button type="button" onClick={() => void leave()}>
            {t.account.signOut}
          </button>
        </div>
      </div>
      <Guests />
      <Password />
      <Email account={account} notified={notified} changed={setNotified} />
      <WhoMayChallenge account={account} />
      <Notified notified={notified} changed={setNotified} />
      <VacationSection />
      <Blocked />
      <Tokens />
      <Data name={account.name} />
    </div>
  );
}

/** What was played here as a guest, and is still waiting for a word. */
function Guests() {
  const guests = ownGuests();
  if (guests.length === 0) return null;
  return (
    <Section id="guests" heading={t.account.adopt}>
      {guests.map((guest) => (
        <Adopt key={guest.token} guest={guest} />
      ))}
    </Section>
  );
}
