// Whether an account takes over what its owner played as a guest.
import { useState } from 'preact/hooks';
import { adopt, leaveGuest, type Session } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';

export function Adopt({ guest, done }: { guest: Session; done?: () => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const takeOver = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await adopt(guest);
      done?.();
    } catch (error) {
      setProblem(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  const leave = () => {
    leaveGuest(guest);
    done?.();
  };
  return (
    <div class="stack">
      <p>{t.account.adoptHint(guest.account.name)}</p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="button" class="primary" disabled={busy} onClick={() => void takeOver()}>
        {t.account.adoptYes}
      </button>
      <button type="button" disabled={busy} onClick={leave}>
        {t.account.adoptNo}
      </button>
    </div>
  );
}
