// Open a room, join one.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go } from '../router';
import { t } from '../text';
import { Titled } from '../views/titled';
import { guest, host, join, problemOf, rooms } from './room';
import type { Room, Snapshot } from './types';
import '../styles/skill.css';

const open = signal<Room[]>([]);
const problem = signal<string | null>(null);
const EVERY_MS = 4_000;

async function enter(ask: () => Promise<{ snapshot: Snapshot }>): Promise<void> {
  problem.value = null;
  try {
    go(`/skill/${(await ask()).snapshot.id}`);
  } catch (error) {
    problem.value = problemOf(error);
  }
}

export function SkillLobby() {
  useEffect(() => {
    const look = () =>
      void rooms().then(
        (found) => (open.value = found),
        () => undefined,
      );
    look();
    const timer = setInterval(() => document.visibilityState === 'visible' && look(), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const byCode = (event: SubmitEvent) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget as HTMLFormElement).get('room')).trim();
    void enter(() => join(code));
  };
  return (
    <div class="narrow skill-lobby">
      <h1>{t.skill.heading}</h1>
      <p class="hint">{t.skill.hint}</p>
      <section class="card stack">
        <label>
          {t.skill.name}
          <input
            maxLength={24}
            value={guest.value.displayName}
            onInput={(e) => (guest.value = { ...guest.value, displayName: e.currentTarget.value })}
          />
        </label>
        <button type="button" class="primary big" onClick={() => void enter(host)}>
          {t.skill.host}
        </button>
        <form class="row" onSubmit={byCode}>
          <input
            name="room"
            class="code"
            aria-label={t.skill.room}
            placeholder="ABC123"
            required
            minLength={6}
            maxLength={6}
            autocomplete="off"
            spellcheck={false}
          />
          <button type="submit">{t.skill.join}</button>
        </form>
        {problem.value && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </section>
      <section aria-labelledby="rooms">
        <h2 id="rooms">{t.skill.rooms}</h2>
        {open.value.length === 0 ? (
          <p class="hint">{t.skill.noRooms}</p>
        ) : (
          <ul class="rows">
            {open.value.map((room) => (
              <li key={room.id}>
                <button type="button" class="game-row" onClick={() => void enter(() => join(room.roomCode))}>
                  <strong>{room.roomCode}</strong>
                  <span>
                    <Titled title={room.host.title} name={room.host.displayName} />
                  </span>
                  <span />
                  <span class="go">{t.skill.join}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
