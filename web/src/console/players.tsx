// Accounts, by how their names begin.
import { useState } from 'preact/hooks';
import { t } from '../text';
import { date } from '../text/format';
import { List, Search, Table } from './parts';
import type { Person } from './types';
import { useList } from './use';

interface Page {
  accounts: Person[];
  next_cursor: string | null;
}

export function Players() {
  const [search, setSearch] = useState('');
  const list = useList<Page, Person>(
    (cursor) => {
      const query = new URLSearchParams({ limit: '50', search });
      if (cursor) query.set('cursor', cursor);
      return `/v1/admin/accounts?${query}`;
    },
    (answer) => ({ items: answer.accounts, next: answer.next_cursor }),
    search,
  );
  return (
    <section class="stack" aria-label={t.console.sections.players}>
      <Search label={t.console.searchPlayers} value={search} search={setSearch} />
      <List list={list} empty={t.console.noPlayers}>
        <Table
          label={t.console.sections.players}
          heads={[t.account.username, t.console.kind, t.console.email, t.console.since, t.console.state]}
        >
          {list.items?.map((person) => (
            <tr key={person.id}>
              <td>
                <a href={`/console/players/${person.id}`}>
                  {person.title ? `${person.title} ` : ''}
                  {person.name}
                </a>
              </td>
              <td>{t.console.kinds[person.kind] ?? person.kind}</td>
              <td>{person.email ?? '–'}</td>
              <td>{date(person.created_at)}</td>
              <td>{standing(person)}</td>
            </tr>
          ))}
        </Table>
      </List>
    </section>
  );
}

export function standing(person: Person): string {
  if (person.deleted_at) return t.console.closed;
  if (person.barred_at) return t.console.barred;
  return person.is_admin ? t.console.administrator : '';
}
