// The language of the page. A second one is a file beside en.ts and a line here.
import { en, type Texts } from './en';

const LANGUAGES: Record<string, Texts> = { en };

const wanted = typeof navigator === 'undefined' ? [] : navigator.languages;
const language = wanted.map((tag) => tag.split('-')[0]!).find((tag) => tag in LANGUAGES) ?? 'en';

export const t: Texts = LANGUAGES[language]!;

/** The page's own language, for screen readers. */
export function applyLanguage(): void {
  document.documentElement.lang = language;
}
