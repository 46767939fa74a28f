// Pages that are not the first thing anyone needs are loaded when they are opened.
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text';

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [, show] = useState(false);
    useEffect(() => {
      if (loaded) return;
      let wanted = true;
      void load().then((page) => {
        loaded = page;
        if (wanted) show(true);
      });
      return () => void (wanted = false);
    }, []);
    const Page = loaded;
    return Page ? <Page {...props} /> : <p class="loading">{t.game.loading}</p>;
  };
}
