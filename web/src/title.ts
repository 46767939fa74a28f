// The page's title: what is on it, and before that what wants attention.
import { computed, effect, signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { language, t } from './text';

/** What the page is about; null is nothing special. */
export const pageTitle = signal<string | null>(null);

/** What waits elsewhere, as `(2)`: put in front by the notices. */
export const attention = signal('');

const full = computed(() => {
  void language.value;
  const page = pageTitle.value ? `${pageTitle.value} · ${t.name}` : `${t.name}: ${t.tagline}`;
  return attention.value ? `${attention.value} ${page}` : page;
});

export function showTitle(): void {
  effect(() => void (document.title = full.value));
}

/** The title of a page while it is open. Another page starts without. */
export function useTitle(title: string): void {
  useLayoutEffect(() => {
    pageTitle.value = title;
  }, [title]);
  useLayoutEffect(() => () => void (pageTitle.value = null), []);
}
