/** A TCP proxy between a program and its database, by which tests take the database away in every way. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Treatment of connections by the proxy. */
type Mode = 'open' | 'refuse' | 'black hole';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  /** True from the first moment of a black hole on: nothing of it is ever forwarded again. */
  lost: boolean;
}

export class TcpProxy {
  /** Each piece of data waits for so long. Milliseconds. */
  delayMs = 0;
  #target: pg.ClientConfig;
  readonly #pairs = new Set<Pair>();
  #server: Server | undefined;
  #mode: Mode = 'open';
  #port = 0;

  private constructor(target: pg.ClientConfig) {
    this.#target = target;
  }

  /**
   * Starts an open proxy. @param target where the database listens: a host, or the directory of its
   * socket
   */
  static async start(target: pg.ClientConfig): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await proxy.#listen();
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** The target's configuration, by way of the proxy. */
  through(config: pg.ClientConfig): pg.ClientConfig {
    return { ...config, host: '127.0.0.1', port: this.#port };
  }

  /** New connections lead to another server; open connections stay where they are. */
  switchTo(target: pg.ClientConfig): void {
    this.#target = target;
  }

  /**
   * Connections are forwarded, refused, or accepted and left without an answer (open connections,
   * too).
   */
  async set(mode: Mode): Promise<void> {
    const before = this.#mode;
    this.#mode = mode;
    if (mode === 'black hole') for (const pair of this.#pairs) pair.lost = true;
    if (mode === 'refuse') await this.#close();
    if (before === 'refuse' && mode !== 'refuse') await this.#listen();
  }

  /** Resets every open connection. */
  cut(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  async stop(): Promise<void> {
    if (this.#mode !== 'refuse') await this.#close();
  }

  async #listen(): Promise<void> {
    const server = createServer((near) => this.#take(near));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen(this.#port, '127.0.0.1', resolve);
    await promise;
    this.#port = (server.address() as { port: number }).port;
    this.#server = server;
  }

  async #close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server?.close(() => resolve());
    this.cut();
    await promise;
  }

  #take(near: Socket): void {
    const { host = '', port = 0 } = this.#target;
    const far = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const pair: Pair = { near, far, lost: this.#mode === 'black hole' };
    this.#pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      let sending = Promise.resolve();
      from.on('data', (data) => {
        sending = sending.then(async () => {
          if (this.delayMs > 0) await sleep(this.delayMs);
          if (!pair.lost && !to.destroyed) to.write(data);
        });
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        // The end of one side is data like any other: a black hole swallows it.
        if (!pair.lost) void sending.then(() => to.destroy());
        else if (from === near) far.destroy();
        this.#pairs.delete(pair);
      });
    }
  }
}
