/**
 * Listening, and stopping to: on one address, or on both loopback addresses for `localhost`, so that
 * `http://localhost:PORT` answers whichever of the two a client tries first. Requests in flight are counted, so that a
 * stop waits for exactly those and for no connection that is merely open.
 */
import { createServer, type Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const LOOPBACK = ['127.0.0.1', '::1'] as const;
/** A free port may be free on one of the two addresses only. */
const PORT_ATTEMPTS = 10;

export interface Listening {
  /** The port that is listened on. */
  readonly port: number;
  /**
   * Stops to accept connections, ends those that carry no request, waits for the requests in flight and closes the
   * application.
   * @param patienceMs requests that take longer are cut off
   * @returns how many were cut off
   */
  close(patienceMs: number): Promise<number>;
}

/**
 * Listens.
 * @param app every route is registered
 * @param address `localhost` means both loopback addresses; port 0 is any free one
 * @throws the system's error (EADDRINUSE, EACCES, EADDRNOTAVAIL …) with `port` and `address`
 */
export async function listen(app: FastifyInstance, address: { host: string; port: number }): Promise<Listening> {
  const connections = new Connections(app);
  const second = address.host === 'localhost' ? await listenOnBoth(app, address.port) : undefined;
  if (address.host !== 'localhost') await app.listen(address);
  const bound = app.server.address();
  if (typeof bound !== 'object' || bound === null) throw new Error('the server has no port');
  return {
    port: bound.port,
    close: async (patienceMs) => {
      let cut = 0;
      const timer = setTimeout(() => {
        cut = connections.cut();
      }, patienceMs);
      second?.close();
      connections.closeUnused();
      await app.close();
      clearTimeout(timer);
      return cut;
    },
  };
}

/**
 * Fails at once when the address is taken, before a database is started for nothing. It may still be taken later.
 * @throws the system's error, as {@link listen}
 */
export async function requireFreePort(address: { host: string; port: number }): Promise<void> {
  if (address.port === 0) return;
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  probe.once('error', reject);
  probe.listen(address.port, address.host === 'localhost' ? LOOPBACK[0] : address.host, resolve);
  await promise;
  const closed = Promise.withResolvers<void>();
  probe.close(() => closed.resolve());
  await closed.promise;
}

/** @returns the listener of the second address, unless this machine has none */
async function listenOnBoth(app: FastifyInstance, port: number): Promise<Server | undefined> {
  // Connections of the second listener are given to the one server, which then knows all of them.
  const second = createServer(
    { allowHalfOpen: (app.server as { allowHalfOpen?: boolean }).allowHalfOpen ?? false, noDelay: true },
    (socket) => {
      app.server.emit('connection', socket);
    },
  );
  for (let attempt = 1; ; attempt++) {
    // The second address first: it can be given up again, the application listens only once.
    let chosen = port;
    let listening = true;
    try {
      chosen = await bind(second, LOOPBACK[1], port);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      listening = false;
    }
    try {
      await app.listen({ host: LOOPBACK[0], port: chosen });
      return listening ? second : undefined;
    } catch (error) {
      if (listening) await new Promise((resolve) => second.close(resolve));
      if (port !== 0 || attempt === PORT_ATTEMPTS || (error as { code?: unknown }).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function bind(server: Server, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen({ host, port }, resolve);
  await promise;
  server.off('error', reject);
  return (server.address() as { port: number }).port;
}

/** This machine does not speak that family of addresses. */
function isAbsent(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String((error as { code?: unknown }).code));
}

/** The open connections of a server and the requests that each of them carries. */
class Connections {
  readonly #requests = new Map<Socket, number>();
  #closing = false;

  constructor(app: FastifyInstance) {
    const { server } = app;
    // Of a TLS connection, requests name the socket above the one that came in: that one is known when it is set up.
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Socket) => {
        this.#requests.set(socket, 0);
        socket.once('close', () => this.#requests.delete(socket));
      });
    }
    server.on('request', (request, response) => {
      const { socket } = request;
      this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
      if (this.#closing) response.shouldKeepAlive = false;
      response.once('close', () => {
        const left = (this.#requests.get(socket) ?? 1) - 1;
        if (this.#requests.has(socket)) this.#requests.set(socket, left);
        if (this.#closing && left === 0) socket.end();
      });
    });
  }

  /** Ends every connection that carries no request now, and others as soon as they carry none. */
  closeUnused(): void {
    this.#closing = true;
    const carrying = new Set<unknown>();
    for (const [socket, requests] of this.#requests) if (requests > 0) carrying.add(address(socket));
    for (const socket of this.#requests.keys()) if (!carrying.has(address(socket))) socket.destroy();
  }

  /** Cuts off what is left. @returns how many requests that ends */
  cut(): number {
    let count = 0;
    for (const [socket, requests] of this.#requests) {
      count += requests;
      socket.destroy();
    }
    return count;
  }
}

/** The TLS socket and the one below it are the same connection. */
function address(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress}`;
}
