// A name that leads to its owner's page.
import { Titled, type Named } from './titled';

export const profilePath = (name: string): string => `/@/${encodeURIComponent(name)}`;

export function PlayerLink({ id, ...named }: Named & { id?: string }) {
  return (
    <a class="person" href={profilePath(id ?? named.name)}>
      <Titled {...named} />
    </a>
  );
}
