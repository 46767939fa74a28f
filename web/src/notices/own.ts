// Our own stream, on every page: what it says becomes a notice.
import { effect, signal, untracked } from '@preact/signals';
import * as api from '../api/games';
import { ask } from '../api/http';
import type { Game } from '../api/types';
import { controlName } from '../game/clock';
import { paired } from '../home/pairing';
import { Socket } from '../net/socket';
import { go } from '../router';
import { confirmSession, session, token } from '../session';
import { sounds } from '../sound';
import { t } from '../text';
import { tellBrowser } from './browser';
import { learn, nameNow } from './names';
import { forgetAll, forgetGame, gameHere, reword, show, type Toast } from './toast';

interface About {
  game_id: string;
  version?: number;
  opponent?: string | null;
}

export type OwnMessage =
  | ({ type: 'CHALLENGE'; from: string; from_title?: string | null; game: Game } & About)
  | ({ type: 'CHALLENGE_GONE' } & About)
  | ({ type: 'PAIRED'; queue_entry_id: string } & About)
  | ({ type: 'GAME_STARTED' } & About)
  | ({ type: 'YOUR_TURN'; ply: number } & About)
  | ({ type: 'GAME_OVER' } & About)
  | ({ type: 'FOLLOWED_STARTED'; player: string } & About)
  | { type: 'NOTICE'; id: number; kind: string; text: string }
  | { type: 'NOTIFICATION'; kind: string; game_id?: string | null };

/** Counts what our stream said: whoever lists games looks again. */
export const heardOwn = signal(0);

/** Counts games of ours that began or ended. */
export const gamesChanged = signal(0);

/** With whom we play which game, as far as the stream has said. */
const opponents = new Map<string, string>();

/** What we were told, by game: a stream that comes again repeats what still waits. */
const told = new Map<string, number>();

/** Whether it is something new. */
function isNews(message: About & { type: string }): boolean {
  const key = `${message.type} ${message.game_id}`;
  const version = message.version ?? 0;
  if ((told.get(key) ?? -1) >= version) return false;
  told.set(key, version);
  return true;
}

/** A toast with its sound, and outside the page if nobody looks at it. The page of a game tells of it itself. */
function tell(toast: Toast, isQuiet = false): void {
  if (!isQuiet) tellBrowser(toast);
  if (toast.game !== undefined && toast.game === gameHere.value) return;
  show(toast);
  if (!isQuiet) sounds.notice();
}

const opponentOf = (about: About): string => about.opponent ?? opponents.get(about.game_id) ?? '';
const called = (id: string): string => (id ? nameNow(id) : t.notices.somebody);

async function accept(game: Game): Promise<void> {
  await api.join(game.id).catch(() => undefined); // the game's page tells what came in between
  forgetGame(game.id);
  go(`/game/${game.id}`);
}

function challenge({ from, game }: Extract<OwnMessage, { type: 'CHALLENGE' }>): void {
  const variant = game.variant === 'standard' ? [] : [t.variants[game.variant]];
  const terms = [controlName(game.time_control), ...variant, game.rated ? t.game.rated : t.game.casual];
  const key = `challenge ${game.id}`;
  const words = () =>
    game.rematch_of ? t.notices.rematch(nameNow(from)) : t.notices.challenge(nameNow(from), terms.join(' · '));
  learn([from], () => reword(key, words()));
  tell({
    key,
    kind: game.rematch_of ? 'rematch' : 'challenge',
    text: words(),
    game: game.id,
    // The finished game has a button for it.
    knownOn: game.rematch_of ?? undefined,
    accept: () => void accept(game),
    decline: () => {
      forgetGame(game.id);
      void api.tell(game.id, 'decline').catch(() => undefined);
    },
  });
}

/** `isBacklog`: what waited already when we came is shown, without a sound. */
export function hear(message: OwnMessage, isBacklog: boolean): void {
  if ('game_id' in message && message.game_id && 'opponent' in message && message.opponent)
    opponents.set(message.game_id, message.opponent);
  switch (message.type) {
    case 'CHALLENGE':
      if (isNews({ ...message, version: message.game.version })) challenge(message);
      break;
    case 'CHALLENGE_GONE':
      forgetGame(message.game_id);
      break;
    case 'PAIRED':
      paired(message.queue_entry_id, message.game_id);
      break;
    case 'GAME_STARTED':
      gamesChanged.value++;
      forgetGame(message.game_id, ['challenge', 'rematch']);
      if (isNews(message)) about(message, 'started', (name) => t.notices.started(name));
      break;
    case 'YOUR_TURN':
      if (!isNews(message)) break;
      forgetGame(message.game_id, ['turn']);
      // That it began was said; a first move is not an answer.
      if (message.ply > 0) about(message, 'turn', (name) => t.notices.turn(name), isBacklog);
      break;
    case 'GAME_OVER':
      gamesChanged.value++;
      forgetGame(message.game_id);
      if (isNews(message)) about(message, 'over', (name) => t.notices.over(name));
      break;
    case 'FOLLOWED_STARTED':
      if (isNews({ ...message, version: 0 })) followed(message);
      break;
    case 'NOTICE':
      decided(message);
      break;
    case 'NOTIFICATION':
      if (message.kind === 'deadline_near' && message.game_id)
        about({ game_id: message.game_id }, 'deadline', (name) => t.notices.deadline(name));
      break;
  }
  heardOwn.value++;
}

function about(message: About, kind: Toast['kind'], words: (name: string) => string, isQuiet = false): void {
  const game = message.game_id;
  const opponent = opponentOf(message);
  const key = `${kind} ${game}`;
  learn([opponent], () => reword(key, words(called(opponent))));
  tell({ key, kind, text: words(called(opponent)), game }, isQuiet);
}

function followed({ game_id: game, player, opponent }: Extract<OwnMessage, { type: 'FOLLOWED_STARTED' }>): void {
  const key = `followed ${game}`;
  const words = () => t.notices.followed(nameNow(player), opponent ? nameNow(opponent) : '…');
  learn([player, opponent ?? ''], () => reword(key, words()));
  tell({ key, kind: 'followed', text: words(), game }, true);
}

function decided({ id, kind, text }: Extract<OwnMessage, { type: 'NOTICE' }>): void {
  const what = t.notices.decided[kind];
  show({
    key: `notice ${id}`,
    kind: 'notice',
    text: what ? `${what}: ${text}` : text,
    dismissed: () => void ask('DELETE', `/v1/me/notices/${id}`, { token: token() }).catch(() => undefined),
  });
}

/** What waited when the stream opened comes at once; after that it is news. */
const BACKLOG_MS = 1_500;

export function followOwn(): void {
  effect(() => {
    const mine = session.value?.token;
    if (!mine) return;
    let openedAt = performance.now();
    const socket = untracked(
      () =>
        new Socket<OwnMessage>({
          url: () => {
            openedAt = performance.now();
            return `/v1/stream?token=${encodeURIComponent(mine)}`;
          },
          message: (message) => hear(message, performance.now() - openedAt < BACKLOG_MS),
          failed: () => void confirmSession(),
        }),
    );
    return () => {
      socket.close();
      forgetAll();
      told.clear();
      opponents.clear();
    };
  });
  // Whoever opens a game has seen what there is to see.
  effect(() => {
    const game = gameHere.value;
    if (game) untracked(() => forgetGame(game));
  });
}
