// Players as everyone may see them.
import { token } from '../session';
import { ask } from './http';
import type { components } from './schema';
import type { GamePage } from './types';

type Schemas = components['schemas'];
export type Counts = Schemas['Counts'];
export type Rating = Schemas['RatingView'];
export type Point = Schemas['Point'];
export type Leaderboard = Schemas['Leaderboard'];

/** `against_you`: how the caller fared against them. */
export type PlayerView = Schemas['RatedPlayer'] & {
  /** All finished games that anybody may see. */
  played?: Counts | null;
  against_you?: Counts | null;
  display_name?: string | null;
};

const player = (name: string) => `/v1/players/${encodeURIComponent(name)}`;
const get = <T>(path: string) => ask<T>('GET', path, { token: token() });

export const read = (name: string) => get<PlayerView>(player(name));
export const history = (name: string, speed: string) =>
  get<{ points: Point[] }>(`${player(name)}/rating-history?speed=${encodeURIComponent(speed)}`);
export const games = (name: string, query: Record<string, string>) =>
  get<GamePage>(`${player(name)}/games?${new URLSearchParams(query)}`);
export const find = (prefix: string) =>
  get<Schemas['Found']>(`/v1/players?${new URLSearchParams({ prefix, limit: '20' })}`);
export const leaders = (speed: string, cursor?: string) =>
  get<Leaderboard>(`/v1/leaderboards/${speed}?${new URLSearchParams(cursor ? { cursor } : {})}`);

const change = (method: string, path: string, body?: unknown) => ask(method, path, { token: token(), body });

export const follows = () => get<Schemas['FollowList']>('/v1/me/follows');
export const follow = (name: string, yes: boolean) =>
  change(yes ? 'PUT' : 'DELETE', `/v1/me/follows/${encodeURIComponent(name)}`);
export const blocks = () => get<Schemas['BlockList']>('/v1/me/blocks');
export const block = (name: string, yes: boolean) =>
  change(yes ? 'PUT' : 'DELETE', `/v1/me/blocks/${encodeURIComponent(name)}`);
