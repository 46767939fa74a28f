// Joining by code: typed on the first screen, or in the address.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { joinByCode } from '../api/games';
import { ApiError } from '../api/http';
import { go } from '../router';
import { ensurePlayer } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';

const problem = signal<string | null>(null);
const busy = signal(false);
/** The code led somewhere once, and does not any more. */
const isUsed = signal(false);
const GONE = [404, 409, 410];

/** Where the code leads: to a game, or to the room of a skill match. */
async function entrance(code: string): Promise<string> {
  try {
    return `/game/${(await joinByCode(code)).id}`;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const { join } = await import('../skill/room');
    const room = await join(code).catch(() => null);
    if (!room) throw error;
    return `/skill/${room.snapshot.id}`;
  }
}

async function join(code: string): Promise<void> {
  busy.value = true;
  problem.value = null;
  isUsed.value = false;
  try {
    await ensurePlayer();
    go(await entrance(code.trim().toUpperCase()));
  } catch (error) {
    // A code is good for one game, and as long as that waits.
    isUsed.value = error instanceof ApiError && GONE.includes(error.status);
    problem.value = isUsed.value ? t.play.codeGone : wordsFor(error);
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
  if (!problem.value) return <p class="loading">{t.game.loading}</p>;
  if (!isUsed.value)
    return (
      <div class="narrow">
        <CodeForm />
      </div>
    );
  return (
    <div class="narrow">
      <div class="card stack" role="alert">
        <h1>{t.game.usedTitle}</h1>
        <p class="hint">{t.game.usedHint}</p>
        <a class="button primary" href="/">
          {t.nowhere.home}
        </a>
      </div>
    </div>
  );
}
