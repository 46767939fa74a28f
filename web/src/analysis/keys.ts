// The keys that work anywhere on the analysis page but in a field.
import { useEffect } from 'preact/hooks';
import type { Study } from './study';

export function useKeys(study: Study): void {
  useEffect(() => {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => study.step(-1),
      ArrowRight: () => study.step(1),
      ArrowUp: () => study.first(),
      ArrowDown: () => study.last(),
      Home: () => study.first(),
      End: () => study.last(),
      f: () => (study.flipped.value = !study.flipped.value),
      Delete: () => study.isOwn() && study.remove(),
    };
    const pressed = (event: KeyboardEvent) => {
      const field = (event.target as Element).closest?.('input, textarea, select, dialog, [role=dialog]');
      const act = keys[event.key];
      if (field || !act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [study]);
}
