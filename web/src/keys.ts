// The keys that work anywhere on a page, but not while somebody types or a dialog is open.
const ELSEWHERE = 'input, textarea, select, dialog, [role=dialog]';

/** Acts on these keys, until the answer is called. */
export function onKeys(keys: Record<string, () => void>): () => void {
  const pressed = (event: KeyboardEvent) => {
    // Whose focused part has just gone, a dialog has no focus: its Escape is its own all the same.
    const isElsewhere = (event.target as Element).closest?.(ELSEWHERE) || document.querySelector('dialog[open]');
    const act = keys[event.key];
    if (isElsewhere || !act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  document.addEventListener('keydown', pressed);
  return () => document.removeEventListener('keydown', pressed);
}
