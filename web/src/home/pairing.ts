// Waiting for an opponent. The server may tell in two ways, by our stream and by the ticket: the first counts.
import { batch, signal } from '@preact/signals';
import { ApiError, NoAnswer, sleep } from '../api/http';
import * as api from '../api/meet';
import type { Ticket, Wish } from '../api/meet';
import { go } from '../router';
import { sounds } from '../sound';
import { ensurePlayer, session } from '../session';
import { t } from '../text';
import { wordsFor } from '../text/problem';

/** Our place in the queue, while there is one. */
export const search = signal<Ticket | null>(null);
export const searchProblem = signal<string | null>(null);
export const isEntering = signal(false);

const KEPT = 'arbiter.ticket';
const AGAIN_MS = 1_500;

/** This tab's ticket outlives a reload; another tab has its own. */
function keep(id: string | null): void {
  try {
    if (id) sessionStorage.setItem(KEPT, id);
    else sessionStorage.removeItem(KEPT);
  } catch {
    // a browser may forbid storage: then a reload forgets
  }
}

function kept(): string | null {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export async function look(wish: Wish): Promise<void> {
  if (isEntering.value) return;
  isEntering.value = true;
  searchProblem.value = null;
  try {
    await ensurePlayer();
    if (search.value) await stop();
    begin(await api.enter(wish));
  } catch (error) {
    const body = error instanceof ApiError ? (error.body as { queue_entry_id?: string; game_id?: string }) : {};
    // Left behind by a page that was closed: it is ours, and this wish is newer.
    if (body.queue_entry_id) await replace(body.queue_entry_id, wish);
    else if (body.game_id) go(`/game/${body.game_id}`);
    else searchProblem.value = wordsFor(error);
  } finally {
    isEntering.value = false;
  }
}

async function replace(old: string, wish: Wish): Promise<void> {
  try {
    const ended = await api.leave(old);
    if (ended.status === 'MATCHED' && ended.game_id) return go(`/game/${ended.game_id}`);
    begin(await api.enter(wish));
  } catch (error) {
    searchProblem.value = wordsFor(error);
  }
}

/** Takes the wait up again that this tab had before it was loaded anew. */
export async function resume(): Promise<void> {
  const id = kept();
  if (!id || !session.value || search.value) return;
  const found = await api.ticket(id).catch(() => null);
  if (found?.status === 'SEARCHING') begin(found);
  else keep(null);
}

export async function stop(): Promise<void> {
  const waiting = search.value;
  if (!waiting) return;
  forget();
  // Somebody may have been found in this very moment: then there is a game.
  const ended = await api.leave(waiting.queue_entry_id).catch(() => null);
  if (ended?.status === 'MATCHED' && ended.game_id) go(`/game/${ended.game_id}`);
}

/** The stream says that an opponent was found. Whether it was us who waited. */
export function paired(entry: string, game: string): boolean {
  if (search.value?.queue_entry_id !== entry) return false;
  found(game);
  return true;
}

function begin(ticket: Ticket): void {
  search.value = ticket;
  keep(ticket.queue_entry_id);
  void follow(ticket.queue_entry_id);
}

function forget(): void {
  search.value = null;
  keep(null);
}

function found(game: string): void {
  batch(() => {
    forget();
    sounds.start();
    go(`/game/${game}`);
  });
}

async function follow(id: string): Promise<void> {
  while (search.value?.queue_entry_id === id) {
    try {
      const now = await api.fate(id);
      if (search.value?.queue_entry_id !== id) return;
      if (now.game_id) return found(now.game_id);
      if (now.status === 'SEARCHING') search.value = now;
      else {
        forget();
        if (now.status === 'TIMED_OUT') searchProblem.value = t.pairing.timedOut;
      }
    } catch (error) {
      if (error instanceof ApiError && !error.isPassing) {
        forget();
        searchProblem.value = wordsFor(error);
        return;
      }
      if (!(error instanceof ApiError) && !(error instanceof NoAnswer)) throw error;
      await sleep(AGAIN_MS);
    }
  }
}
