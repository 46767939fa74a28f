// One account, and what an operator may do with it.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text';
import { date, dateTime } from '../text/format';
import { wordsFor } from '../text/problem';
import { Sure } from '../views/act';
import { operate } from './access';
import { Outcome } from './parts';
import { standing } from './players';
import type { Person, Sanction } from './types';
import { useAct } from './use';

type Known = Person & { sanctions: Sanction[] };

const KINDS = ['mute', 'bar_rated'] as const;

export function OnePlayer({ name }: { name: string }) {
  const [person, setPerson] = useState<Known | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const { problem, done, act } = useAct();
  const path = `/v1/admin/accounts/${encodeURIComponent(name)}`;
  const look = () =>
    operate<Known>('GET', path).then(setPerson, (error: unknown) => {
      setMissing(wordsFor(error));
    });
  useEffect(() => void look(), [name]);
  if (missing) {
    return (
      <p class="problem" role="alert">
        {missing}
      </p>
    );
  }
  if (!person) return <p class="hint">{t.loading}</p>;
  const tell = (method: string, what: string, body?: object) =>
    void act(() => operate(method, `${path}/${what}`, { body }), t.console.done).then(look);
  const isGone = person.deleted_at !== null;
  return (
    <section class="stack one-player" aria-label={person.name}>
      <h2>
        <a href={`/@/${person.id}`}>{person.name}</a> {standing(person) && <span class="tag">{standing(person)}</span>}
      </h2>
      <p class="hint">
        {t.console.kinds[person.kind] ?? person.kind} · {date(person.created_at)} · {person.email ?? '–'}
      </p>
      <Outcome problem={problem} done={done} />
      {KINDS.map((kind) => {
        const standing = person.sanctions.find((sanction) => sanction.kind === kind);
        return standing ? (
          <p key={kind} class="row">
            <span>
              {t.console.sanctions[kind]}:{' '}
              {standing.until ? t.console.until(dateTime(standing.until)) : t.console.always} ({standing.why})
            </span>
            <button type="button" onClick={() => tell('DELETE', `sanctions/${kind}`)}>
              {t.console.lift}
            </button>
          </p>
        ) : (
          <SanctionForm key={kind} kind={kind} put={(body) => tell('PUT', `sanctions/${kind}`, body)} />
        );
      })}
      <div class="row">
        {person.barred_at ? (
          <button type="button" onClick={() => tell('POST', 'unbar', {})}>
            {t.console.unbar}
          </button>
        ) : (
          <Sure label={t.console.bar} sign="⚑" act={() => tell('POST', 'bar', { reason: '' })} />
        )}
        <Sure
          label={person.is_admin ? t.console.demote : t.console.promote}
          sign={person.is_admin ? '−' : '+'}
          act={() => tell('POST', 'rights', { is_admin: !person.is_admin })}
        />
        {!isGone && <Sure label={t.console.close} sign="✕" act={() => tell('POST', 'close', {})} />}
      </div>
    </section>
  );
}

function SanctionForm({ kind, put }: { kind: Sanction['kind']; put(body: object): void }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const days = Number(form.get('days'));
    const until = days > 0 ? new Date(Date.now() + days * 86_400_000).toISOString() : undefined;
    put({ note: String(form.get('note')), until });
  };
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>{t.console.sanctions[kind]}</legend>
        <div class="row">
          <input name="note" required maxLength={1_000} aria-label={t.console.why} placeholder={t.console.why} />
          <Days />
          <button type="submit">{t.console.impose}</button>
        </div>
      </fieldset>
    </form>
  );
}

export function Days() {
  return (
    <select name="days" class="short" aria-label={t.console.howLong}>
      {[1, 7, 30, 0].map((days) => (
        <option key={days} value={days}>
          {days === 0 ? t.console.always : t.console.days(days)}
        </option>
      ))}
    </select>
  );
}
