import '@lichess-org/chessground/assets/chessground.base.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/home.css';
import './styles/lists.css';
import './styles/notices.css';
import './styles/player.css';
import './styles/game.css';
import './styles/beside.css';
import './styles/aside.css';
import './styles/board.css';
import { render } from 'preact';
import { applyPieces } from './board/pieces';
import { followOwn } from './notices/own';
import { followToasts } from './notices/slot';
import { followTalk } from './notices/talk';
import { followPreferences } from './preferences';
import { followLinks, here, route } from './router';
import { followServiceWorker, isOffline, wasKept } from './offline';
import { confirmSession } from './session';
import { applyLooks } from './settings';
import { allowSound } from './sound';
import { followLanguage } from './text/language';
import { showTitle } from './title';
import { App } from './views/app';

async function begin(): Promise<void> {
  applyLooks();
  applyPieces();
  followLinks();
  allowSound();
  void confirmSession();
  await followLanguage();
  showTitle();
  const root = document.getElementById('app')!;
  isOffline.value = wasKept(root);
  root.textContent = '';
  render(<App />, root);
  // Within somebody else's page nothing is told.
  if (route(here.value).page === 'embed') return;
  followOwn();
  followTalk();
  followToasts();
  followPreferences();
  followServiceWorker();
}

void begin();
