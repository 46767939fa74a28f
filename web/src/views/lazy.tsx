// Pages that are not the first thing anyone needs are loaded when they are opened.
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text';
import { wantsReload } from './reload_once';

const AGAIN_MS = 3_000;
const RELOADED = 'arbiter.reloaded';

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
        // No network: it is tried again. A newer page on the server: the whole of it is loaded.
        () => {
          if (!wanted) return;
          timer = setTimeout(() => setFailed(failed + 1), AGAIN_MS);
          void reloadIfOld();
        },
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

async function reloadIfOld(): Promise<void> {
  // The name of this file changes with anything that it loads.
  const build = import.meta.url;
  const isServerThere = async () => (await fetch('/health', { cache: 'no-store' }).catch(() => null))?.ok ?? false;
  try {
    if (!(await wantsReload({ isServerThere, reloadedFor: sessionStorage.getItem(RELOADED), build }))) return;
    sessionStorage.setItem(RELOADED, build);
    location.reload();
  } catch {
    // a browser may forbid storage: then nothing would keep it from reloading for ever
  }
}
