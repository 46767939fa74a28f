// A network of our own between a browser and the server, which can be cut: nothing is said, nothing arrives.
import { connect, createServer, type Server, type Socket } from 'node:net';

export class Wire {
  private isCut = false;
  private readonly pairs = new Set<[Socket, Socket]>();
  private constructor(
    private readonly listener: Server,
    readonly url: string,
  ) {}

  static async to(target: string): Promise<Wire> {
    const port = Number(new URL(target).port);
    const listener = createServer();
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    const wire = new Wire(listener, `http://127.0.0.1:${(listener.address() as { port: number }).port}`);
    listener.on('connection', (near) => wire.join(near, connect(port, '127.0.0.1')));
    return wire;
  }

  cut(): void {
    this.isCut = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  /** The network is back; the connections of before are not. */
  mend(): void {
    this.isCut = false;
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  async close(): Promise<void> {
    this.mend();
    await new Promise<void>((done) => this.listener.close(() => done()));
  }

  private join(near: Socket, far: Socket): void {
    const pair: [Socket, Socket] = [near, far];
    this.pairs.add(pair);
    const end = () => {
      near.destroy();
      far.destroy();
      this.pairs.delete(pair);
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => near.write(bytes));
    if (this.isCut) for (const socket of pair) socket.pause();
  }
}
