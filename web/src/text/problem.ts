// What went wrong, in words of the page. What the server says itself is for programs and never shown.
import { ApiError } from '../api/http';
import { t } from './index';

/** For anything that a call may throw. */
export function wordsFor(error: unknown): string {
  if (!(error instanceof ApiError)) return t.problems.unreachable;
  const known = t.codes[error.code];
  const { retry_after_seconds: wait } = error.body;
  if (error.status === 429) return known ?? t.problems.tooOften(Math.max(1, wait ?? 1));
  if (known) return known;
  if (error.status === 503) return t.problems.busy;
  if (error.status >= 500) return t.problems.broken;
  if (error.status === 404) return t.problems.missing;
  return t.problems.other;
}
