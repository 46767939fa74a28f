// What is said in our own slow games while we are elsewhere. Games with a running clock are left out: to listen at
// such a board is to sit at it, and the opponent of somebody who left must be able to see that.
import { effect, signal, untracked } from '@preact/signals';
import * as api from '../api/games';
import type { ChatLine, Game } from '../api/types';
import { Socket } from '../net/socket';
import { me, session } from '../session';
import { sounds } from '../sound';
import { t } from '../text';
import { tellBrowser } from './browser';
import { gamesChanged } from './own';
import { gameHere, show, type Toast } from './toast';

type Said = { type: string; game_id: string } & Partial<ChatLine>;

const boards = signal('');
const BOARDS_MAX = 20;

const isSlow = (game: Game): boolean => !game.time_control || 'days_per_move' in game.time_control;

async function look(): Promise<void> {
  const id = me()?.id;
  if (!id) return void (boards.value = '');
  const { games } = await api.list({ player: id, state: 'ACTIVE', limit: '50' });
  boards.value = games
    .filter(isSlow)
    .slice(0, BOARDS_MAX)
    .map((game) => game.id)
    .sort()
    .join(',');
}

function hear(message: Said): void {
  if (message.type !== 'CHAT' || message.from === me()?.id || message.role !== 'player') return;
  if (message.game_id === gameHere.value && !document.hidden) return;
  const toast: Toast = {
    key: `chat ${message.game_id}`,
    kind: 'chat',
    text: t.notices.said(message.from ?? '', message.text ?? ''),
    game: message.game_id,
  };
  show(toast);
  sounds.notice();
  tellBrowser(toast);
}

export function followTalk(): void {
  effect(() => {
    void session.value?.token;
    void gamesChanged.value;
    untracked(() => void look().catch(() => undefined));
  });
  effect(() => {
    const games = boards.value;
    const mine = untracked(() => session.value?.token);
    if (!games || !mine) return;
    const socket = untracked(
      () =>
        new Socket<Said>({ url: () => `/v1/stream?games=${games}&token=${encodeURIComponent(mine)}`, message: hear }),
    );
    return () => socket.close();
  });
}
