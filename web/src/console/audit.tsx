// What operators did, the newest first.
import { t } from '../text';
import { dateTime } from '../text/format';
import { List, Table } from './parts';
import type { AuditEntry } from './types';
import { useList } from './use';

const LIMIT = 50;

export function Audit() {
  const list = useList<{ entries: AuditEntry[] }, AuditEntry>(
    (cursor) => `/v1/admin/audit?limit=${LIMIT}${cursor ? `&before=${cursor}` : ''}`,
    ({ entries }) => ({ items: entries, next: entries.length < LIMIT ? null : String(entries.at(-1)!.id) }),
    '',
  );
  return (
    <section class="stack" aria-label={t.console.sections.audit}>
      <List list={list} empty={t.console.noAudit}>
        <Table
          label={t.console.sections.audit}
          heads={[t.console.when, t.console.who, t.console.what, t.console.whom, t.console.detail]}
        >
          {list.items?.map((entry) => (
            <tr key={entry.id}>
              <td>{dateTime(entry.at)}</td>
              <td>{entry.actor}</td>
              <td>
                <code>{entry.action}</code>
              </td>
              <td>{entry.target}</td>
              <td>{entry.detail}</td>
            </tr>
          ))}
        </Table>
      </List>
    </section>
  );
}
