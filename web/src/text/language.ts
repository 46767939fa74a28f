// Which language the page speaks: the one that was chosen, else the browser's.
import { effect } from '@preact/signals';
import { settings } from '../settings';
import { language, pick, speak } from './index';

/** Follows the setting from now on; done when the first choice is loaded. */
export async function followLanguage(): Promise<void> {
  let first: Promise<void> = Promise.resolve();
  effect(() => {
    const chosen = settings.value.language;
    first = speak(chosen === 'auto' ? pick(navigator.languages) : chosen);
  });
  effect(() => {
    document.documentElement.lang = language.value;
  });
  await first;
}
