// Games: by their id or by a player, private ones too.
import { useState } from 'preact/hooks';
import type { GamePage } from '../api/types';
import { controlName } from '../game/clock';
import { t } from '../text';
import { relative } from '../text/format';
import { named } from '../watch/big_board';
import { List, Search, Table } from './parts';
import { useList } from './use';

const STATES = ['', 'ACTIVE', 'PAUSED', 'WAITING', 'COMPLETED'] as const;

export function Games() {
  const [search, setSearch] = useState('');
  const [state, setState] = useState('');
  const list = useList<GamePage, GamePage['games'][number]>(
    (cursor) => {
      const query = new URLSearchParams({ limit: '30' });
      if (search) query.set('search', search);
      if (state) query.set('state', state);
      if (cursor) query.set('cursor', cursor);
      return `/v1/admin/games?${query}`;
    },
    (answer) => ({ items: answer.games, next: answer.next_cursor ?? null }),
    `${search} ${state}`,
  );
  return (
    <section class="stack" aria-label={t.console.sections.games}>
      <div class="row">
        <Search label={t.console.searchGames} value={search} search={setSearch} />
        <select
          class="short"
          aria-label={t.console.state}
          value={state}
          onChange={(event) => setState(event.currentTarget.value)}
        >
          {STATES.map((name) => (
            <option key={name} value={name}>
              {name === '' ? t.console.anyState : t.console.states[name]}
            </option>
          ))}
        </select>
      </div>
      <List list={list} empty={t.console.noGames}>
        <Table
          label={t.console.sections.games}
          heads={[t.console.game, t.console.players, t.console.state, t.console.time, t.console.begun]}
        >
          {list.items?.map((game) => (
            <tr key={game.id}>
              <td>
                <a href={`/console/games/${game.id}`}>{game.id}</a>
              </td>
              <td>{named(game)}</td>
              <td>{t.console.states[game.state] ?? game.state}</td>
              <td>{controlName(game.time_control)}</td>
              <td>{relative(game.created_at)}</td>
            </tr>
          ))}
        </Table>
      </List>
    </section>
  );
}
