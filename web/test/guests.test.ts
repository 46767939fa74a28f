import { describe, expect, it } from 'vitest';
import { forget, leave, leftFor } from '../src/guests';
import type { Session } from '../src/session';

const guest = (token: string) => ({ token, account: { name: token } }) as Session;
const [one, other] = [guest('one'), guest('other')];

describe('a guest who was here before somebody signed in', () => {
  it('is kept for that account until there is an answer', () => {
    const left = leave(leave([], one, 'ann'), other, 'bob');
    expect([leftFor(left, 'ann'), leftFor(left, 'bob')]).toEqual([[one], [other]]);
    expect(leftFor(left, undefined)).toEqual([]);
    expect(forget(left, one)).toEqual([{ guest: other, by: 'bob' }]);
  });

  it('is kept once, for whoever signed in last, and not for ever', () => {
    expect(leave(leave([], one, 'ann'), one, 'bob')).toEqual([{ guest: one, by: 'bob' }]);
    let left = leave([], one, 'ann');
    for (let n = 0; n < 20; n++) left = leave(left, guest(`${n}`), 'ann');
    expect(left).toHaveLength(10);
    expect(leftFor(left, 'ann')).not.toContain(one);
  });
});
