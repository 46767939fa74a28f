// A name that leads to its owner's page.
import { Titled, type Named } from './titled';

export const profilePath = (name: string): string => `/@/${encodeURIComponent(name)}`;

interface Props extends Named {
  id?: string;
  /** Within somebody else's page a profile opens beside it. */
  target?: '_blank';
}

export function PlayerLink({ id, target, ...named }: Props) {
  return (
    <a class="person" href={profilePath(id ?? named.name)} target={target}>
      <Titled {...named} />
    </a>
  );
}
