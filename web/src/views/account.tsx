// Register and sign in.
import { signal } from '@preact/signals';
import { ApiError } from '../api/http';
import { register, signIn } from '../session';
import { t } from '../text';
import { Dialog } from './dialog';

const open = signal(false);
const isNew = signal(false);
const problem = signal<string | null>(null);
const busy = signal(false);

export function openAccount(): void {
  problem.value = null;
  isNew.value = false;
  open.value = true;
}

async function submit(event: SubmitEvent): Promise<void> {
  event.preventDefault();
  const form = new FormData(event.currentTarget as HTMLFormElement);
  const [name, password] = [String(form.get('username')), String(form.get('password'))];
  busy.value = true;
  problem.value = null;
  try {
    await (isNew.value ? register : signIn)(name.trim(), password);
    open.value = false;
  } catch (error) {
    problem.value = error instanceof ApiError ? error.message : t.problems.unreachable;
  } finally {
    busy.value = false;
  }
}

export function AccountDialog() {
  const title = isNew.value ? t.account.register : t.account.signIn;
  return (
    <Dialog open={open} title={title}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label>
          {t.account.username}
          <input
            name="username"
            autocomplete="username"
            required
            minLength={2}
            maxLength={20}
            autofocus
            spellcheck={false}
          />
          {isNew.value && <small>{t.account.nameHint}</small>}
        </label>
        <label>
          {t.account.password}
          <input
            name="password"
            type="password"
            required
            autocomplete={isNew.value ? 'new-password' : 'current-password'}
          />
          {isNew.value && <small>{t.account.passwordHint}</small>}
        </label>
        {problem.value && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary" disabled={busy.value}>
          {title}
        </button>
        <button type="button" class="link" onClick={() => (isNew.value = !isNew.value)}>
          {isNew.value ? t.account.haveOne : t.account.haveNone}
        </button>
      </form>
    </Dialog>
  );
}
