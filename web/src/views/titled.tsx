// A name, with the title before it.
import type { Game } from '../api/types';

interface Named {
  name: string;
  title?: string | null;
}

export function Titled({ title, name }: Named) {
  return (
    <>
      {title && <abbr class="title">{title}</abbr>}
      {name}
    </>
  );
}

/** The same where only text can stand. */
export const titled = ({ title, name }: Named): string => (title ? `${title} ${name}` : name);

/** Who made a game that waits. */
export const host = (game: Game): Named =>
  game.players.white ?? game.players.black ?? { name: game.creator, title: game.creator_title };
