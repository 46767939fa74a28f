// A dialog of the browser's own kind: it traps the focus and closes with Escape.
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../text';

export function Dialog({
  open,
  title,
  children,
}: {
  open: Signal<boolean>;
  title: string;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const isOpen = open.value;
  useEffect(() => {
    const dialog = element.current!;
    if (isOpen && !dialog.open) dialog.showModal();
    if (!isOpen && dialog.open) dialog.close();
  }, [isOpen]);
  return (
    <dialog
      ref={element}
      aria-label={title}
      onClose={() => (open.value = false)}
      onClick={(event) => event.target === element.current && (open.value = false)}
    >
      {isOpen && (
        <div class="sheet">
          <div class="sheet-head">
            <h2>{title}</h2>
            <button type="button" class="quiet icon" aria-label={t.settings.close} onClick={() => (open.value = false)}>
              ✕
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
