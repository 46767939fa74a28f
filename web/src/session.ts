// Who we are: nobody yet, a guest, or an account.
import { ask, ApiError } from './api/http';
import type { Account } from './api/types';
import { stored } from './stored';

export interface Session {
  account: Account;
  token: string;
}

const restore = (value: unknown) => value as Session | null;

export const session = stored<Session | null>('arbiter.session', null, restore);
export const token = (): string | null => session.value?.token ?? null;
export const me = (): Account | null => session.value?.account ?? null;

/** A guest who registers becomes the account: seat and games stay. */
export async function register(username: string, password: string): Promise<void> {
  const guest = me()?.guest ? token() : null;
  session.value = await ask<Session>('POST', '/v1/accounts', { body: { username, password }, token: guest });
}

/** Signs in. If a guest was here before, who it was: the account may take its games over. */
export async function signIn(username: string, password: string): Promise<Session | null> {
  const before = session.value;
  session.value = await ask<Session>('POST', '/v1/sessions', { body: { username, password } });
  return before?.account.guest ? before : null;
}

/** Takes over the seats and games of a guest, whose token dies. */
export const adopt = (guest: Session): Promise<unknown> =>
  ask('POST', '/v1/me/adopt', { body: { guest_token: guest.token }, token: token() });

export async function signOut(): Promise<void> {
  const old = token();
  session.value = null;
  // A guest is nobody without the token; an account's token should be dead, but the page is signed out either way.
  await ask('DELETE', '/v1/sessions/current', { token: old }).catch(() => undefined);
}

/** Somebody to play as: whoever is signed in, else a new guest. */
export async function ensurePlayer(): Promise<Account> {
  if (!session.value) session.value = await ask<Session>('POST', '/v1/guests', { body: {} });
  return session.value.account;
}

/** A token that the server no longer knows is forgotten. */
export async function confirmSession(): Promise<void> {
  const old = session.value;
  if (!old) return;
  try {
    const account = await ask<Account>('GET', '/v1/me', { token: old.token });
    if (session.value?.token === old.token) session.value = { ...old, account };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && session.value?.token === old.token) session.value = null;
  }
}
