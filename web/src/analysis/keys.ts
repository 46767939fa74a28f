// The keys that work anywhere on the analysis page but in a field.
import { useEffect } from 'preact/hooks';
import type { Study } from './study';
import { onKeys } from '../keys';

export function useKeys(study: Study): void {
  useEffect(() => {
    return onKeys({
      ArrowLeft: () => study.step(-1),
      ArrowRight: () => study.step(1),
      ArrowUp: () => study.first(),
      ArrowDown: () => study.last(),
      Home: () => study.first(),
      End: () => study.last(),
      f: () => (study.flipped.value = !study.flipped.value),
      Delete: () => study.isOwn() && study.remove(),
    });
  }, [study]);
}
