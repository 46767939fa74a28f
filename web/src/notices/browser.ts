// Notices outside of the page, where the person has allowed them.
import { settings } from '../settings';
import type { Toast } from './toast';

export const canTell = (): boolean => typeof Notification !== 'undefined';
export const mayTell = (): boolean => canTell() && Notification.permission === 'granted';

/** Only when nobody looks at the page: otherwise it says so itself. */
export function tellBrowser(toast: Toast): void {
  if (!mayTell() || !settings.value.notifications || !document.hidden) return;
  const options = { body: toast.text, tag: toast.key, icon: '/icon-192.png', data: { url: url(toast) } };
  void ready().then((worker) => {
    if (worker) return worker.showNotification('Arbiter', options);
    const shown = new Notification('Arbiter', options);
    shown.onclick = () => focus();
    return undefined;
  });
}

const url = (toast: Toast): string => (toast.game ? `/game/${toast.game}` : '/');

async function ready(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}
