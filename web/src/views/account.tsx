// Register and sign in.
import { signal } from '@preact/signals';
import * as api from '../api/games';
import { ask } from '../api/http';
import { leaveGuest, me, register, signIn, type Session } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';
import { Adopt } from './adopt';
import { Dialog } from './dialog';

type Step = 'signIn' | 'register' | 'reset' | 'resetSent' | 'adopt';

const open = signal(false);
const step = signal<Step>('signIn');
const problem = signal<string | null>(null);
const busy = signal(false);
/** Who was here before signing in, and may be taken over. */
const before = signal<Session | null>(null);

export function openAccount(first: Step = 'signIn'): void {
  show(first);
  open.value = true;
}

/** A problem belongs to the step it came from. */
function show(next: Step): void {
  problem.value = null;
  step.value = next;
}

function close(): void {
  open.value = false;
  before.value = null;
  // The button that opened the dialog is gone: the keyboard goes on with the page.
  document.getElementById('content')?.focus({ preventScroll: true });
}

async function attempt(act: () => Promise<void>): Promise<void> {
  if (busy.value) return;
  busy.value = true;
  problem.value = null;
  try {
    await act();
  } catch (error) {
    problem.value = wordsFor(error);
  } finally {
    busy.value = false;
  }
}

async function enter(name: string, password: string): Promise<void> {
  const guest = await signIn(name, password);
  if (!guest) return close();
  const played = await api.list({ player: guest.account.id, limit: '1' }).catch(() => null);
  // Without an answer it is better to ask than to lose them.
  if (played?.games.length === 0) {
    leaveGuest(guest);
    return close();
  }
  before.value = guest;
  show('adopt');
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const form = new FormData(event.currentTarget as HTMLFormElement);
  const [name, password] = [String(form.get('username')).trim(), String(form.get('password') ?? '')];
  void attempt(async () => {
    if (step.value === 'reset') {
      await ask('POST', '/v1/password-resets', { body: name.includes('@') ? { email: name } : { username: name } });
      return show('resetSent');
    }
    if (step.value === 'signIn') return enter(name, password);
    await register(name, password);
    close();
  });
}

export function AccountDialog() {
  const title = step.value === 'register' ? t.account.register : t.account[step.value === 'adopt' ? 'adopt' : 'signIn'];
  return (
    <Dialog open={open} title={title}>
      {step.value === 'adopt' ? <TakeOver /> : <Credentials />}
    </Dialog>
  );
}

function Problem() {
  return problem.value ? (
    <p class="problem" role="alert">
      {problem}
    </p>
  ) : null;
}

/** To close the dialog is no answer: the page of the account asks again. */
function TakeOver() {
  const guest = before.value;
  if (!guest) return null;
  return (
    <>
      <Adopt guest={guest} done={close} />
      <p class="hint center">{t.account.adoptLater}</p>
    </>
  );
}

function Credentials() {
  const now = step.value;
  const isNew = now === 'register';
  if (now === 'resetSent') return <p role="status">{t.account.resetSent}</p>;
  return (
    <form key={now} class="stack" onSubmit={submit}>
      {isNew && me()?.guest && <p class="hint">{t.account.guestKeeps}</p>}
      <label>
        {now === 'reset' ? t.account.nameOrEmail : t.account.username}
        <input
          name="username"
          autocomplete="username"
          required
          minLength={2}
          maxLength={now === 'reset' ? 200 : 20}
          autofocus
          spellcheck={false}
        />
        {isNew && <small>{t.account.nameHint}</small>}
      </label>
      {now !== 'reset' && (
        <label>
          {t.account.password}
          <input name="password" type="password" required autocomplete={isNew ? 'new-password' : 'current-password'} />
          {isNew && <small>{t.account.passwordHint}</small>}
        </label>
      )}
      <Problem />
      <button type="submit" class="primary" disabled={busy.value}>
        {now === 'reset' ? t.account.reset : isNew ? t.account.register : t.account.signIn}
      </button>
      <button type="button" class="link" onClick={() => show(isNew || now === 'reset' ? 'signIn' : 'register')}>
        {isNew || now === 'reset' ? t.account.haveOne : t.account.haveNone}
      </button>
      {now === 'signIn' && (
        <button type="button" class="link" onClick={() => show('reset')}>
          {t.account.forgotten}
        </button>
      )}
      {me()?.guest && (
        <a class="center" href="/account" onClick={close}>
          {t.account.stayGuest}
        </a>
      )}
    </form>
  );
}
