// The first screen: somebody to play in two clicks, what waits for us, what is on.
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import * as api from '../api/games';
import type { Game } from '../api/types';
import { ComputerForm } from '../home/computer';
import { FriendForm } from '../home/friend';
import { Lobby } from '../home/lobby';
import { OwnGames } from '../home/own';
import { inPlaces } from '../home/places';
import { QuickPairing } from '../home/quick';
import { t } from '../text';
import { Feature } from './feature';
import { CodeForm } from './join';
import { MiniBoard } from './mini_board';

const live = signal<Game[]>([]);
const LIVE_MAX = '6';
const EVERY_MS = 4_000;

const TABS = ['quick', 'computer', 'friend'] as const;
type Tab = (typeof TABS)[number];
const tab = signal<Tab>('quick');

const PANELS: Record<Tab, FunctionComponent> = {
  quick: QuickPairing,
  computer: ComputerForm,
  friend: () => <FriendForm />,
};

export function Home() {
  return (
    <div class="home">
      <div class="column">
        <h1 class="hero">{t.tagline}</h1>
        <Play />
        <CodeForm />
        <a class="card teaser" href="/skill">
          <h2>{t.play.skill}</h2>
          <p class="hint">{t.play.skillHint}</p>
        </a>
      </div>
      <div class="column wide">
        <OwnGames />
        <Lobby />
        <Live />
      </div>
    </div>
  );
}

function Play() {
  const Panel = PANELS[tab.value];
  const key = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    tab.value = TABS[(TABS.indexOf(tab.value) + by + TABS.length) % TABS.length]!;
    document.getElementById(`tab-${tab.value}`)?.focus();
  };
  return (
    <section class="card play" aria-label={t.play.heading}>
      <div class="tabs" role="tablist" aria-label={t.play.heading} onKeyDown={key}>
        {TABS.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={tab.value === name}
            aria-controls="play-panel"
            tabIndex={tab.value === name ? 0 : -1}
            onClick={() => (tab.value = name)}
          >
            {t.play.tabs[name]}
          </button>
        ))}
      </div>
      <div id="play-panel" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
        <Panel />
      </div>
    </section>
  );
}

function Live() {
  useEffect(() => {
    const again = () =>
      void api.list({ state: 'ACTIVE', limit: LIVE_MAX }).then(
        (page) => (live.value = inPlaces(live.value, page.games)),
        () => undefined,
      );
    again();
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <section aria-labelledby="live-games">
      <div class="split">
        <h2 id="live-games">{t.lists.live}</h2>
        <a href="/tv">{t.lists.allTv}</a>
      </div>
      {live.value.length === 0 ? (
        <Feature />
      ) : (
        <div class="minis">
          {live.value.map((game) => (
            <MiniBoard key={game.id} game={game} />
          ))}
        </div>
      )}
    </section>
  );
}
