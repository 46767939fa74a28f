// The calls about how a game was played.
import type { Logged, Report } from '../analysis/evaluation';
import { ensurePlayer, token } from '../session';
import { ask } from './http';

export interface Progress {
  status: 'queued' | 'running';
  done: number;
  total: number;
}

const game = (id: string) => `/v1/games/${encodeURIComponent(id)}`;

export const isDone = (answer: Report | Progress): answer is Report => answer.status === 'done';

export const analysis = (id: string) => ask<Report | Progress>('GET', `${game(id)}/analysis`, { token: token() });

/** Asks for an analysis, as a guest if need be. */
export async function analyse(id: string): Promise<Report | Progress> {
  await ensurePlayer();
  return ask<Report | Progress>('POST', `${game(id)}/analysis`, { body: {}, token: token() });
}

export const log = (id: string) => ask<Logged[]>('GET', `${game(id)}/log`, { token: token() });

export interface PgnWishes {
  clocks: boolean;
  evals: boolean;
}

export async function pgn(id: string, { clocks, evals }: PgnWishes): Promise<string> {
  const headers: Record<string, string> = token() ? { authorization: `Bearer ${token()}` } : {};
  const response = await fetch(`${game(id)}/pgn?clocks=${clocks}&evals=${evals}`, { headers });
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}
