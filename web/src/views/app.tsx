// The frame around every page.
import { announced } from '../announce';
import { useEffect, useRef } from 'preact/hooks';
import { here, route, type Route } from '../router';
import { NoticeSlot } from '../notices/slot';
import { isOffline } from '../offline';
import { session } from '../session';
import { language, t } from '../text';
import { AccountDialog, openAccount } from './account';
import { GamePage } from './game';
import { Home } from './home';
import { JoinByCode } from './join';
import { lazy } from './lazy';
import { Nowhere } from './nowhere';
import { Offline } from './offline';
import { openSettings, SettingsDialog } from './settings';
import { Titled } from './titled';

const Tv = lazy(() => import('./tv').then((m) => m.Tv));
const SkillLobby = lazy(() => import('../skill/lobby').then((m) => m.SkillLobby));
const SkillMatch = lazy(() => import('../skill/match').then((m) => m.SkillMatch));
const Screens = lazy(() => import('../watch/screens').then((m) => m.ScreensPage));
const Embed = lazy(() => import('../watch/embed').then((m) => m.EmbedPage));
const Profile = lazy(() => import('../profile/profile').then((m) => m.ProfilePage));
const Players = lazy(() => import('../profile/players').then((m) => m.PlayersPage));
const Account = lazy(() => import('../account/page').then((m) => m.AccountPage));
const Analysis = lazy(() => import('../analysis/page').then((m) => m.AnalysisPage));
const Console = lazy(() => import('../console/page').then((m) => m.ConsolePage));

/** Another language draws everything anew: texts are read while drawing. */
export function App() {
  return <Frame key={language.value} />;
}

function Frame() {
  const at = route(here.value);
  const content = useRef<HTMLElement>(null);
  useFocus(content, here.value);
  // For styles that differ by page.
  useEffect(() => void (document.documentElement.dataset.page = at.page), [at.page]);
  // Within somebody else's page there is the board and nothing else.
  if (at.page === 'embed') return <Embed key={at.id} id={at.id} />;
  return (
    <>
      <a class="skip" href="#content">
        {t.footer.skip}
      </a>
      <Header />
      <main id="content" ref={content} tabIndex={-1}>
        {isOffline.value ? <Offline /> : <Page at={at} />}
      </main>
      <footer>
        <a href="/source">{t.footer.source}</a>
        <a href="/docs">{t.footer.api}</a>
        {session.value?.account.is_admin && <a href="/console">{t.navigation.console}</a>}
      </footer>
      <AccountDialog />
      <SettingsDialog />
      <div class="unseen" role="status" aria-live="polite">
        {announced}
      </div>
    </>
  );
}

/** Focus follows navigation: the keyboard goes on where the new page begins. */
function useFocus(content: { current: HTMLElement | null }, path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    // A page that has put the focus somewhere knows better.
    if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true });
  }, [path]);
}

function Page({ at }: { at: Route }) {
  switch (at.page) {
    case 'home':
      return <Home />;
    case 'game':
      return <GamePage key={at.id} id={at.id} />;
    case 'tv':
      return <Tv />;
    case 'screens':
      return <Screens />;
    case 'join':
      return <JoinByCode code={at.code} />;
    case 'skill':
      return <SkillLobby />;
    case 'match':
      return <SkillMatch key={at.id} id={at.id} />;
    case 'profile':
      return <Profile key={at.name} name={at.name} />;
    case 'players':
      return <Players />;
    case 'account':
      return <Account />;
    case 'analysis':
      return <Analysis key={at.id ?? ''} id={at.id} />;
    case 'console':
      return <Console section={at.section} />;
    case 'embed': // has no frame around it
    case 'nowhere':
      return <Nowhere />;
  }
}

const LINKS = [
  ['/', 'play'],
  ['/tv', 'watch'],
  ['/players', 'players'],
  ['/analysis', 'analysis'],
  ['/skill', 'skill'],
] as const;

const isUnder = (path: string): boolean =>
  path === '/' ? here.value === '/' : here.value === path || here.value.startsWith(`${path}/`);

function Header() {
  const account = session.value?.account;
  return (
    <header>
      <a class="brand" href="/" aria-label={t.name}>
        <img src="/favicon.svg" alt="" width="28" height="28" />
        <span>{t.name}</span>
      </a>
      <nav aria-label={t.navigation.label}>
        {LINKS.map(([path, name]) => (
          <a key={path} href={path} aria-current={isUnder(path) ? 'page' : undefined}>
            {t.navigation[name]}
          </a>
        ))}
      </nav>
      <NoticeSlot />
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
          <a class={`name ${account.guest ? 'guest' : ''}`} href="/account" title={t.account.heading}>
            <Titled {...account} />
          </a>
        )}
        {(!account || account.guest) && (
          <button type="button" class="quiet" onClick={() => openAccount()}>
            {t.account.signIn}
          </button>
        )}
      </div>
    </header>
  );
}
