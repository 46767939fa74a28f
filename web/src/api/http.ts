// One way to ask the server something. An answer that is an error is an `ApiError`; no answer is `NoAnswer`.

export interface ErrorBody {
  error: string;
  detail: string;
  field?: string;
  game_state?: string;
  current_ply?: number;
  retry_after_seconds?: number;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.detail);
  }
  get code(): string {
    return this.body.error;
  }
  /** The same request may succeed later, unchanged. */
  get isPassing(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** The network failed, or nothing came back in time: whether the server acted is unknown. */
export class NoAnswer extends Error {}

export interface Ask {
  body?: unknown;
  token?: string | null;
  /** Makes a command safe to repeat. */
  key?: string;
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

export async function ask<T>(
  method: string,
  path: string,
  { body, token, key, timeoutMs = TIMEOUT_MS }: Ask = {},
): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token) headers.authorization = `Bearer ${token}`;
  if (key) headers['idempotency-key'] = key;
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      cache: 'no-store',
      credentials: 'omit',
    });
    text = await response.text();
  } catch {
    throw new NoAnswer('the server cannot be reached');
  }
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  throw new ApiError(response.status, errorBody(response, text));
}

/** A proxy in between may answer in its own shape. */
function errorBody(response: Response, text: string): ErrorBody {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> & { code?: string; message?: string };
    if (typeof body.error === 'string') return { detail: body.error, ...body, error: body.error };
    // The door of skill matches has words of its own.
    if (typeof body.code === 'string') return { error: body.code, detail: body.message ?? body.code };
  } catch {
    // fall through: it is not JSON
  }
  return { error: `http_${response.status}`, detail: response.statusText || `the server answered ${response.status}` };
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Asks until there is an answer that will not pass. Only for requests that are safe to repeat. */
export async function persist<T>(attempt: () => Promise<T>, { tries = 6, waitMs = 400 } = {}): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      const passing = error instanceof NoAnswer || (error instanceof ApiError && error.isPassing);
      if (!passing || n >= tries) throw error;
      const asked = error instanceof ApiError ? error.body.retry_after_seconds : undefined;
      await sleep(asked === undefined ? Math.min(waitMs * 2 ** n, 5_000) : asked * 1_000);
    }
  }
}
