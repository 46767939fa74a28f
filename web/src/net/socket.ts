// A socket that comes back by itself. Whoever uses it says where to connect each time, so that it resumes where it was.
import { signal, type ReadonlySignal } from '@preact/signals';

export type Connection = 'connecting' | 'open' | 'lost';

const WAIT_MS = [300, 600, 1_000, 2_000, 3_000, 5_000];
const PING_MS = 8_000;
const SILENCE_MS = 5_000;
/** The server closed it for good: the token is dead, or there is nothing to see. */
const REFUSED = 1008;

export interface SocketEvents<M> {
  url(): string;
  message(message: M): void;
  /** The connection could not be made: perhaps asking over HTTP tells why. */
  failed?(): void;
  /** What was sent may not have arrived, and nothing more comes back. */
  lost?(): void;
  /** A door that knows no PING. */
  isQuiet?: boolean;
}

export class Socket<M extends { type: string }> {
  private readonly state = signal<Connection>('connecting');
  readonly connection: ReadonlySignal<Connection> = this.state;
  /** The last measured round trip. */
  readonly roundTripMs = signal<number | null>(null);

  private socket: WebSocket | null = null;
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private pings = 0;
  private pingAt = 0;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private resting = false;

  constructor(private readonly events: SocketEvents<M>) {
    addEventListener('online', this.wake);
    addEventListener('offline', this.check);
    document.addEventListener('visibilitychange', this.check);
    this.open();
  }

  send(message: object): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.closed = true;
    removeEventListener('online', this.wake);
    removeEventListener('offline', this.check);
    document.removeEventListener('visibilitychange', this.check);
    clearTimeout(this.retry);
    this.drop();
  }

  /** Stays away until it is restarted: there is nothing to connect to. */
  rest(): void {
    this.resting = true;
    clearTimeout(this.retry);
    this.drop();
  }

  /** Connects again now, as after signing in. */
  restart(): void {
    this.resting = false;
    this.attempts = 0;
    this.drop();
    if (this.state.value === 'open') this.state.value = 'connecting';
    this.open();
  }

  private open(): void {
    clearTimeout(this.retry);
    const url = new URL(this.events.url(), location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    const socket = (this.socket = new WebSocket(url));
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.attempts = 0;
      this.state.value = 'open';
      this.pulse = setInterval(this.check, PING_MS);
      this.check();
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data as string) as M;
      if (message.type === 'PONG') this.pong();
      else this.events.message(message);
    };
    socket.onclose = (event) => {
      this.drop();
      if (this.closed) return;
      this.state.value = 'lost';
      if (!wasOpen || event.code === REFUSED) this.events.failed?.();
      if (this.resting) return;
      const wait = WAIT_MS[Math.min(this.attempts++, WAIT_MS.length - 1)]!;
      // Many clients that lost the same server must not return in step.
      this.retry = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
    };
  }

  private drop(): void {
    clearInterval(this.pulse);
    clearTimeout(this.silence);
    this.silence = undefined;
    const old = this.socket;
    this.socket = null;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
    this.events.lost?.();
  }

  private readonly wake = (): void => {
    if (this.resting) return;
    if (this.state.value === 'open') this.check();
    else this.restart();
  };

  /** Asks for a sign of life. A network that is gone, or a tab that slept, shows by the silence. */
  private readonly check = (): void => {
    if (this.resting) return;
    if (this.state.value === 'lost' && document.visibilityState === 'visible' && navigator.onLine)
      return this.restart();
    if (this.events.isQuiet || this.silence !== undefined || !this.send({ type: 'PING', id: ++this.pings })) return;
    this.pingAt = performance.now();
    this.silence = setTimeout(() => {
      this.silence = undefined;
      this.state.value = 'lost';
      this.drop();
      this.events.failed?.();
      if (!this.resting) this.open();
    }, SILENCE_MS);
  };

  private pong(): void {
    clearTimeout(this.silence);
    this.silence = undefined;
    this.roundTripMs.value = performance.now() - this.pingAt;
  }
}
