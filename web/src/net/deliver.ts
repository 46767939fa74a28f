// Delivers a move: sends it again, with the same ply and version, until the server has said yes or no.
import { ApiError, NoAnswer, sleep } from '../api/http';
import type { MoveAnswer } from '../api/types';

export interface Posted {
  readonly move: string;
  readonly ply: number;
  readonly version: number;
}

export type Delivery = { accepted: MoveAnswer } | { refused: ApiError } | { given_up: true };

export interface Post {
  send(move: Posted): Promise<MoveAnswer>;
  /** The round trip ended without an answer, or with "not now". */
  unanswered(move: Posted): void;
  /** Whether it is still worth trying. */
  wanted(): boolean;
  pause?(ms: number): Promise<void>;
}

const WAIT_MS = [200, 500, 1_000, 2_000];

export async function deliver(move: Posted, post: Post): Promise<Delivery> {
  const pause = post.pause ?? nextChance;
  for (let tries = 0; ; tries++) {
    if (!post.wanted()) return { given_up: true };
    try {
      return { accepted: await post.send(move) };
    } catch (error) {
      if (error instanceof ApiError && !error.isPassing) return { refused: error };
      if (!(error instanceof ApiError) && !(error instanceof NoAnswer)) throw error;
      post.unanswered(move);
      const asked = error instanceof ApiError ? error.body.retry_after_seconds : undefined;
      await pause(asked === undefined ? WAIT_MS[Math.min(tries, WAIT_MS.length - 1)]! : asked * 1_000);
    }
  }
}

/** Waits, but not longer than until the network is back. */
async function nextChance(ms: number): Promise<void> {
  let back: () => void = () => undefined;
  const online = new Promise<void>((done) => addEventListener('online', (back = () => done()), { once: true }));
  await Promise.race([sleep(ms), online]);
  removeEventListener('online', back);
}
