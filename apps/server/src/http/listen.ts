/**
 * Listening, and stopping to: on one address, or on both loopback addresses for `localhost`, so that
 * `http://localhost:PORT` answers whichever of the two a client tries first. Requests in flight are counted, so that a
 * stop waits for exactly those and for no connection that is merely open.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Gate, stopAccepting } from './stop-accepting.ts';

const LOOPBACK = ['127.0.0.1', '::1'] as const;
/** How long a connection that carries no request may still send one when the server stops. Milliseconds. */
const LAST_REQUEST_MS = 2_000;
/** Interval at which open connections are counted. Milliseconds. */
const UNUSED_EVERY_MS = 20;
/** The first port that needs no privilege. */
const FREE_FOR_ALL = 1_024;
/** Timeout of the check whether a port is in use. Milliseconds. */
const ASK_MS = 1_000;
/** A free port may be free on one of the two addresses only. */
const PORT_ATTEMPTS = 10;

interface Listening {
  /** The port that is listened on. */
  readonly port: number;
  /**
   * Stops accepting connections, serves the requests sent on those that were accepted, waits for the requests in flight,
   * closes idle connections and closes the application.
   * @param patienceMs requests that take longer are aborted
   * @returns how many were aborted
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
  const gate = new Gate(app.server);
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
      connections.endEachWithItsAnswer();
      await stopAccepting(gate, second ? [app.server, second] : [app.server], () => connections.lastAnswer);
      await connections.unused(LAST_REQUEST_MS);
      connections.closeUnused();
      // Those of the second listener are not among the connections that the application waits for.
      await connections.all();
      await app.close();
      clearTimeout(timer);
      return cut;
    },
  };
}

/**
 * Fails at once when the address is taken, before a database is started for nothing. It may still be taken later. The port is
 * asked, not listened on: a proxy that tries it again and again would take that for a node that is back.
 * @throws the system's error, as {@link listen}
 */
export async function requireFreePort({ host, port }: { host: string; port: number }): Promise<void> {
  const address = host === 'localhost' ? LOOPBACK[0] : host;
  // Whether the address exists and a low port is permitted shows only when listening.
  await listenOnce(address, port < FREE_FOR_ALL && process.getuid?.() !== 0 ? port : 0).catch((error: Error) => {
    throw Object.assign(error, { port });
  });
  if (port === 0) return;
  const asked = connect({ host: { '0.0.0.0': LOOPBACK[0], '::': LOOPBACK[1] }[address] ?? address, port });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  asked.setTimeout(ASK_MS, () => resolve(false));
  asked.once('connect', () => resolve(true));
  asked.once('error', () => resolve(false)); // refused: nothing listens
  const taken = await promise;
  asked.destroy();
  if (!taken) return;
  const error = new Error(`listen EADDRINUSE: address already in use ${address}:${port}`);
  throw Object.assign(error, { code: 'EADDRINUSE', syscall: 'listen', address, port });
}

async function listenOnce(host: string, port: number): Promise<void> {
  const probe = createServer();
  await bind(probe, host, port);
  await new Promise((resolve) => probe.close(resolve));
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
  /** When a request ended last. */
  lastAnswer = Number.NEGATIVE_INFINITY;

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
        this.lastAnswer = performance.now();
        const left = (this.#requests.get(socket) ?? 1) - 1;
        if (this.#requests.has(socket)) this.#requests.set(socket, left);
        if (this.#closing && left === 0) socket.end();
      });
    });
  }

  /** From now on every connection ends with the answer to its request. */
  endEachWithItsAnswer(): void {
    this.#closing = true;
  }

  /** Waits until every connection carries a request, but not longer than that. */
  async unused(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while (performance.now() < end && this.#unused().length > 0) await sleep(UNUSED_EVERY_MS);
  }

  /** Waits until there is no connection. */
  async all(): Promise<void> {
    while (this.#requests.size > 0) await sleep(UNUSED_EVERY_MS);
  }

  /** Ends every connection that carries no request now. */
  closeUnused(): void {
    for (const socket of this.#unused()) socket.destroy();
  }

  #unused(): Socket[] {
    const carrying = new Set<unknown>();
    for (const [socket, requests] of this.#requests) if (requests > 0) carrying.add(address(socket));
    return [...this.#requests.keys()].filter((socket) => !carrying.has(address(socket)));
  }

  /** Closes the remaining connections. @returns how many requests that aborts */
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
