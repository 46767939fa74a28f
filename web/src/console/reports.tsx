// What players said about players, the oldest first.
import { useState } from 'preact/hooks';
import { t } from '../text';
import { dateTime, relative } from '../text/format';
import { operate } from './access';
import { Days } from './one_player';
import { List, Outcome } from './parts';
import type { Report } from './types';
import { useAct, useList } from './use';

const DECISIONS = ['dismiss', 'warn', 'mute', 'bar_rated', 'close'] as const;

export function Reports() {
  const [state, setState] = useState<'open' | 'decided'>('open');
  const list = useList<{ reports: Report[]; next?: number | null }, Report>(
    (cursor) => `/v1/admin/reports?state=${state}${cursor ? `&cursor=${cursor}` : ''}`,
    (answer) => ({ items: answer.reports, next: answer.next == null ? null : String(answer.next) }),
    state,
  );
  const { problem, done, act } = useAct();
  const decide = (id: number, body: object) =>
    void act(() => operate('POST', `/v1/admin/reports/${id}/decide`, { body }), t.console.done).then(list.again);
  return (
    <section class="stack" aria-label={t.console.sections.reports}>
      <div class="row" role="group" aria-label={t.console.state}>
        {(['open', 'decided'] as const).map((name) => (
          <button key={name} type="button" aria-pressed={state === name} onClick={() => setState(name)}>
            {t.console.reportStates[name]}
          </button>
        ))}
      </div>
      <Outcome problem={problem} done={done} />
      <List list={list} empty={t.console.noReports}>
        <ul class="reports">
          {list.items?.map((report) => (
            <li key={report.id} class="card">
              <About report={report} />
              {report.decision ? (
                <p class="hint">
                  {t.console.decisions[report.decision.decision] ?? report.decision.decision}, {report.decision.by},{' '}
                  {dateTime(report.decision.at)}: {report.decision.note}
                </p>
              ) : (
                <Decide decide={(body) => decide(report.id, body)} />
              )}
            </li>
          ))}
        </ul>
      </List>
    </section>
  );
}

function About({ report }: { report: Report }) {
  return (
    <>
      <p>
        <b>
          <a href={`/console/players/${report.player}`}>{report.player}</a>
        </b>{' '}
        <span class="tag">{t.console.reasons[report.reason] ?? report.reason}</span>{' '}
        {report.game_id && <a href={`/console/games/${report.game_id}`}>{t.console.game}</a>}{' '}
        <small class="hint">
          {report.reporter ?? '–'}, {relative(report.at)}
        </small>
      </p>
      {report.text && <blockquote>{report.text}</blockquote>}
    </>
  );
}

function Decide({ decide }: { decide(body: object): void }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const decision = String(form.get('decision'));
    const days = Number(form.get('days'));
    const hasEnd = days > 0 && (decision === 'mute' || decision === 'bar_rated');
    const until = hasEnd ? new Date(Date.now() + days * 86_400_000).toISOString() : undefined;
    decide({ decision, until, note: String(form.get('note')) });
  };
  return (
    <form class="row decide" onSubmit={submit}>
      <select name="decision" class="short" aria-label={t.console.decision}>
        {DECISIONS.map((name) => (
          <option key={name} value={name}>
            {t.console.decisions[name]}
          </option>
        ))}
      </select>
      <Days />
      <input name="note" maxLength={1_000} aria-label={t.console.why} placeholder={t.console.why} />
      <button type="submit" class="primary">
        {t.console.decide}
      </button>
    </form>
  );
}
