// Being away from correspondence games.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/account';
import type { Vacation } from '../api/account';
import { t } from '../text';
import { date } from '../text/format';
import { Section, useOutcome } from './section';

const DAYS = 7;

export function VacationSection() {
  const [vacation, setVacation] = useState<Vacation | null>(null);
  const outcome = useOutcome();
  useEffect(() => void api.vacation().then(setVacation, () => undefined), []);
  if (!vacation) return null;
  const leave = (event: SubmitEvent) => {
    event.preventDefault();
    const days = Number(new FormData(event.currentTarget as HTMLFormElement).get('days')) || 1;
    void outcome.attempt(async () => setVacation(await api.goAway(days)));
  };
  return (
    <Section id="vacation" heading={t.me.vacation}>
      <p class="hint">{t.me.vacationHint}</p>
      <p>{t.me.daysLeft(vacation.days_left, vacation.days_per_year)}</p>
      {vacation.on_vacation ? (
        <>
          <p>{vacation.until && t.me.awayUntil(date(vacation.until))}</p>
          <button
            type="button"
            disabled={outcome.busy}
            onClick={() => void outcome.attempt(async () => setVacation(await api.comeBack()))}
          >
            {t.me.comeBack}
          </button>
        </>
      ) : (
        <form class="row" onSubmit={leave}>
          <input
            name="days"
            type="number"
            aria-label={t.me.days}
            min="1"
            max={Math.max(1, vacation.days_left)}
            defaultValue={String(Math.min(DAYS, Math.max(1, vacation.days_left)))}
          />
          <button type="submit" disabled={outcome.busy || vacation.days_left < 1}>
            {t.me.goAway}
          </button>
        </form>
      )}
      {outcome.view}
    </Section>
  );
}
