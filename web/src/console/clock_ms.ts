// A clock as an arbiter writes it.

/** `5:00`, `1:05:00` or seconds. */
export function clockMs(text: string): number | null {
  if (!/^\d+(:[0-5]?\d){0,2}$/.test(text)) return null;
  const seconds = text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds * 1_000;
}
