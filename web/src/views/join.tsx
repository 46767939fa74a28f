// Joining by code: typed on the first screen, or in the address.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/games';
import { ApiError } from '../api/http';
import { gameNamed, refused, type Refused } from '../game/join_refused';
import { go, replace } from '../router';
import { ensurePlayer, me } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';
import { openAccount } from './account';

/** Where the code leads: to a game, or to the room of a skill match. */
async function entrance(typed: string, named: string | null): Promise<string> {
  const code = typed.trim().toUpperCase();
  await ensurePlayer();
  try {
    return `/game/${(await api.joinByCode(code, named)).id}`;
  } catch (error) {
    const other = refused(error) === 'own' ? await ownGame(code, named) : named ? null : await roomOf(code, error);
    if (!other) throw error;
    return other;
  }
}

/** Our own invitation: the page of the game that waits. */
async function ownGame(code: string, named: string | null): Promise<string | null> {
  if (named) return `/game/${named}`;
  const { games } = await api.list({ player: me()!.id, state: 'WAITING', limit: '100' });
  const waiting = games.find((game) => game.join_code === code);
  return waiting ? `/game/${waiting.id}` : null;
}

async function roomOf(code: string, error: unknown): Promise<string | null> {
  if (!(error instanceof ApiError) || error.status !== 404) return null;
  const { join } = await import('../skill/room');
  const room = await join(code).catch(() => null);
  return room && `/skill/${room.snapshot.id}`;
}

export function CodeForm() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ why: Refused; words: string } | null>(null);
  const join = async (code: string) => {
    setBusy(true);
    setProblem(null);
    try {
      go(await entrance(code, null));
    } catch (error) {
      const why = refused(error);
      const words = why === 'used' ? t.play.codeGone : why === 'account' ? t.game.ratedHint : wordsFor(error);
      setProblem({ why, words });
    } finally {
      setBusy(false);
    }
  };
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
        <button type="submit" disabled={busy}>
          {t.play.joinCode}
        </button>
      </form>
      {problem && (
        <p class="problem" role="alert">
          {problem.words}{' '}
          {problem.why === 'account' && (
            <button type="button" class="link" onClick={() => openAccount()}>
              {t.account.signIn}
            </button>
          )}
        </p>
      )}
    </section>
  );
}

/** A link that carries the code joins at once, and leaves nothing that "back" would come back to. */
export function JoinByCode({ code }: { code: string }) {
  const named = gameNamed(location.search);
  const account = me();
  // Whoever had to sign in for it wants to play it then.
  const who = account && !account.guest ? account.id : null;
  const [error, setError] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isWanted = true;
    setError(null);
    entrance(code, named).then(
      (path) => isWanted && replace(path),
      (problem) => isWanted && setError(problem),
    );
    return () => void (isWanted = false);
  }, [code, named, who, round]);
  if (!error) return <p class="loading">{t.game.loading}</p>;
  return <NotJoined error={error} again={() => setRound(round + 1)} />;
}

function NotJoined({ error, again }: { error: unknown; again(): void }) {
  const why = refused(error);
  const words: Record<Refused, readonly [string, string]> = {
    used: [t.game.usedTitle, t.game.usedHint],
    withdrawn: [t.game.withdrawnTitle, wordsFor(error)],
    account: [t.game.ratedTitle, t.game.ratedHint],
    own: [t.game.notJoined, wordsFor(error)],
    other: [t.game.notJoined, wordsFor(error)],
  };
  const [title, hint] = words[why];
  return (
    <div class="narrow">
      <div class="card stack">
        <div role="alert">
          <h1>{title}</h1>
          <p class="hint">{hint}</p>
        </div>
        {why === 'account' && (
          <>
            <button type="button" class="primary" onClick={() => openAccount()}>
              {t.account.signIn}
            </button>
            <button type="button" onClick={() => openAccount('register')}>
              {t.account.register}
            </button>
          </>
        )}
        {why === 'other' && (
          <button type="button" class="primary" onClick={again}>
            {t.offline.again}
          </button>
        )}
        <a class={`button ${why === 'account' || why === 'other' ? '' : 'primary'}`} href="/">
          {t.nowhere.home}
        </a>
      </div>
    </div>
  );
}
