// One skill match on the screen.
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { ApiError, ask, NoAnswer, persist } from '../api/http';
import type { Color } from '../api/types';
import { Socket, type Connection } from '../net/socket';
import { stored } from '../stored';
import { t } from '../text';
import { wordsFor } from '../text/problem';
import type { MatchEvent, Room, Snapshot } from './types';

/** This device's guest of skill matches. The id is a secret: whoever has it holds the seat. */
export const guest = stored<{ guestID: string; displayName: string }>(
  'arbiter.skill.guest',
  { guestID: '', displayName: '' },
  (value) => value as { guestID: string; displayName: string },
);

export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function identity(): { guestID: string; displayName: string } {
  const { guestID, displayName } = guest.value;
  const id = guestID || uuid();
  const name = displayName.trim() || `Guest ${id.slice(0, 4).toUpperCase()}`;
  guest.value = { guestID: id, displayName: name };
  return guest.value;
}

export const rooms = () => ask<Room[]>('GET', '/v1/matches/rooms');
export const host = () => ask<{ snapshot: Snapshot }>('POST', '/v1/matches', { body: identity() });
export const join = (roomCode: string) =>
  ask<{ snapshot: Snapshot }>('POST', '/v1/matches/join', { body: { ...identity(), roomCode } });

/** This door says `{code, message}`; whatever else fails is told in our own words. */
export function problemOf(error: unknown): string {
  return wordsFor(error);
}

export class MatchRoom {
  readonly snapshot = signal<Snapshot | null>(null);
  readonly problem = signal<string | null>(null);
  readonly notice = signal<string | null>(null);
  /** What has become of an offer of ours; forgotten with what we do next. */
  readonly info = signal<string | null>(null);
  readonly busy = signal(false);
  readonly connection: ReadonlySignal<Connection>;
  readonly mine: ReadonlySignal<Color | null> = computed(
    () => this.snapshot.value?.seats.find((seat) => seat.isLocalDevice)?.color ?? null,
  );
  private readonly socket: Socket<MatchEvent>;

  constructor(readonly id: string) {
    const who = encodeURIComponent(identity().guestID);
    this.socket = new Socket<MatchEvent>({
      url: () => `/v1/matches/${encodeURIComponent(id)}/live?guestID=${who}`,
      message: (event) => this.adopt(event.snapshot),
      failed: () => void this.look(),
      isQuiet: true,
    });
    this.connection = this.socket.connection;
    void this.look();
  }

  close(): void {
    this.socket.close();
  }

  async look(): Promise<void> {
    try {
      const found = await ask<Snapshot | { snapshot: Snapshot }>(
        'GET',
        `/v1/matches/${encodeURIComponent(this.id)}?guestID=${encodeURIComponent(guest.value.guestID)}`,
      );
      this.adopt('snapshot' in found ? found.snapshot : found);
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) this.problem.value = wordsFor(error);
      else if (!(error instanceof ApiError) && !(error instanceof NoAnswer)) throw error;
    }
  }

  /** An action is safe to repeat: its id is the same. */
  async act(type: string, payload: object = {}): Promise<boolean> {
    const now = this.snapshot.value;
    if (!now || this.busy.value) return false;
    this.busy.value = true;
    this.notice.value = null;
    this.info.value = null;
    const body = {
      id: uuid(),
      matchID: this.id,
      actorID: guest.value.guestID,
      baseRevision: now.revision,
      type,
      submittedAt: new Date().toISOString(),
      payload,
    };
    try {
      const event = await persist(() =>
        ask<MatchEvent>('POST', `/v1/matches/${encodeURIComponent(this.id)}/actions`, { body }),
      );
      this.adopt(event.snapshot);
      if (event.type !== 'actionRejected') return true;
      this.notice.value = t.skill.reasons[event.rejectionReason ?? ''] ?? event.rejectionReason ?? null;
    } catch (error) {
      this.notice.value = problemOf(error);
    } finally {
      this.busy.value = false;
    }
    return false;
  }

  private adopt(snapshot: Snapshot | undefined): void {
    if (!snapshot || snapshot.revision < (this.snapshot.value?.revision ?? 0)) return;
    this.problem.value = null;
    this.snapshot.value = snapshot;
  }
}
