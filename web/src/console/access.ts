// Who may use the console. An ordinary session has no right to it: the password is asked for once more, and the
// token that comes for it is forgotten with the tab.
import { signal } from '@preact/signals';
import { ApiError, ask, type Ask } from '../api/http';
import type { Account } from '../api/types';
import { session, type Session } from '../session';

interface Access extends Session {
  expires_at?: string;
}

const NAME = 'arbiter.console';

function restore(): Access | null {
  try {
    const access = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Access | null;
    const isOver = access?.expires_at !== undefined && Date.parse(access.expires_at) < Date.now();
    return isOver ? null : access;
  } catch {
    return null;
  }
}

export const access = signal<Access | null>(typeof sessionStorage === 'undefined' ? null : restore());

function allow(granted: Access | null): void {
  access.value = granted;
  try {
    if (granted) sessionStorage.setItem(NAME, JSON.stringify(granted));
    else sessionStorage.removeItem(NAME);
  } catch {
    // Without storage it lasts as long as the page.
  }
}

export async function enter(username: string, password: string): Promise<void> {
  allow(await ask<Access>('POST', '/v1/admin/sessions', { body: { username, password } }));
}

export async function leave(): Promise<void> {
  const token = access.value?.token;
  allow(null);
  await ask('DELETE', '/v1/sessions/current', { token }).catch(() => undefined);
}

export const isSetUpNeeded = async (): Promise<boolean> => (await ask<{ needed: boolean }>('GET', '/v1/setup')).needed;

/** Makes the first administrator, who is also signed in then. */
export async function setUp(code: string, name: string, password: string): Promise<void> {
  allow(await ask<Access>('POST', '/v1/setup', { body: { code, name, password } }));
  session.value = await ask<{ account: Account; token: string }>('POST', '/v1/sessions', {
    body: { username: name, password },
  });
}

/** Asks as the operator. A token that no longer holds leads back to the password. */
export async function operate<T>(method: string, path: string, wishes: Ask = {}): Promise<T> {
  try {
    return await ask<T>(method, path, { ...wishes, token: access.value?.token });
  } catch (error) {
    lapse(error);
    throw error;
  }
}

export function lapse(error: unknown): void {
  const isOut = error instanceof ApiError && (error.status === 401 || error.code === 'missing_scope');
  if (isOut) allow(null);
}

/** A file, or an answer that comes line by line. */
export async function fetched(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${access.value?.token}` };
  const response = await fetch(path, { ...init, headers });
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as { error?: string };
  throw new ApiError(response.status, { error: body.error ?? `http_${response.status}`, detail: response.statusText });
}
