// The calls of `/v1/games`, as functions.
import type { Asking } from '../net/asking';
import { token } from '../session';
import { ask, persist } from './http';
import type { components } from './schema';
import type { Audience, ChatLine, Game, GamePage, MoveAnswer } from './types';

type Schemas = components['schemas'];

export interface NewGame {
  time_control: object | null;
  variant?: string;
  color?: 'white' | 'black' | 'random';
  rated?: boolean;
  opponent_id?: string | null;
  visibility?: 'public' | 'private';
  initial_fen?: string;
  chess960_position?: number;
  clock_start?: 'join' | 'second_ply';
}

const game = (id: string) => `/v1/games/${encodeURIComponent(id)}`;
const key = () =>
  crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16)).join('');

/** A command that may be sent twice without harm: the key makes the second a repetition. */
export function command<T>(path: string, body: unknown = {}): Promise<T> {
  const once = key();
  return persist(() => ask<T>('POST', path, { body, token: token(), key: once }));
}

export const create = (body: NewGame) => command<Game>('/v1/games', body);
export const read = (id: string) => ask<Game>('GET', game(id), { token: token() });
export const join = (id: string) => command<Game>(`${game(id)}/join`);
/** `game_id`: which game the code was for, if its link says so. */
export const joinByCode = (join_code: string, game_id: string | null) =>
  command<Game>('/v1/games/join', game_id ? { join_code, game_id } : { join_code });
export const list = (query: Record<string, string>) =>
  ask<GamePage>('GET', `/v1/games?${new URLSearchParams(query)}`, { token: token() });
export const tv = () => ask<{ games: Game[] }>('GET', '/v1/tv', { token: token() });

/** Anything but a move: over the socket of whoever has one. */
export function tell(id: string, what: string, body: object = {}, asking?: Asking): Promise<Game> {
  const once = key();
  const post = () => ask<Game>('POST', `${game(id)}/${what}`, { body, token: token(), key: once });
  return persist(() => (asking ? asking.command({ ...body, do: what, key: once }, post) : post()));
}

/** One attempt: whoever sends moves decides when to try again. */
export const move = (id: string, body: { move: string; ply: number; version: number }) =>
  ask<MoveAnswer>('POST', `${game(id)}/moves`, { body, token: token() });

export const chat = (id: string) => ask<{ chat: ChatLine[] }>('GET', `${game(id)}/chat`, { token: token() });

export const say = (id: string, text: string, audience: Audience) =>
  ask<ChatLine>('POST', `${game(id)}/chat`, { body: { text, audience }, token: token() });

export type Conditional = Schemas['ConditionalMoves'];
export const conditional = (id: string) => ask<Conditional>('GET', `${game(id)}/conditional-moves`, { token: token() });
export const setConditional = (id: string, lines: readonly (readonly string[])[]) =>
  persist(() => ask<Conditional>('PUT', `${game(id)}/conditional-moves`, { body: { lines }, token: token() }));

async function file(path: string): Promise<Response> {
  const headers: Record<string, string> = token() ? { authorization: `Bearer ${token()}` } : {};
  const response = await fetch(path, { headers });
  if (!response.ok) throw new Error(response.statusText);
  return response;
}

export interface PgnWith {
  clocks: boolean;
  evals: boolean;
}

export const pgn = async (id: string, { clocks, evals }: PgnWith): Promise<string> =>
  (await file(`${game(id)}/pgn?clocks=${clocks}&evals=${evals}`)).text();

/** The board as a picture, also of a private game. */
export const picture = async (id: string, query: Record<string, string>): Promise<Blob> =>
  (await file(`${game(id)}/board.png?${new URLSearchParams(query)}`)).blob();
