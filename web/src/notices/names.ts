// Streams tell of players by their ids; people are called by their names.
import * as players from '../api/players';
import { titled } from '../views/titled';

const known = new Map<string, string>();

/** The name if it is known, else the id. */
export const nameNow = (id: string): string => known.get(id) ?? id;

/** Calls back with the name when it had to be asked for. */
export function learn(ids: string[], learned: () => void): void {
  const unknown = ids.filter((id) => id && !known.has(id));
  if (unknown.length === 0) return;
  const asked = unknown.map((id) =>
    players.read(id).then(
      (player) => void known.set(id, titled(player)),
      () => undefined,
    ),
  );
  void Promise.all(asked).then(learned);
}
