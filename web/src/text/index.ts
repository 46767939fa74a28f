// The words of the page. A third language is a folder beside en/ and a line in LANGUAGES.
import { signal, type ReadonlySignal } from '@preact/signals';
import { en, type Texts } from './en';

const LANGUAGES = {
  en: () => Promise.resolve(en),
  de: () => import('./de').then((m) => m.de),
} satisfies Record<string, () => Promise<Texts>>;

export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];

/** The texts as they are now. Read them while drawing: they change with the language. */
export let t: Texts = en;

const spoken = signal<Language>('en');
let latest: Language = 'en';
export const language: ReadonlySignal<Language> = spoken;

/** The first of these tags that we can speak. */
export function pick(tags: readonly string[]): Language {
  const bases = tags.map((tag) => tag.toLowerCase().split('-')[0]!);
  return (bases.find((base) => base in LANGUAGES) as Language | undefined) ?? 'en';
}

/** Speaks another language from now on. A file that cannot be loaded leaves the language as it is. */
export async function speak(wanted: Language): Promise<void> {
  latest = wanted;
  const texts = await LANGUAGES[wanted]().catch(() => null);
  if (!texts || latest !== wanted) return;
  t = texts;
  spoken.value = wanted;
}
