// Password, address, and whose challenges one takes.
import { useState } from 'preact/hooks';
import * as api from '../api/account';
import type { Accept, Me, Notifications } from '../api/account';
import { t } from '../text';
import { Section, useOutcome } from './section';

const field = (event: SubmitEvent, name: string): string =>
  String(new FormData(event.currentTarget as HTMLFormElement).get(name) ?? '');

export function Password() {
  const outcome = useOutcome();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const body = { current_password: field(event, 'current'), password: field(event, 'new') };
    void outcome.attempt(() => api.change(body), t.me.passwordChanged).then((isDone) => isDone && form.reset());
  };
  return (
    <Section id="password" heading={t.me.security}>
      <form class="stack" onSubmit={submit}>
        <div class="two">
          <label>
            {t.me.currentPassword}
            <input name="current" type="password" autocomplete="current-password" required />
          </label>
          <label>
            {t.me.newPassword}
            <input name="new" type="password" autocomplete="new-password" required />
            <small>{t.account.passwordHint}</small>
          </label>
        </div>
        {outcome.view}
        <button type="submit" disabled={outcome.busy}>
          {t.me.changePassword}
        </button>
      </form>
    </Section>
  );
}

interface EmailProps {
  account: Me;
  notified: Notifications | null;
  changed(notified: Notifications): void;
}

export function Email({ account, notified, changed }: EmailProps) {
  const outcome = useOutcome();
  const [asked, setAsked] = useState(false);
  const email = notified?.email;
  const again = async () => changed(await api.notifications());
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const password = (event.currentTarget as HTMLFormElement).querySelector<HTMLInputElement>('[name=current]');
    const body = { email: field(event, 'email').trim() || null, current_password: password?.value ?? null };
    void outcome.attempt(async () => {
      await api.change(body);
      if (password) password.value = '';
      await again();
    }, t.me.saved);
  };
  const send = () =>
    void outcome.attempt(() => api.confirmEmail(), t.me.codeSent).then((isDone) => isDone && setAsked(true));
  const confirm = (event: SubmitEvent) => {
    event.preventDefault();
    const code = field(event, 'code').trim();
    void outcome.attempt(async () => {
      await api.confirmEmail(code);
      await again();
      setAsked(false);
    }, t.me.emailConfirmed);
  };
  const mustConfirm = email?.available && email.address && (!email.confirmed || email.bouncing);
  return (
    <Section id="email" heading={t.me.email}>
      <form class="row" onSubmit={save}>
        <input
          name="email"
          type="email"
          aria-label={t.me.emailAddress}
          placeholder={t.me.emailNone}
          defaultValue={account.email ?? ''}
          autocomplete="email"
        />
        {account.kind === 'registered' && (
          <input
            name="current"
            type="password"
            aria-label={t.me.currentPassword}
            placeholder={t.me.currentPassword}
            autocomplete="current-password"
            required
          />
        )}
        <button type="submit" disabled={outcome.busy}>
          {t.me.save}
        </button>
      </form>
      {email && (
        <p class="hint">
          {!email.available
            ? t.me.emailOff
            : !email.address
              ? t.me.emailNone
              : email.bouncing
                ? t.me.emailBouncing
                : email.confirmed
                  ? t.me.emailConfirmed
                  : t.me.emailUnconfirmed}
        </p>
      )}
      {mustConfirm && !asked && (
        <button type="button" disabled={outcome.busy} onClick={send}>
          {t.me.sendCode}
        </button>
      )}
      {mustConfirm && asked && (
        <form class="row" onSubmit={confirm}>
          <input name="code" aria-label={t.me.code} placeholder={t.me.code} required autocomplete="one-time-code" />
          <button type="submit" disabled={outcome.busy}>
            {t.me.confirm}
          </button>
        </form>
      )}
      {outcome.view}
    </Section>
  );
}

export function WhoMayChallenge({ account }: { account: Me }) {
  const outcome = useOutcome();
  const [accept, setAccept] = useState<Accept>(account.challenges.accept);
  const choose = (next: Accept) => {
    setAccept(next);
    void outcome.attempt(() => api.change({ challenges: { ...account.challenges, accept: next } }), t.me.saved);
  };
  return (
    <Section id="challenges" heading={t.me.challenges}>
      <select
        aria-labelledby="challenges"
        value={accept}
        onChange={(event) => choose(event.currentTarget.value as Accept)}
      >
        {Object.entries(t.me.accept).map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
      {outcome.view}
    </Section>
  );
}
