// Buttons with a sign and a word; and those that ask twice.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text';

interface ActProps {
  label: string;
  sign: string;
  act(): void;
}

export function Act({ label, sign, act }: ActProps) {
  return (
    <button type="button" class="act" data-sign={sign} title={label} onClick={act}>
      <small>{label}</small>
    </button>
  );
}

const FORGET_MS = 4_000;

/** A slip must not cost the game: the first press asks, the second acts. */
export function Sure({ label, sign, act }: ActProps) {
  const [asked, ask] = useState(false);
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => ask(false), FORGET_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  const press = () => {
    if (asked) act();
    ask(!asked);
  };
  return (
    <button
      type="button"
      class={`act ${asked ? 'danger' : ''}`}
      data-sign={asked ? '?' : sign}
      title={label}
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
