// A name, with the title before it.
import type { Game } from '../api/types';
import { t } from '../text';

export interface Named {
  name: string;
  title?: string | null;
  /** What a guest wants to be called. */
  display_name?: string | null;
}

/** What somebody is called: a guest who chose a name is still seen to be a guest. */
const called = ({ name, display_name }: Named): string => (display_name ? t.guestCalled(display_name) : name);

export function Titled(named: Named) {
  return (
    <>
      {named.title && <abbr class="title">{named.title}</abbr>}
      {called(named)}
    </>
  );
}

/** The same where only text can stand. */
export const titled = (named: Named): string => (named.title ? `${named.title} ${called(named)}` : called(named));

/** Who made a game that waits. */
export const host = (game: Game): Named =>
  game.players.white ?? game.players.black ?? { name: game.creator, title: game.creator_title };
