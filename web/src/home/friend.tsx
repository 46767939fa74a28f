// A game with a friend: private unless it is meant for everyone. A time, and "create"; all else is folded away.
import { signal, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { create, type NewGame } from '../api/games';
import { go } from '../router';
import { ensurePlayer, me, session } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';
import { Rules, Sides, Times } from './fields';
import { Terms } from './terms';

class Invitation {
  readonly terms = new Terms();
  readonly isPrivate = signal(true);
  readonly rated = signal(false);
  /** The clock runs when both have made a move. */
  readonly late = signal(true);
  readonly opponent: Signal<string>;
  readonly busy = signal(false);
  readonly problem = signal<string | null>(null);

  constructor(opponent: string) {
    this.opponent = signal(opponent);
  }

  mayRate(): boolean {
    const account = me();
    return account !== null && !account.guest && this.terms.control() !== null && !this.terms.hasOwnStart.value;
  }

  private wish(): NewGame {
    const { terms } = this;
    const wish: NewGame = {
      time_control: terms.control(),
      variant: terms.variant.value,
      color: terms.color.value,
      // Whoever has the link, or the code in it, may join a private game; nobody else sees it.
      visibility: this.isPrivate.value ? 'private' : 'public',
      ...terms.startPosition(),
      ...terms.clockStart(this.late.value),
    };
    if (this.rated.value && this.mayRate()) wish.rated = true;
    const opponent = this.opponent.value.trim();
    if (opponent) wish.opponent_id = opponent;
    return wish;
  }

  async send(done: () => void): Promise<void> {
    this.busy.value = true;
    this.problem.value = null;
    try {
      await ensurePlayer();
      const game = await create(this.wish());
      done();
      go(`/game/${game.id}`);
    } catch (error) {
      this.problem.value = wordsFor(error);
    } finally {
      this.busy.value = false;
    }
  }
}

/** `opponent`: a challenge to that player. */
export function FriendForm({ opponent = '', done = () => undefined }: { opponent?: string; done?: () => void }) {
  const form = useMemo(() => new Invitation(opponent), [opponent]);
  const { terms } = form;
  return (
    <form
      class="stack new-game"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.send(done);
      }}
    >
      {!opponent && <p class="hint">{t.play.friendHint}</p>}
      <Times terms={terms} group="friend" />
      <Sides terms={terms} group="friend" />
      {!opponent && (
        <Check
          value={form.isPrivate}
          label={t.play.private}
          note={form.isPrivate.value ? t.play.privateHint : t.play.publicHint}
        />
      )}
      {form.mayRate() && <Check value={form.rated} label={t.play.rated} />}
      <details>
        <summary>{t.play.more}</summary>
        <div class="stack">
          <Rules terms={terms} />
          {!opponent && (
            <label>
              {t.play.opponent}
              <input
                value={form.opponent.value}
                maxLength={20}
                placeholder={t.play.anyone}
                autocomplete="off"
                spellcheck={false}
                onInput={(e) => (form.opponent.value = e.currentTarget.value)}
              />
            </label>
          )}
          {terms.hasClock() && <Check value={form.late} label={t.play.lateClock} />}
        </div>
      </details>
      {form.problem.value && (
        <p class="problem" role="alert">
          {form.problem}
        </p>
      )}
      <button type="submit" class="primary big" disabled={form.busy.value}>
        {form.busy.value ? t.play.creating : opponent ? t.play.challenge(opponent) : t.play.create}
      </button>
      {!session.value && <p class="hint center">{t.play.asGuest}</p>}
    </form>
  );
}

function Check({ value, label, note }: { value: Signal<boolean>; label: string; note?: string }) {
  return (
    <label class="switch">
      <input type="checkbox" checked={value.value} onChange={(e) => (value.value = e.currentTarget.checked)} />
      <span>
        {label}
        {note && <small class="note">{note}</small>}
      </span>
    </label>
  );
}
