// Into the console: by password, and on a new server by the code in its log.
import { useState } from 'preact/hooks';
import { me } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';
import { enter, setUp } from './access';

type Submit = (form: FormData) => Promise<void>;

/** A form that says what went wrong. */
function useForm(act: Submit) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setProblem(null);
    try {
      await act(form);
    } catch (error) {
      setProblem(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  return { problem, isBusy, submit: (event: SubmitEvent) => void submit(event) };
}

const text = (form: FormData, name: string) => String(form.get(name) ?? '').trim();

export function SignIn() {
  const { problem, isBusy, submit } = useForm((form) => enter(text(form, 'username'), String(form.get('password'))));
  return (
    <section class="card narrow">
      <h1>{t.console.heading}</h1>
      <p class="hint">{t.console.signInHint}</p>
      <form class="stack" onSubmit={submit}>
        <Name value={me()?.guest === false ? me()!.name : ''} />
        <Password autocomplete="current-password" />
        <Problem words={problem} />
        <button type="submit" class="primary" disabled={isBusy}>
          {t.console.enter}
        </button>
      </form>
    </section>
  );
}

export function SetUp() {
  const { problem, isBusy, submit } = useForm((form) =>
    setUp(text(form, 'code'), text(form, 'username'), String(form.get('password'))),
  );
  return (
    <section class="card narrow">
      <h1>{t.console.setUp}</h1>
      <p class="hint">{t.console.setUpHint}</p>
      <form class="stack" onSubmit={submit}>
        <label>
          {t.console.code}
          <input name="code" required autocomplete="off" spellcheck={false} autofocus />
          <small>{t.console.codeHint}</small>
        </label>
        <Name value="" hint={t.account.nameHint} />
        <Password autocomplete="new-password" hint={t.account.passwordHint} />
        <Problem words={problem} />
        <button type="submit" class="primary" disabled={isBusy}>
          {t.console.create}
        </button>
      </form>
    </section>
  );
}

function Name({ value, hint }: { value: string; hint?: string }) {
  return (
    <label>
      {t.account.username}
      <input name="username" autocomplete="username" required maxLength={20} spellcheck={false} defaultValue={value} />
      {hint && <small>{hint}</small>}
    </label>
  );
}

function Password({ autocomplete, hint }: { autocomplete: string; hint?: string }) {
  return (
    <label>
      {t.account.password}
      <input name="password" type="password" required autocomplete={autocomplete} />
      {hint && <small>{hint}</small>}
    </label>
  );
}

function Problem({ words }: { words: string | null }) {
  return words ? (
    <p class="problem" role="alert">
      {words}
    </p>
  ) : null;
}
