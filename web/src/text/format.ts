// Dates and numbers as people write them where the page is read.
import { language } from './index';

/** The browser's own region if it speaks the page's language: `de-AT`, not only `de`. */
function locale(): string {
  const tags = typeof navigator === 'undefined' ? [] : navigator.languages;
  return tags.find((tag) => tag.toLowerCase().split('-')[0] === language.value) ?? language.value;
}

export const number = (value: number, digits = 0): string =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);

export const percent = (share: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(share);

type When = string | number | Date;

export const date = (when: When): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(when));

export const dateTime = (when: When): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(when));

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `3 minutes ago`, `in 2 days`. */
export function relative(when: When, nowMs = Date.now()): string {
  const seconds = Math.round((new Date(when).getTime() - nowMs) / 1_000);
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? STEPS.at(-1)!;
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

/** A list as it is spoken: `a, b and c`. */
export const list = (items: string[]): string => new Intl.ListFormat(locale(), { type: 'conjunction' }).format(items);
