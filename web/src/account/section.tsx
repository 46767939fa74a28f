// A part of the account page: a heading, what is in it, and what became of the last change.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { wordsFor } from '../text/problem';

export interface Outcome {
  /** Does something, and says how it went. */
  attempt(change: () => Promise<unknown>, done?: string): Promise<boolean>;
  busy: boolean;
  view: ComponentChildren;
}

export function useOutcome(): Outcome {
  const [busy, setBusy] = useState(false);
  const [said, say] = useState<{ text: string; isProblem: boolean }>({ text: '', isProblem: false });
  return {
    busy,
    async attempt(change, done = '') {
      setBusy(true);
      say({ text: '', isProblem: false });
      try {
        await change();
        say({ text: done, isProblem: false });
        return true;
      } catch (error) {
        say({ text: wordsFor(error), isProblem: true });
        return false;
      } finally {
        setBusy(false);
      }
    },
    view: (
      <p class={said.isProblem ? 'problem' : 'done'} role="status">
        {said.text}
      </p>
    ),
  };
}

interface Props {
  id: string;
  heading: string;
  children: ComponentChildren;
}

export function Section({ id, heading, children }: Props) {
  return (
    <section class="card stack" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  );
}
