// What is known of a game, and how each message of its stream changes that. Pure: the same messages give the same room.
import type { ChatLine, Color, Game, Message, MoveAnswer, Offer, Presence, Role } from '../api/types';

export interface Room {
  readonly game: Game;
  readonly role: Role;
  readonly presence: Presence;
  readonly chat: readonly ChatLine[];
  readonly rematch: string | null;
}

/** What to do with a message: the room after it, or look at the whole game again because something was missed. */
export type Change = Room | 'look again';

const CHAT_MAX = 500;

export function enter(game: Game): Room {
  const seat = (color: Color) => {
    const player = game.players[color];
    return player ? { name: player.name, title: player.title ?? null, online: player.connected } : null;
  };
  return {
    game,
    role: 'observer',
    presence: { white: seat('white'), black: seat('black'), spectators: 0 },
    chat: [],
    rematch: null,
  };
}

/** The game itself, without what the stream adds to it. */
export function gameOf(state: Extract<Message, { type: 'STATE' }>): Game {
  const { type: _type, game_id: _id, role: _role, presence: _here, chat: _chat, resync: _again, ...game } = state;
  return game;
}

/** The same room with more of what was said. */
export function heard(room: Room, lines: readonly ChatLine[]): Room {
  return { ...room, chat: mergeChat(room.chat, lines) };
}

/** The same room with a game that was fetched. What is older than what we have is dropped. */
export function refresh(room: Room, game: Game): Room {
  return game.version < room.game.version ? room : { ...room, game };
}

/** Our own move, accepted. The stream may have said so before, or says so later: once is enough. */
export function accepted(room: Room, answer: MoveAnswer, receivedAt: string): Change {
  const { game } = room;
  if (answer.version <= game.version) return room;
  if (answer.version !== game.version + 1 || answer.ply !== game.ply + 1) return 'look again';
  const over = answer.game_state === 'COMPLETED';
  const next: Game = {
    ...game,
    ...moved(game, answer),
    clock: answer.clock ?? null,
    clock_ms: answer.clock_ms ?? null,
    clock_at: receivedAt,
    last_move_at: receivedAt,
    state: answer.game_state,
    result: answer.result ?? null,
    reason: answer.reason ?? null,
  };
  // Who won is in the stream's GAME_OVER and in the game itself.
  const winner = { white_wins: 'white', black_wins: 'black' }[answer.result ?? ''] ?? null;
  return { ...room, game: over ? { ...next, winner } : next };
}

/** What every move changes; an offer lapses when the opponent moves. */
function moved(
  game: Game,
  move: Pick<MoveAnswer, 'version' | 'ply' | 'move' | 'san' | 'fen' | 'to_move' | 'check'>,
): Partial<Game> {
  const mover = game.to_move;
  const lapse = (offer: string | null | undefined) => (offer && offer !== mover ? null : (offer ?? null));
  return {
    version: move.version,
    ply: move.ply,
    fen: move.fen,
    to_move: move.to_move,
    check: move.check,
    moves: [...game.moves, move.move],
    san: [...game.san, move.san],
    draw_offer: lapse(game.draw_offer),
    takeback_offer: null,
  };
}

export function receive(room: Room, message: Message): Change {
  const { game } = room;
  switch (message.type) {
    case 'STATE': {
      const { role, presence, chat } = message;
      if (message.version < game.version) return room;
      return { ...room, game: gameOf(message), role, presence, chat: mergeChat(room.chat, chat) };
    }
    case 'SYNC': {
      const synced = { ...room, role: message.role, presence: message.presence };
      if (message.version !== game.version) return 'look again';
      const { draw, takeback, pause } = message.offers;
      return {
        ...synced,
        game: {
          ...clocked(game, message),
          draw_offer: draw,
          takeback_offer: takeback,
          pause_offer: pause,
          resume_by: message.resume_by,
        },
      };
    }
    case 'CHAT':
      return heard(room, [message]);
    case 'PRESENCE':
      return { ...room, presence: present(room.presence, message) };
    case 'CLOCK':
      return { ...room, game: clocked(game, message) };
    case 'REMATCH':
      // The one message whose game is another: the new one.
      return { ...room, rematch: message.game_id };
    case 'PONG':
    case 'ERROR':
      return room;
    default:
      return versioned(room, message);
  }
}

/** Messages that each stand for a version. One version may carry two: a move and the end it brings. */
function versioned(room: Room, message: Extract<Message, { type: string }>): Change {
  const { game } = room;
  const version = message.version ?? 0;
  const isEnd = message.type === 'GAME_OVER' && version === game.version;
  // Our own move, which its answer already told: the stream knows the clocks to the millisecond.
  if (message.type === 'MOVE' && version === game.version) return { ...room, game: clocked(game, message) };
  if (version <= game.version && !isEnd) return room;
  if (version > game.version + 1) return 'look again';
  const at = { ...game, version };
  switch (message.type) {
    case 'MOVE':
      if (message.ply !== game.ply + 1) return 'look again';
      return {
        ...room,
        game: {
          ...clocked(at, message),
          ...moved(game, { ...message, version }),
          last_move_at: message.clock_at ?? null,
        },
      };
    case 'GAME_OVER':
      return {
        ...room,
        game: {
          ...clocked(at, message),
          state: message.state,
          result: message.result,
          reason: message.reason,
          winner: message.winner,
          draw_offer: null,
          takeback_offer: null,
          pause_offer: null,
          resume_by: [],
        },
      };
    case 'OFFER':
      return { ...room, game: offered(at, message.offer, message.by) };
    case 'OFFER_DECLINED':
      return { ...room, game: offered(at, message.offer, null) };
    case 'TIME_ADDED':
    case 'TIME_CREDITED':
    case 'CLOCK_SET':
      return message.clock_ms && message.clock_at ? { ...room, game: clocked(at, message) } : 'look again';
    default:
      // Rare, and they change much: the whole game says it best.
      return 'look again';
  }
}

function offered(game: Game, offer: Offer, by: Color | null): Game {
  switch (offer) {
    case 'draw':
      return { ...game, draw_offer: by };
    case 'takeback':
      return { ...game, takeback_offer: by };
    case 'pause':
      return { ...game, pause_offer: by };
  }
}

function clocked(game: Game, message: { clock_ms?: Game['clock_ms']; clock_at?: string }): Game {
  if (!message.clock_ms || !message.clock_at) return game;
  return { ...game, clock_ms: message.clock_ms, clock_at: message.clock_at };
}

function present(presence: Presence, message: Extract<Message, { type: 'PRESENCE' }>): Presence {
  const spectators = message.spectators ?? presence.spectators;
  const { color } = message;
  if (!color) return { ...presence, spectators, observers: message.observers };
  const before = presence[color];
  const seat = {
    name: message.name ?? before?.name ?? '',
    title: message.title === undefined ? (before?.title ?? null) : message.title,
    online: message.online ?? before?.online ?? false,
    claim_at: message.claim_at ?? null,
  };
  return { ...presence, spectators, [color]: seat };
}

function mergeChat(old: readonly ChatLine[], more: readonly ChatLine[]): readonly ChatLine[] {
  const known = new Set(old.map((line) => line.id));
  const fresh = more.filter((line) => !known.has(line.id));
  if (fresh.length === 0) return old;
  const all = [...old, ...fresh].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return all.slice(-CHAT_MAX);
}
