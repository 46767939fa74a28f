// Wins, draws and losses, as a bar and in words.
import { t } from '../text';

interface Record {
  wins: number;
  draws: number;
  losses: number;
}

export function RecordBar({ label, record }: { label: string; record: Record }) {
  const { wins, draws, losses } = record;
  const all = wins + draws + losses;
  const x = (n: number) => (all === 0 ? 0 : (n / all) * 100);
  return (
    <div class="record">
      <span class="label">{label}</span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="none" width="100" height="6" />
        <rect class="win" width={x(wins)} height="6" />
        <rect class="drawn" x={x(wins)} width={x(draws)} height="6" />
        <rect class="loss" x={x(wins + draws)} width={x(losses)} height="6" />
      </svg>
      <span class="numbers">
        <span class="win">{t.profile.wins(wins)}</span> <span>{t.profile.draws(draws)}</span>{' '}
        <span class="loss">{t.profile.losses(losses)}</span>
      </span>
    </div>
  );
}
