// The place in the header where notices appear. It is there always, and empty most of the time: nothing moves when
// something comes, and no notice lies over a button.
import { effect, untracked } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../announce';
import { t } from '../text';
import { attention } from '../title';
import { dismiss, isPassing, toasts, waiting, type Toast } from './toast';

/** A press this soon was meant for what was here before. */
const TOO_SOON_MS = 350;
const PASSING_MS = 12_000;

export function NoticeSlot() {
  const toast = toasts.value[0];
  return (
    <div class="notice-slot" aria-label={t.notices.heading} role="region">
      {toast && <Shown key={toast.key} toast={toast} more={toasts.value.length - 1} />}
    </div>
  );
}

function Shown({ toast, more }: { toast: Toast; more: number }) {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const ready = setTimeout(() => setReady(true), TOO_SOON_MS);
    const passed = isPassing(toast) ? setTimeout(() => dismiss(toast.key), PASSING_MS) : undefined;
    return () => {
      clearTimeout(ready);
      clearTimeout(passed);
    };
  }, []);
  const away = () => {
    dismiss(toast.key);
    toast.dismissed?.();
  };
  return (
    <div class={`toast ${toast.kind}`} data-kind={toast.kind}>
      {toast.game ? (
        <a
          class="words"
          href={`/game/${toast.game}`}
          title={toast.text}
          onClick={(event) => !isReady && event.preventDefault()}
        >
          {toast.text}
        </a>
      ) : (
        <span class="words" title={toast.text}>
          {toast.text}
        </span>
      )}
      {more > 0 && (
        <span class="tag" title={t.notices.more(more)}>
          +{more}
        </span>
      )}
      {toast.accept && (
        <button type="button" class="primary" disabled={!isReady} onClick={toast.accept}>
          <span class="long">{t.notices.accept}</span>
          <span class="short" aria-hidden="true">
            ✓
          </span>
        </button>
      )}
      {toast.decline ? (
        <button type="button" disabled={!isReady} onClick={toast.decline}>
          <span class="long">{t.notices.decline}</span>
          <span class="short" aria-hidden="true">
            ✕
          </span>
        </button>
      ) : (
        <button type="button" class="quiet icon" aria-label={t.notices.dismiss} disabled={!isReady} onClick={away}>
          ✕
        </button>
      )}
    </div>
  );
}

/** The title counts what waits, and who cannot see the slot hears it. */
export function followToasts(): void {
  effect(() => void (attention.value = waiting.value > 0 ? `(${waiting.value})` : ''));
  let last: string | undefined;
  effect(() => {
    const newest = toasts.value.at(-1);
    if (newest && newest.key !== last) untracked(() => announce(newest.text));
    last = newest?.key;
  });
}
