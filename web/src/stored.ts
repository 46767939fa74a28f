// A signal that outlives the page and is the same in every tab.
import { effect, signal, type Signal } from '@preact/signals';

export function stored<T>(name: string, fallback: T, restore: (value: unknown) => T): Signal<T> {
  const read = (text: string | null): T => {
    try {
      return text === null ? fallback : restore(JSON.parse(text));
    } catch {
      return fallback;
    }
  };
  const value = signal(read(get(name)));
  let written = get(name);
  effect(() => {
    const text = JSON.stringify(value.value);
    if (text !== written) set(name, (written = text));
  });
  addEventListener('storage', (event) => {
    if (event.key !== name) return;
    written = event.newValue;
    value.value = read(event.newValue);
  });
  return value;
}

// A browser may forbid storage: then things last as long as the page.
function get(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function set(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // nothing to be done
  }
}
