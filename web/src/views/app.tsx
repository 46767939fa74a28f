// The frame around every page.
import { announced } from '../announce';
import { here, route } from '../router';
import { session, signOut } from '../session';
import { t } from '../text';
import { AccountDialog, openAccount } from './account';
import { GamePage } from './game';
import { Home } from './home';
import { JoinByCode } from './join';
import { lazy } from './lazy';
import { openSettings, SettingsDialog } from './settings';
import { Titled } from './titled';

const Tv = lazy(() => import('./tv').then((m) => m.Tv));
const SkillLobby = lazy(() => import('../skill/lobby').then((m) => m.SkillLobby));
const SkillMatch = lazy(() => import('../skill/match').then((m) => m.SkillMatch));

export function App() {
  return (
    <>
      <a class="skip" href="#content">
        {t.footer.skip}
      </a>
      <Header />
      <main id="content" tabIndex={-1}>
        <Page />
      </main>
      <footer>
        <a href="/source">{t.footer.source}</a>
        <a href="/docs">{t.footer.api}</a>
      </footer>
      <AccountDialog />
      <SettingsDialog />
      <div class="unseen" role="status" aria-live="polite">
        {announced}
      </div>
    </>
  );
}

function Page() {
  const at = route(here.value);
  switch (at.page) {
    case 'home':
      return <Home />;
    case 'game':
      return <GamePage key={at.id} id={at.id} />;
    case 'tv':
      return <Tv />;
    case 'join':
      return <JoinByCode code={at.code} />;
    case 'skill':
      return <SkillLobby />;
    case 'match':
      return <SkillMatch key={at.id} id={at.id} />;
    case 'nowhere':
      return <p class="loading">{t.nowhere}</p>;
  }
}

function Header() {
  const account = session.value?.account;
  return (
    <header>
      <a class="brand" href="/">
        <img src="/favicon.svg" alt="" width="28" height="28" />
        {t.name}
      </a>
      <nav aria-label={t.navigation}>
        <a href="/" aria-current={here.value === '/' ? 'page' : undefined}>
          {t.play.heading}
        </a>
        <a href="/tv" aria-current={here.value === '/tv' ? 'page' : undefined}>
          {t.tv.heading}
        </a>
        <a href="/skill" aria-current={here.value.startsWith('/skill') ? 'page' : undefined}>
          {t.play.skill}
        </a>
      </nav>
      <div class="who">
        <button
          type="button"
          class="quiet icon"
          aria-label={t.actions.settings}
          title={t.actions.settings}
          onClick={openSettings}
        >
          ⚙
        </button>
        {account && (
          <span class={`name ${account.guest ? 'guest' : ''}`}>
            <Titled {...account} />
          </span>
        )}
        {!account || account.guest ? (
          <button type="button" class="quiet" onClick={() => openAccount()}>
            {t.account.signIn}
          </button>
        ) : (
          <button type="button" class="quiet" onClick={() => void signOut()}>
            {t.account.signOut}
          </button>
        )}
      </div>
    </header>
  );
}
