// Tokens for programs, and where one is signed in.
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/account';
import type { OwnToken } from '../api/account';
import { t } from '../text';
import { dateTime } from '../text/format';
import { CopyField } from '../views/copy';
import { Section, useOutcome } from './section';

export function Tokens() {
  const [tokens, setTokens] = useState<OwnToken[]>([]);
  const [secret, setSecret] = useState<string | null>(null);
  const outcome = useOutcome();
  const look = async () => setTokens((await api.tokens()).tokens);
  useEffect(() => void look().catch(() => undefined), []);
  const make = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const scopes = data.getAll('scope').map(String);
    void outcome.attempt(async () => {
      setSecret((await api.makeToken(String(data.get('name')).trim(), scopes)).token);
      form.reset();
      await look();
    });
  };
  const revoke = (id: number) =>
    void outcome.attempt(async () => {
      await api.revoke(id);
      await look();
    });
  const sessions = tokens.filter(({ kind }) => kind === 'session');
  return (
    <Section id="tokens" heading={t.me.tokens}>
      <p class="hint">{t.me.tokensHint}</p>
      <List tokens={tokens.filter(({ kind }) => kind !== 'session')} revoke={revoke} />
      <details>
        <summary>{t.me.sessions(sessions.length)}</summary>
        <List tokens={sessions} revoke={revoke} />
      </details>
      {secret && <CopyField label={t.me.newToken} value={secret} />}
      <form class="stack" onSubmit={make}>
        <input name="name" aria-label={t.me.tokenName} placeholder={t.me.tokenName} required maxLength={40} />
        <div class="scope-list">
          {Object.entries(t.me.scopes).map(([scope, text]) => (
            <label key={scope} class="switch">
              <input type="checkbox" name="scope" value={scope} defaultChecked={scope === 'read'} />
              {text}
            </label>
          ))}
        </div>
        {outcome.view}
        <button type="submit" disabled={outcome.busy}>
          {t.me.makeToken}
        </button>
      </form>
    </Section>
  );
}

function List({ tokens, revoke }: { tokens: OwnToken[]; revoke(id: number): void }) {
  return (
    <ul>
      {tokens.map((token) => (
        <li key={token.id} class="listed">
          <span>
            {token.kind === 'session' ? t.me.session : token.name}{' '}
            <small>
              {token.kind === 'session' ? '' : `${token.scopes.map((s) => t.me.scopes[s] ?? s).join(', ')}, `}
              {t.me.since(dateTime(token.created_at))}
              {token.current && `, ${t.me.thisOne}`}
            </small>
          </span>
          {!token.current && (
            <button type="button" onClick={() => revoke(token.id)}>
              {t.me.revoke}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
