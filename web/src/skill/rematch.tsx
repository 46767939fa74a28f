// Another match between the same two. The door knows no rematch, but it lists open rooms: whoever wants one opens a room,
// and the other's page finds it by its host.
import { useEffect, useState } from 'preact/hooks';
import { go } from '../router';
import { t } from '../text';
import { useSettled } from '../views/act';
import { host, join, problemOf, rooms } from './room';
import type { Room, Snapshot } from './types';

const EVERY_MS = 2_000;
const SETTLE_MS = 700;

export function Rematch({ snapshot, tell }: { snapshot: Snapshot; tell(problem: string): void }) {
  const [offer, setOffer] = useState<Room | null>(null);
  const [busy, setBusy] = useState(false);
  const settled = useSettled(SETTLE_MS);
  const opponent = snapshot.seats.find((seat) => !seat.isLocalDevice)?.player.id;
  const over = snapshot.outcome?.finishedAt ?? '';
  useEffect(() => {
    if (!opponent) return;
    const isTheirs = (room: Room) => room.host.id === opponent && room.createdAt >= over;
    const look = () =>
      void rooms().then(
        (all) => setOffer(all.find(isTheirs) ?? null),
        () => undefined,
      );
    look();
    const timer = setInterval(() => document.visibilityState === 'visible' && look(), EVERY_MS);
    return () => clearInterval(timer);
  }, [opponent, over]);
  const enter = async () => {
    setBusy(true);
    try {
      go(`/skill/${(await (offer ? join(offer.roomCode) : host())).snapshot.id}`);
    } catch (error) {
      tell(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <button type="button" class="primary" disabled={busy || !settled} onClick={() => void enter()}>
      {offer ? t.actions.acceptRematch : t.actions.rematch}
    </button>
  );
}
