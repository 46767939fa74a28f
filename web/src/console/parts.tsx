// What the console's pages have in common.
import type { ComponentChildren } from 'preact';
import { t } from '../text';
import type { Listed } from './use';

/** What was done, and what went wrong, in one place that is always there. */
export function Outcome({ problem, done }: { problem: string | null; done: string | null }) {
  return (
    <div class="outcome" aria-live="polite">
      {problem ? <p class="problem">{problem}</p> : done ? <p class="done">{done}</p> : null}
    </div>
  );
}

/** A list with what to say when there is nothing, and a way to more. */
export function List<T>({ list, empty, children }: { list: Listed<T>; empty: string; children: ComponentChildren }) {
  if (list.problem && !list.items) {
    return (
      <p class="problem" role="alert">
        {list.problem}
      </p>
    );
  }
  if (!list.items) return <p class="hint">{t.loading}</p>;
  return (
    <>
      {list.items.length === 0 ? <p class="hint">{empty}</p> : children}
      {list.more && (
        <button type="button" onClick={list.more}>
          {t.console.more}
        </button>
      )}
      {list.problem && <p class="problem">{list.problem}</p>}
    </>
  );
}

/** A wide table scrolls within itself. */
export function Table({ label, heads, children }: { label: string; heads: string[]; children: ComponentChildren }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="console-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Words to look for; asked for when they are entered. */
export function Search({ label, value, search }: { label: string; value: string; search(words: string): void }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    search(String(new FormData(event.currentTarget as HTMLFormElement).get('search')).trim());
  };
  return (
    <form class="row" role="search" onSubmit={submit}>
      <input
        name="search"
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        spellcheck={false}
      />
      <button type="submit">{t.console.search}</button>
    </form>
  );
}
