// The operator's console.
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '../styles/console.css';
import { t } from '../text';
import { useTitle } from '../title';
import { access, isSetUpNeeded, leave } from './access';
import { Audit } from './audit';
import { Files } from './files';
import { Games } from './games';
import { OneGame } from './one_game';
import { OnePlayer } from './one_player';
import { Overview } from './overview';
import { Players } from './players';
import { Reports } from './reports';
import { SignIn, SetUp } from './sign_in';
import { Webhooks } from './webhooks';

const SECTIONS = ['overview', 'games', 'players', 'reports', 'webhooks', 'files', 'audit'] as const;
type Section = (typeof SECTIONS)[number];

const PAGES: Record<Section, FunctionComponent> = {
  overview: Overview,
  games: Games,
  players: Players,
  reports: Reports,
  webhooks: Webhooks,
  files: Files,
  audit: Audit,
};

export function ConsolePage({ section: [first = 'overview', second] }: { section: string[] }) {
  useTitle(t.console.heading);
  const isNew = useSetUp();
  if (isNew === null) return <p class="loading">{t.loading}</p>;
  if (isNew && !access.value) return <SetUp />;
  if (!access.value) return <SignIn />;
  const section = SECTIONS.find((name) => name === first) ?? 'overview';
  const Page = PAGES[section];
  return (
    <div class="console">
      <div class="console-head">
        <h1>{t.console.heading}</h1>
        <span class="hint">{access.value.account.name}</span>
        <button type="button" class="quiet" onClick={() => void leave()}>
          {t.console.leave}
        </button>
      </div>
      <nav class="console-nav" aria-label={t.console.heading}>
        {SECTIONS.map((name) => (
          <a
            key={name}
            href={name === 'overview' ? '/console' : `/console/${name}`}
            aria-current={name === section ? 'page' : undefined}
          >
            {t.console.sections[name]}
          </a>
        ))}
      </nav>
      {section === 'games' && second ? (
        <OneGame key={second} id={second} />
      ) : section === 'players' && second ? (
        <OnePlayer key={second} name={second} />
      ) : (
        <Page />
      )}
    </div>
  );
}

/** Whether this server still lacks an administrator; null while that is unknown. */
function useSetUp(): boolean | null {
  const [isNew, setNew] = useState<boolean | null>(access.value ? false : null);
  const isIn = access.value !== null;
  useEffect(() => {
    // Whoever is in shows that there is an administrator.
    if (isIn) return setNew(false);
    let wanted = true;
    isSetUpNeeded().then(
      (needed) => wanted && setNew(needed),
      () => wanted && setNew(false),
    );
    return () => void (wanted = false);
  }, [isIn]);
  return isNew;
}
