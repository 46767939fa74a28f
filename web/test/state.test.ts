import { describe, expect, it } from 'vitest';
import type { ChatLine, Game, Message, MoveAnswer } from '../src/api/types';
import { accepted, enter, receive, refresh, type Room } from '../src/game/state';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const AFTER_E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const AT = '2026-01-01T00:00:00.000Z';

const game = (change: Partial<Game> = {}): Game =>
  ({
    id: 'Ab3fK9xQ',
    version: 2,
    state: 'ACTIVE',
    variant: 'standard',
    ply: 0,
    to_move: 'white',
    check: false,
    fen: START,
    initial_fen: START,
    moves: [],
    san: [],
    clock_ms: { white: 300_000, black: 300_000 },
    clock_at: AT,
    draw_offer: null,
    takeback_offer: null,
    pause_offer: null,
    resume_by: [],
    result: null,
    reason: null,
    winner: null,
    players: { white: null, black: null },
    ...change,
  }) as Game;

const e4: MoveAnswer = {
  ply: 1,
  move: 'e2e4',
  san: 'e4',
  fen: AFTER_E4,
  to_move: 'black',
  clock: { white: 299, black: 300 },
  clock_ms: { white: 299_000, black: 300_000 },
  version: 3,
  game_state: 'ACTIVE',
  check: false,
  result: null,
  reason: null,
};
const moveMessage: Message = {
  type: 'MOVE',
  game_id: 'Ab3fK9xQ',
  version: 3,
  ply: 1,
  color: 'white',
  move: 'e2e4',
  san: 'e4',
  fen: AFTER_E4,
  to_move: 'black',
  check: false,
  clock_ms: { white: 299_000, black: 300_000 },
  clock_at: AT,
};
const line = (id: string, at: string): ChatLine => ({
  id,
  from: 'ann',
  role: 'player',
  title: null,
  text: id,
  audience: 'room',
  at,
});

const hear = (room: Room, ...messages: Message[]) =>
  messages.reduce<Room | 'look again'>((now, message) => (now === 'look again' ? now : receive(now, message)), room);

describe('a room', () => {
  it('plays each move once, whoever tells of it first', () => {
    const answered = accepted(enter(game()), e4, AT) as Room;
    const told = receive(enter(game()), moveMessage) as Room;
    for (const room of [answered, told])
      expect(room.game).toMatchObject({ version: 3, ply: 1, moves: ['e2e4'], san: ['e4'], fen: AFTER_E4 });
    expect((receive(answered, moveMessage) as Room).game.moves).toEqual(['e2e4']);
    expect((accepted(told, e4, AT) as Room).game.moves).toEqual(['e2e4']);
  });
  it('looks again when a version is missing', () => {
    expect(receive(enter(game()), { ...moveMessage, version: 5 })).toBe('look again');
    expect(accepted(enter(game()), { ...e4, version: 4 }, AT)).toBe('look again');
  });
  it('hears the end that came with a move of the same version', () => {
    const over: Message = {
      type: 'GAME_OVER',
      game_id: 'x',
      version: 3,
      state: 'COMPLETED',
      result: 'white_wins',
      reason: 'checkmate',
      winner: 'white',
    };
    expect(hear(enter(game()), moveMessage, over)).toMatchObject({
      game: { version: 3, state: 'COMPLETED', winner: 'white' },
    });
  });
  it('forgets what is older than what it has', () => {
    const now = receive(enter(game()), moveMessage) as Room;
    expect(refresh(now, game()).game.version).toBe(3);
    expect(receive(now, { type: 'OFFER', game_id: 'x', version: 2, offer: 'draw', by: 'white' })).toBe(now);
  });
  it('drops an offer when the opponent moves, and keeps one’s own', () => {
    const asked = receive(enter(game()), {
      type: 'OFFER',
      game_id: 'x',
      version: 3,
      offer: 'draw',
      by: 'black',
    }) as Room;
    expect(asked.game.draw_offer).toBe('black');
    expect((receive(asked, { ...moveMessage, version: 4 }) as Room).game.draw_offer).toBeNull();
    const own = receive(enter(game()), { type: 'OFFER', game_id: 'x', version: 3, offer: 'draw', by: 'white' }) as Room;
    expect((receive(own, { ...moveMessage, version: 4 }) as Room).game.draw_offer).toBe('white');
  });
  it('trusts a SYNC of its own version and looks again at any other', () => {
    const sync = (version: number): Message => ({
      type: 'SYNC',
      game_id: 'x',
      version,
      role: 'player',
      presence: { white: null, black: null, spectators: 7 },
      clock_ms: { white: 1, black: 2 },
      clock_at: AT,
      offers: { draw: 'black', takeback: null, pause: null },
      resume_by: [],
    });
    expect(receive(enter(game()), sync(2))).toMatchObject({
      role: 'player',
      presence: { spectators: 7 },
      game: { clock_ms: { white: 1, black: 2 }, draw_offer: 'black' },
    });
    expect(receive(enter(game()), sync(9))).toBe('look again');
  });
  it('orders chat by time, each line once', () => {
    const [a, b] = [line('a', '2026-01-01T00:00:01.000Z'), line('b', '2026-01-01T00:00:02.000Z')];
    const chat = (l: ChatLine): Message => ({ type: 'CHAT', game_id: 'x', ...l });
    expect((hear(enter(game()), chat(b), chat(a), chat(b)) as Room).chat.map((l) => l.id)).toEqual(['a', 'b']);
  });
  it('knows who is here and when a win may be claimed', () => {
    const gone: Message = {
      type: 'PRESENCE',
      game_id: 'x',
      name: 'bob',
      color: 'black',
      title: null,
      online: false,
      claim_at: AT,
    };
    const crowd: Message = { type: 'PRESENCE', game_id: 'x', spectators: 3 };
    expect(hear(enter(game()), gone, crowd)).toMatchObject({
      presence: { black: { online: false, claim_at: AT }, spectators: 3 },
    });
  });
});
