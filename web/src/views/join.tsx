// Joining by code: typed on the first screen, or in the address.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { joinByCode } from '../api/games';
import { ApiError } from '../api/http';
import { go } from '../router';
import { ensurePlayer } from '../session';
import { t } from '../text';

const problem = signal<string | null>(null);
const busy = signal(false);

async function join(code: string): Promise<void> {
  busy.value = true;
  problem.value = null;
  try {
    await ensurePlayer();
    const game = await joinByCode(code.trim().toUpperCase());
    go(`/game/${game.id}`);
  } catch (error) {
    problem.value = error instanceof ApiError ? error.message : t.problems.unreachable;
  } finally {
    busy.value = false;
  }
}

export function CodeForm() {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void join(String(new FormData(event.currentTarget as HTMLFormElement).get('code')));
  };
  return (
    <section class="card" aria-labelledby="by-code">
      <h2 id="by-code">{t.play.code}</h2>
      <form class="row" onSubmit={submit}>
        <input
          name="code"
          class="code"
          aria-label={t.play.codeHint}
          placeholder="K7M2QX"
          required
          maxLength={6}
          minLength={6}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
        />
        <button type="submit" disabled={busy.value}>
          {t.play.joinCode}
        </button>
      </form>
      {problem.value && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** A link that carries the code joins at once. */
export function JoinByCode({ code }: { code: string }) {
  useEffect(() => void join(code), [code]);
  return problem.value ? (
    <div class="narrow">
      <CodeForm />
    </div>
  ) : (
    <p class="loading">{t.game.loading}</p>
  );
}
