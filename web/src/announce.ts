// What a screen reader should say without being asked.
import { signal } from '@preact/signals';

export const announced = signal('');

export function announce(text: string): void {
  // The same text twice would not be read again: a space that nobody hears makes it another.
  announced.value = announced.value === text ? `${text}\u00a0` : text;
}
