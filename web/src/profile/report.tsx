// Telling the operators about a player.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { ask } from '../api/http';
import { token } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';
import { Dialog } from '../views/dialog';

const open = signal(false);
export const openReport = (): void => void (open.value = true);

export function ReportDialog({ player }: { player: string }) {
  return (
    <Dialog open={open} title={`${t.profile.report}: ${player}`}>
      <ReportForm player={player} />
    </Dialog>
  );
}

function ReportForm({ player }: { player: string }) {
  const [state, setState] = useState<'open' | 'sent' | string>('open');
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = { player, reason: String(form.get('reason')), text: String(form.get('text')) };
    try {
      await ask('POST', '/v1/reports', { body, token: token() });
      setState('sent');
    } catch (error) {
      setState(wordsFor(error));
    }
  };
  if (state === 'sent') return <p role="status">{t.profile.reportSent}</p>;
  return (
    <form class="stack" onSubmit={(event) => void send(event)}>
      <label>
        {t.profile.reportWhy}
        <select name="reason">
          {Object.entries(t.profile.reportReasons).map(([id, text]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t.profile.reportText}
        <textarea name="text" rows={4} maxLength={1000} />
      </label>
      {state !== 'open' && (
        <p class="problem" role="alert">
          {state}
        </p>
      )}
      <button type="submit" class="primary">
        {t.profile.report}
      </button>
    </form>
  );
}
