// Who we are: nobody yet, a guest, or an account.
import { ask, ApiError } from './api/http';
import type { Account } from './api/types';
import { forget, leave, leftFor, type Left } from './guests';
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

const guests = stored<Left[]>('arbiter.guests', [], (value) => (Array.isArray(value) ? (value as Left[]) : []));

/** The guests whose games whoever is signed in may take over. */
export const ownGuests = (): Session[] => leftFor(guests.value, me()?.id);

/** Signs in. If a guest was here before, who it was: the account may take its games over, now or later. */
export async function signIn(username: string, password: string): Promise<Session | null> {
  const before = session.value;
  const now = await ask<Session>('POST', '/v1/sessions', { body: { username, password } });
  const guest = before?.account.guest ? before : null;
  // Kept first: a page that is closed in this moment, or a question that is not answered, costs nobody a seat.
  if (guest) guests.value = leave(guests.value, guest, now.account.id);
  session.value = now;
  return guest;
}

/** Takes over the seats and games of a guest, whose token dies. */
export async function adopt(guest: Session): Promise<void> {
  try {
    await ask('POST', '/v1/me/adopt', { body: { guest_token: guest.token }, token: token() });
  } catch (error) {
    // Nobody any more: there is nothing left to be asked about.
    if (error instanceof ApiError && error.code === 'bad_guest_token') leaveGuest(guest);
    throw error;
  }
  leaveGuest(guest);
}

/** The guest's games stay the guest's, of whom nobody has the token any more. */
export function leaveGuest(guest: Session): void {
  guests.value = forget(guests.value, guest);
}

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
