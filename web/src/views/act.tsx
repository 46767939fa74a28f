// Buttons with a sign and a word; and those that ask twice. None of them comes or goes while a game is played.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text';

interface ActProps {
  label: string;
  sign: string;
  act(): void;
  off?: boolean;
}

export function Act({ label, sign, act, off }: ActProps) {
  return (
    <button type="button" class="act" data-sign={sign} title={label} disabled={off} onClick={act}>
      <small>{label}</small>
    </button>
  );
}

const FORGET_MS = 4_000;

/** A slip must not cost the game: the first press asks, the second acts, and a double click is one press. */
export function Sure({ label, sign, act, off }: ActProps) {
  const [asked, ask] = useState(false);
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => ask(false), FORGET_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  const press = (event: MouseEvent) => {
    if (event.detail > 1) return;
    if (asked) act();
    ask(!asked);
  };
  return (
    <button
      type="button"
      class={`act ${asked ? 'danger' : ''}`}
      data-sign={asked ? '?' : sign}
      title={label}
      disabled={off}
      onClick={press}
    >
      <small>
        {asked ? (
          <>
            <span class="unseen">{label}: </span>
            {t.actions.sure}
          </>
        ) : (
          label
        )}
      </small>
    </button>
  );
}

/** What has just appeared under a pointer takes no press yet: that was meant for what was there before. */
export function useSettled(ms = 350): boolean {
  const [settled, settle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => settle(true), ms);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}

/** True for a moment after `what` has changed: whatever stands elsewhere now takes no press that was meant for another. */
export function useResting(what: string, ms = 350): boolean {
  const [settled, settle] = useState(what);
  useEffect(() => {
    if (settled === what) return;
    const timer = setTimeout(() => settle(what), ms);
    return () => clearTimeout(timer);
  }, [what, settled]);
  return settled !== what;
}
