// Something to copy: a field that can be selected, and a button.
import { useRef, useState } from 'preact/hooks';
import { t } from '../text';

export function CopyField({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <label class="copy">
      <span>{label}</span>
      <span class="row">
        <input ref={field} readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={() => value} select={() => field.current?.select()} />
      </span>
    </label>
  );
}

interface Props {
  text(): string | Promise<string>;
  select?(): void;
  label?: string;
}

export function CopyButton({ text, select, label = t.game.copy }: Props) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    const words = await text();
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      select?.(); // without the clipboard (plain HTTP) the person copies the selection
      return;
    }
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {done ? t.game.copied : label}
    </button>
  );
}
