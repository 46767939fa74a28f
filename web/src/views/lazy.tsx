// Pages that are not the first thing anyone needs are loaded when they are opened.
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text';

const AGAIN_MS = 3_000;

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [, show] = useState(0);
    const [failed, setFailed] = useState(0);
    useEffect(() => {
      if (loaded) return;
      let wanted = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      load().then(
        (page) => {
          loaded = page;
          if (wanted) show(1);
        },
        // No network, or a newer page is on the server: it is tried again.
        () => void (wanted && (timer = setTimeout(() => setFailed(failed + 1), AGAIN_MS))),
      );
      return () => {
        wanted = false;
        clearTimeout(timer);
      };
    }, [failed]);
    const Page = loaded;
    return Page ? <Page {...props} /> : <p class="loading">{failed ? t.problems.unreachable : t.loading}</p>;
  };
}
