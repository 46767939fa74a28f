// A page that is not there yet.
import { useTitle } from '../title';

export function Placeholder({ title }: { title: string }) {
  useTitle(title);
  return (
    <div class="narrow">
      <h1>{title}</h1>
    </div>
  );
}
