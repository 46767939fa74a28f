import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, NoAnswer } from '../src/api/http';
import type { Game, MoveAnswer } from '../src/api/types';
import { Asking, type Answer } from '../src/net/asking';
import { deliver, type Posted } from '../src/net/deliver';

const e4: Posted = { move: 'e2e4', ply: 1, version: 2 };
const yes = { move: 'e2e4', ply: 1, version: 3 } as MoveAnswer;
const later = { error: 'unavailable', detail: 'later', retry_after_seconds: 2 };

type Sent = { type: string; id: number; key?: string };

/** A socket that notes what it takes, and a POST that notes that it was made. */
function wires() {
  const sent: Sent[] = [];
  const wire = { isOpen: true };
  const asking = new Asking((message) => {
    if (wire.isOpen) sent.push(message as Sent);
    return wire.isOpen;
  });
  const post = vi.fn(async () => yes);
  const last = () => sent.at(-1)!.id;
  const ack = (id: number, answer = yes) => asking.hear({ type: 'ACK', id, game_id: 'g', ...answer });
  const refuse = (id: number, status: number, body: { error: string; detail: string }) =>
    asking.hear({ type: 'REFUSED', id, game_id: 'g', status, ...body });
  return { asking, sent, wire, post, last, ack, refuse };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('what is asked over the socket', () => {
  it('is answered there, and no POST is made', async () => {
    const { asking, sent, post, last, ack } = wires();
    const answer = asking.move(e4, post);
    expect(sent).toEqual([{ type: 'MOVE', id: last(), ...e4 }]);
    ack(last());
    expect(await answer).toMatchObject(yes);
    await vi.runAllTimersAsync();
    expect(post).not.toHaveBeenCalled();
  });

  it('finds its own answer, in whatever order they come', async () => {
    const { asking, sent, post, ack } = wires();
    const command = asking.command({ do: 'offer-draw', key: 'k' }, async () => ({ id: 'by POST' }) as Game);
    const move = asking.move(e4, post);
    const [first, second] = sent.map(({ id }) => id);
    expect(first).not.toBe(second);
    ack(second!);
    asking.hear({ type: 'ACK', id: first!, game_id: 'g', game: { id: 'g' } as Game });
    expect(await move).toMatchObject(yes);
    expect(await command).toEqual({ id: 'g' });
    expect(post).not.toHaveBeenCalled();
  });

  it('is refused as a POST is', async () => {
    const { asking, post, last, refuse } = wires();
    const answer = asking.move(e4, post).catch((error: unknown) => error);
    refuse(last(), 503, later);
    const error = (await answer) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect([error.status, error.code, error.isPassing]).toEqual([503, 'unavailable', true]);
    expect(error.body).toEqual(later);
    expect(post).not.toHaveBeenCalled();
  });

  it('says nothing to an answer that nobody waits for', () => {
    const { asking } = wires();
    expect(() => asking.hear({ type: 'ACK', id: 99, game_id: 'g', ...yes } as Answer)).not.toThrow();
  });
});

describe('a POST is made', () => {
  it('at once, if there is no socket', async () => {
    const { asking, sent, wire, post } = wires();
    wire.isOpen = false;
    expect(await asking.move(e4, post)).toBe(yes);
    expect(sent).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('once for each that was not answered, when the socket is gone', async () => {
    const { asking, post, last, ack } = wires();
    const answered = asking.move(e4, post);
    ack(last());
    await answered;
    const open = asking.move(e4, post);
    asking.lost();
    expect(await open).toBe(yes);
    // Too late, as after a time without an answer.
    ack(last());
    asking.lost();
    await vi.runAllTimersAsync();
    expect(post).toHaveBeenCalledTimes(1);
  });

  it('once, if no answer comes in time', async () => {
    const { asking, post, last, ack } = wires();
    const answer = asking.move(e4, post);
    await vi.advanceTimersByTimeAsync(4_900);
    expect(post).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(await answer).toBe(yes);
    ack(last());
    expect(post).toHaveBeenCalledTimes(1);
  });

  it('whose own failure is the failure', async () => {
    const { asking } = wires();
    const answer = asking.move(e4, () => Promise.reject(new NoAnswer())).catch((error: unknown) => error);
    asking.lost();
    expect(await answer).toBeInstanceOf(NoAnswer);
  });
});

describe('a move that is delivered', () => {
  const delivery = (asking: Asking, post: () => Promise<MoveAnswer>) => {
    const unanswered = vi.fn();
    const waits: number[] = [];
    const pause = async (ms: number) => void waits.push(ms);
    const send = (move: Posted) => asking.move(move, post);
    return { unanswered, waits, delivery: deliver(e4, { send, unanswered, wanted: () => true, pause }) };
  };

  it('goes over the socket again after the time a busy server asks for, with the same ply and version', async () => {
    const { asking, sent, post, last, ack, refuse } = wires();
    const { waits, delivery: delivered } = delivery(asking, post);
    refuse(last(), 503, later);
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    ack(last());
    expect(await delivered).toMatchObject({ accepted: yes });
    expect(waits).toEqual([2_000]);
    expect(sent.map(({ id: _id, ...what }) => what)).toEqual([e4, e4].map((move) => ({ type: 'MOVE', ...move })));
    expect(post).not.toHaveBeenCalled();
  });

  it('is not taken back on the board only because the socket closed', async () => {
    const { asking, post } = wires();
    const { unanswered, delivery: delivered } = delivery(asking, post);
    asking.lost();
    expect(await delivered).toEqual({ accepted: yes });
    expect(unanswered).not.toHaveBeenCalled();
  });
});

it('a command has one key, over the socket and in every POST', async () => {
  vi.stubGlobal('addEventListener', () => undefined);
  const { tell } = await import('../src/api/games');
  const keys: (string | null)[] = [];
  const answers = [() => Promise.reject(new Error('no network')), async () => Response.json({ id: 'g' })];
  vi.stubGlobal('fetch', async (path: string, { headers, body }: RequestInit) => {
    expect([path, body]).toEqual(['/v1/games/g/add-time', '{"seconds":15}']);
    keys.push(new Headers(headers).get('idempotency-key'));
    return answers.shift()!();
  });
  const { asking, sent, wire } = wires();
  const told = tell('g', 'add-time', { seconds: 15 }, asking);
  expect(sent).toMatchObject([{ type: 'COMMAND', do: 'add-time', seconds: 15 }]);
  wire.isOpen = false;
  asking.lost();
  await vi.runAllTimersAsync();
  expect(await told).toEqual({ id: 'g' });
  expect(keys).toEqual([sent[0]!.key, sent[0]!.key]);
});
