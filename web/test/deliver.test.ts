import { describe, expect, it } from 'vitest';
import { ApiError, NoAnswer } from '../src/api/http';
import type { MoveAnswer } from '../src/api/types';
import { deliver, type Posted } from '../src/net/deliver';

const posted: Posted = { move: 'e2e4', ply: 1, version: 2 };
const yes = { ply: 1, version: 3 } as MoveAnswer;
const no = new ApiError(422, { error: 'illegal_move', detail: 'no' });
const busy = new ApiError(503, { error: 'unavailable', detail: 'later', retry_after_seconds: 2 });

/** Answers in turn, and notes what was asked. */
function script(answers: (MoveAnswer | Error)[]) {
  const sent: Posted[] = [];
  const waits: number[] = [];
  let unanswered = 0;
  const post = {
    send: async (move: Posted) => {
      sent.push(move);
      const answer = answers.shift()!;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    unanswered: () => void unanswered++,
    wanted: () => true,
    pause: async (ms: number) => void waits.push(ms),
  };
  return { post, sent, waits, unanswered: () => unanswered };
}

describe('a move is delivered', () => {
  it('again and again with the same ply and version, until it is answered', async () => {
    const { post, sent, unanswered } = script([new NoAnswer(), new NoAnswer(), yes]);
    expect(await deliver(posted, post)).toEqual({ accepted: yes });
    expect(sent).toEqual([posted, posted, posted]);
    expect(unanswered()).toBe(2);
  });
  it('once, if the server refuses it', async () => {
    const { post, sent } = script([no]);
    expect(await deliver(posted, post)).toEqual({ refused: no });
    expect(sent).toHaveLength(1);
  });
  it('after the time a busy server asks for', async () => {
    const { post, waits } = script([busy, yes]);
    await deliver(posted, post);
    expect(waits).toEqual([2_000]);
  });
  it('no more once nobody wants it', async () => {
    const { post } = script([]);
    expect(await deliver(posted, { ...post, wanted: () => false })).toEqual({ given_up: true });
  });
});
