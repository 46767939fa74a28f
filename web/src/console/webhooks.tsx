// Webhooks of all accounts, and what was sent to them.
import { useState } from 'preact/hooks';
import { t } from '../text';
import { dateTime, relative } from '../text/format';
import { Sure } from '../views/act';
import { operate } from './access';
import { List, Outcome, Table } from './parts';
import type { Delivery, Webhook } from './types';
import { useAct, useList } from './use';

export function Webhooks() {
  const [open, setOpen] = useState<number | null>(null);
  const list = useList<{ webhooks: Webhook[]; next_cursor: string | null }, Webhook>(
    (cursor) => `/v1/admin/webhooks${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`,
    (answer) => ({ items: answer.webhooks, next: answer.next_cursor }),
    '',
  );
  const { problem, done, act } = useAct();
  const remove = (id: number) =>
    void act(() => operate('DELETE', `/v1/admin/webhooks/${id}`), t.console.done).then(list.again);
  return (
    <section class="stack" aria-label={t.console.sections.webhooks}>
      <Outcome problem={problem} done={done} />
      <List list={list} empty={t.console.noWebhooks}>
        <ul class="reports">
          {list.items?.map((hook) => (
            <li key={hook.id} class="card">
              <p class="address">
                <b>{hook.url}</b>
              </p>
              <p class="hint">
                {hook.account ?? '–'} · {hook.all_games ? `${t.console.allGames} · ` : ''}
                {hook.events.join(', ')} · {relative(hook.created_at)}
              </p>
              <div class="row">
                <button
                  type="button"
                  aria-expanded={open === hook.id}
                  onClick={() => setOpen(open === hook.id ? null : hook.id)}
                >
                  {t.console.deliveries}
                </button>
                <Sure label={t.console.remove} sign="✕" act={() => remove(hook.id)} />
              </div>
              {open === hook.id && <Deliveries id={hook.id} />}
            </li>
          ))}
        </ul>
      </List>
    </section>
  );
}

function Deliveries({ id }: { id: number }) {
  const list = useList<{ deliveries: Delivery[]; next_cursor?: string | null }, Delivery>(
    (cursor) => `/v1/admin/webhooks/${id}/deliveries?limit=30${cursor ? `&cursor=${cursor}` : ''}`,
    (answer) => ({ items: answer.deliveries, next: answer.next_cursor ?? null }),
    String(id),
  );
  const { problem, done, act } = useAct();
  const again = (delivery: number) => {
    const path = `/v1/admin/webhooks/${id}/deliveries/${delivery}/redeliver`;
    void act(() => operate('POST', path, { body: {} }), t.console.done).then(list.again);
  };
  return (
    <>
      <Outcome problem={problem} done={done} />
      <List list={list} empty={t.console.noDeliveries}>
        <Table
          label={t.console.deliveries}
          heads={[t.console.event, t.console.state, t.console.tries, t.console.answer, t.console.when, '']}
        >
          {list.items?.map((delivery) => (
            <tr key={delivery.id}>
              <td>{delivery.type}</td>
              <td>{t.console.deliveryStates[delivery.state] ?? delivery.state}</td>
              <td>{delivery.tries}</td>
              <td>{delivery.status ?? delivery.error ?? '–'}</td>
              <td>{dateTime(delivery.created_at)}</td>
              <td>
                <button type="button" class="quiet" onClick={() => again(delivery.id)}>
                  {t.console.redeliver}
                </button>
              </td>
            </tr>
          ))}
        </Table>
      </List>
    </>
  );
}
