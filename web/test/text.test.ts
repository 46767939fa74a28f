import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, NoAnswer } from '../src/api/http';
import { de } from '../src/text/de';
import { en } from '../src/text/en';
import { number, relative } from '../src/text/format';
import { language, pick, speak, t } from '../src/text';
import { wordsFor } from '../src/text/problem';

afterEach(() => speak('en'));

const refused = (status: number, error: string) => new ApiError(status, { error, detail: 'time_control is {raw}' });

describe('the language', () => {
  it('is the first that the browser asks for and we can speak', () => {
    expect(pick(['fr-CA', 'de-AT', 'en'])).toBe('de');
    expect(pick(['fr', 'it'])).toBe('en');
    expect(pick([])).toBe('en');
  });

  it('can be changed, and the last choice counts', async () => {
    await Promise.all([speak('de'), speak('en')]);
    expect([language.value, t.name]).toEqual(['en', en.name]);
    await speak('de');
    expect(t.account.signIn).toBe(de.account.signIn);
    expect(number(1234.5, 1)).toBe('1.234,5');
    expect(relative(0, 120_000)).toBe('vor 2 Minuten');
  });

  it('has the same texts as English, and none of them empty that is not empty there', () => {
    const look = (ours: object, theirs: object, path: string) => {
      expect(Object.keys(theirs).sort(), path).toEqual(Object.keys(ours).sort());
      for (const [key, value] of Object.entries(ours)) {
        const other = (theirs as Record<string, unknown>)[key];
        expect(typeof other, `${path}.${key}`).toBe(typeof value);
        if (typeof value === 'string') expect(other === '', `${path}.${key}`).toBe(value === '');
        if (typeof value === 'object') look(value as object, other as object, `${path}.${key}`);
      }
    };
    look(en, de, 'de');
  });
});

describe('an error', () => {
  it('is told in words of the page, never in those of the server', () => {
    expect(wordsFor(refused(409, 'wrong_turn'))).toBe(en.codes.wrong_turn);
    expect(wordsFor(refused(422, 'something_new'))).toBe(en.problems.other);
    expect(wordsFor(refused(500, 'something_new'))).toBe(en.problems.broken);
    expect(wordsFor(refused(503, 'unavailable'))).toBe(en.problems.busy);
    expect(wordsFor(new ApiError(429, { error: 'rate_limited', detail: '', retry_after_seconds: 7 }))).toContain('7');
    expect(wordsFor(new NoAnswer())).toBe(en.problems.unreachable);
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500, 503])
      expect(wordsFor(refused(status, 'unheard_of'))).not.toContain('{raw}');
  });
});
