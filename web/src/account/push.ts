// Being told by this browser, also when the page is closed.
import * as api from '../api/account';

export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis;

/** This browser's subscription, if there is one. */
export async function current(): Promise<PushSubscription | null> {
  if (!canPush()) return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** `false`: the person or the browser refuses. */
export async function turnOn(publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: bytes(publicKey) })
    .catch(() => null);
  if (!subscription) return false;
  await api.subscribe(subscription.toJSON());
  return true;
}

/** The browser forgets the address; the server learns it when the next message is refused. */
export async function turnOff(): Promise<void> {
  await (await current())?.unsubscribe();
}

export function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
