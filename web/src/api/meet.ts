// Finding somebody to play: pools and the queue, the computer, challenges.
import { token } from '../session';
import { command } from './games';
import { ask } from './http';
import type { components } from './schema';
import type { Game, TimeControl } from './types';

type Schemas = components['schemas'];
export type Pool = Schemas['PoolView'];
export type Ticket = Schemas['QueueEntry'];

export interface Wish {
  time_control: TimeControl;
  variant: string;
  rated: boolean;
}

export interface BotWish {
  difficulty: string;
  player_color: 'white' | 'black' | 'random';
  time_control: object | null;
  variant: string;
  chess960_position?: number;
  initial_fen?: string;
  clock_start?: 'join' | 'second_ply';
}

/** The longest that the server keeps an answer back. */
const WAIT_SECONDS = 25;

const entry = (id: string) => `/v1/matchmaking/queue/${encodeURIComponent(id)}`;

export const pools = () => ask<{ pools: Pool[] }>('GET', '/v1/matchmaking/pools', { token: token() });
export const enter = (wish: Wish) => ask<Ticket>('POST', '/v1/matchmaking/queue', { body: wish, token: token() });
export const ticket = (id: string) => ask<Ticket>('GET', entry(id), { token: token() });
/** Answers when something has become of it, or after a while. */
export const fate = (id: string) =>
  ask<Ticket>('GET', `${entry(id)}?wait=${WAIT_SECONDS}`, { token: token(), timeoutMs: (WAIT_SECONDS + 10) * 1_000 });
export const leave = (id: string) => ask<Ticket>('DELETE', entry(id), { token: token() });

export const playComputer = (wish: BotWish) => command<Game>('/v1/games/bot', wish);

export const challenges = () => ask<Schemas['Challenges']>('GET', '/v1/challenges?limit=100', { token: token() });
