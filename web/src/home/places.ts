// Things that come and go beside each other.

/** The same at the same places. Whoever comes takes the place of whoever went; if nobody comes, the last one does. */
export function inPlaces<T extends { id: string }>(before: readonly T[], now: readonly T[]): T[] {
  const left = new Map(now.map((one) => [one.id, one]));
  const places = before.map(({ id }) => {
    const stays = left.get(id);
    left.delete(id);
    return stays;
  });
  const coming = [...left.values()];
  const all = [...places.map((one) => one ?? coming.shift()), ...coming];
  for (let at = 0; at < all.length; at++) {
    while (all.length > at && all.at(-1) === undefined) all.pop();
    if (at < all.length && all[at] === undefined) all[at] = all.pop();
  }
  return all as T[];
}
