// What there is to say about a game just now, the most pressing first.
import type { Color, Game } from '../api/types';
import { localMs } from '../game/clock';
import { t } from '../text';
import type { Screen } from './game';
import { titled } from './titled';

export interface Choice {
  readonly label: string;
  readonly act: () => void;
  readonly isMain?: boolean;
}

export interface Said {
  /** The same thing said again has the same key. */
  readonly key: string;
  readonly kind: 'plain' | 'warn' | 'problem' | 'turn';
  readonly text: string;
  readonly choices?: readonly Choice[];
}

export function messages(screen: Screen): Said[] {
  const all = [...questions(screen), ...troubles(screen), ...claims(screen), ...intents(screen), ...infos(screen)];
  return all.length > 0 ? all : standing(screen);
}

/** What waits for an answer of ours. */
function questions({ room, hand }: Screen): Said[] {
  const game = room.game.value!;
  const mine = room.myColor.value;
  const all: Said[] = [];
  if (hand.candidate.value)
    all.push({
      key: 'confirm',
      kind: 'plain',
      text: t.moves.confirm,
      choices: [
        { label: t.actions.no, act: () => hand.confirm(false) },
        { label: t.actions.yes, act: () => hand.confirm(true), isMain: true },
      ],
    });
  if (!mine) return all;
  const opponent = titled(game.players[mine === 'white' ? 'black' : 'white'] ?? { name: '' });
  const ask = (what: 'draw' | 'takeback' | 'pause', text: string, yes: string): Said => ({
    key: what,
    kind: 'plain',
    text,
    choices: [
      ...(what === 'pause' ? [] : [{ label: t.actions.declineDraw, act: () => void room.tell(`decline-${what}`) }]),
      { label: yes, act: () => void room.tell(`accept-${what}`), isMain: true },
    ],
  });
  const theirs = (by: string | null | undefined) => by && by !== mine;
  if (theirs(game.draw_offer)) all.push(ask('draw', t.actions.drawWanted(opponent), t.actions.acceptDraw));
  if (theirs(game.takeback_offer))
    all.push(ask('takeback', t.actions.takebackWanted(opponent), t.actions.acceptTakeback));
  if (theirs(game.pause_offer)) all.push(ask('pause', t.actions.pauseWanted(opponent), t.actions.acceptPause));
  return all;
}

/** What does not work. */
function troubles({ room }: Screen): Said[] {
  const all: Said[] = [];
  const pending = room.pending.value;
  if (room.notice.value) all.push({ key: 'notice', kind: 'problem', text: room.notice.value });
  if (pending?.unanswered) all.push({ key: 'unsent', kind: 'warn', text: t.game.unsent(pending.preview.san) });
  if (room.connection.value === 'lost' && room.game.value!.state !== 'COMPLETED')
    all.push({ key: 'lost', kind: 'warn', text: t.net.lost });
  return all;
}

/** An opponent who has left. */
function claims({ room }: Screen): Said[] {
  const { game, presence } = room.room.value!;
  const mine = room.myColor.value;
  const opponent = mine ? presence[mine === 'white' ? 'black' : 'white'] : null;
  if (game.state !== 'ACTIVE' || !opponent || opponent.online || !opponent.claim_at) return [];
  const wait = Math.ceil((Date.parse(opponent.claim_at) - room.time.at(localMs())) / 1_000);
  const gone = t.game.gone(titled(opponent));
  if (wait > 0) return [{ key: 'gone', kind: 'plain', text: `${gone} ${t.game.claimIn(wait)}` }];
  const claim = { label: t.actions.claimWin, act: () => void room.tell('claim-win'), isMain: true };
  return [{ key: 'claim', kind: 'plain', text: gone, choices: [claim] }];
}

/** What we are about to do. */
function intents({ room, hand }: Screen): Said[] {
  const game = room.game.value!;
  const ahead = hand.queue.value.length;
  const all: Said[] = [];
  if (hand.plan.line.value) all.push({ key: 'plan', kind: 'plain', text: t.plan.entering });
  else if (!room.isLive.value && game.state !== 'COMPLETED')
    all.push({
      key: 'history',
      kind: 'plain',
      text: t.game.history,
      choices: [{ label: t.game.backToLive, act: () => room.view(null) }],
    });
  if (hand.holding.value) all.push({ key: 'holding', kind: 'plain', text: t.game.putDown });
  if (ahead > 0)
    all.push({
      key: 'ahead',
      kind: 'plain',
      text: t.game.ahead(ahead),
      choices: [{ label: t.game.letGo, act: () => hand.letGo() }],
    });
  return all;
}

/** What is good to know. */
function infos({ room }: Screen): Said[] {
  const game = room.game.value!;
  const mine = room.myColor.value;
  const all: Said[] = [];
  if (room.info.value) all.push({ key: `info ${room.info.value}`, kind: 'plain', text: room.info.value });
  if (!mine || game.state === 'COMPLETED') return all;
  if (game.draw_offer === mine) all.push({ key: 'own-draw', kind: 'plain', text: t.actions.drawOffered });
  if (game.takeback_offer === mine) all.push({ key: 'own-takeback', kind: 'plain', text: t.actions.takebackOffered });
  if (game.pause_offer === mine) all.push({ key: 'own-pause', kind: 'plain', text: t.actions.pauseOffered });
  return all;
}

function standing({ room }: Screen): Said[] {
  const game = room.game.value!;
  if (game.state === 'COMPLETED') return [];
  if (game.state === 'WAITING') return [{ key: 'waiting', kind: 'turn', text: t.game.nobody }];
  return [{ key: 'turn', kind: 'turn', text: turnWord(game, room.myColor.value) }];
}

function turnWord(game: Game, mine: Color | null): string {
  const named = (color: Color) =>
    titled(game.players[color] ?? { name: color === 'white' ? t.game.white : t.game.black });
  if (game.state === 'PAUSED') {
    const paused = t.game.pausedBy[game.paused_by ?? ''] ?? t.game.paused;
    const ready = game.resume_by.map((color) => t.game.ready(named(color as Color)));
    return [paused, ...ready].join('. ');
  }
  const mover = game.to_move as Color;
  const word = mine === mover ? t.game.yourMove : t.game.theirMove(named(mover));
  return game.check ? `${t.game.check}! ${word}` : word;
}
