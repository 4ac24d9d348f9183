/**
 * Listening, and stopping to: on one address, or on both loopback addresses for `localhost`, so that
 * `http://localhost:PORT` answers whichever of the two a client tries first. Requests in flight are counted, so that a
 * stop waits for exactly those and for no connection that is merely open. Where several processes serve, one listens and hands
 * each connection to another ({@link listenForOthers}, {@link serveHanded}).
 */
import type { ServerResponse } from 'node:http';
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

/** Time for the end of a server. Milliseconds. */
export interface Patience {
  /** Requests that take longer are aborted. */
  readonly requestsMs: number;
  /** Time for a connection without a request to send one; default {@link LAST_REQUEST_MS}. */
  readonly lastRequestMs?: number;
}

/** A server that takes connections. */
interface Listening {
  /** The port that is listened on. */
  readonly port: number;
  /**
   * Stops accepting connections, serves the requests already sent on accepted connections, waits
   * for the requests in flight, closes idle connections and closes the application.
   * @returns number of aborted requests
   */
  close(patience: Patience): Promise<number>;
}

/** A server that is handed its connections by the process that listens. */
export interface Handed extends Omit<Listening, 'port'> {
  /** Serves a connection. @param closed called once it is closed */
  take(socket: Socket, closed: () => void): void;
}

/** A listener whose connections others serve. */
export interface Door {
  readonly port: number;
  /** Stops listening, so that each client is either accepted or refused. */
  close(): Promise<void>;
}

/** A server with its settings of connections, which Node.js does not declare. */
type ServerSettings = Server & { allowHalfOpen?: boolean; pauseOnConnect?: boolean };

/**
 * Listens.
 * @param app every route is registered
 * @param address `localhost` means both loopback addresses; port 0 is any free one
 * @throws the system's error (EADDRINUSE, EACCES, EADDRNOTAVAIL …) with `port` and `address`
 */
export async function listen(app: FastifyInstance, address: { host: string; port: number }): Promise<Listening> {
  const connections = new Connections(app);
  const gate = new Gate(app.server);
  const listeners = await listenOn(address, {
    server: app.server,
    listen: async (host, port) => void (await app.listen({ host, port })),
  });
  return {
    port: portOf(app.server),
    close: (patience) =>
      end(app, connections, patience, () => stopAccepting(gate, listeners, () => connections.lastAnswer)),
  };
}

/**
 * Listens for other processes.
 * @param accept receives each connection before anything is read from it; the last connections may
 *   come while the door closes
 * @throws as {@link listen}
 */
export async function listenForOthers(
  address: { host: string; port: number },
  accept: (socket: Socket) => void,
): Promise<Door> {
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, accept);
  const gate = new Gate(server);
  const listeners = await listenOn(address, {
    server,
    listen: async (host, port) => void (await bind(server, host, port)),
  });
  return {
    port: portOf(server),
    close: () => stopAccepting(gate, listeners, () => Number.NEGATIVE_INFINITY),
  };
}

/** Serves connections that another process has accepted. @param app every route is registered */
export async function serveHanded(app: FastifyInstance): Promise<Handed> {
  await app.ready();
  const connections = new Connections(app);
  // Node.js begins to watch how long requests take when a server listens, which this one never does.
  app.server.emit('listening');
  return {
    take: (socket, closed) => {
      // As for connections that a server accepts itself.
      socket.allowHalfOpen = (app.server as ServerSettings).allowHalfOpen ?? false;
      socket.once('close', closed);
      app.server.emit('connection', socket);
    },
    close: (patience) => end(app, connections, patience, async () => undefined),
  };
}

/**
 * Serves the requests already sent, and closes. @param stop ends the arrival of connections
 * @returns number of aborted requests
 */
async function end(
  app: FastifyInstance,
  connections: Connections,
  { requestsMs, lastRequestMs = LAST_REQUEST_MS }: Patience,
  stop: () => Promise<void>,
): Promise<number> {
  let cut = 0;
  const timer = setTimeout(() => {
    cut = connections.cut();
  }, requestsMs);
  connections.endEachWithItsAnswer();
  await stop();
  await connections.unused(Math.min(lastRequestMs, requestsMs));
  connections.closeUnused();
  // The application does not wait for the connections of the second listener.
  await connections.all();
  await app.close();
  clearTimeout(timer);
  return cut;
}

function portOf(server: Server): number {
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null) throw new Error('the server has no port');
  return bound.port;
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

/** A server that is to listen. */
interface Unbound {
  readonly server: Server;
  listen(host: string, port: number): Promise<void>;
}

/** @returns the listeners of an address: two for `localhost`, unless this machine has only one of them */
async function listenOn({ host, port }: { host: string; port: number }, first: Unbound): Promise<readonly Server[]> {
  if (host === 'localhost') return listenOnBoth(port, first);
  await first.listen(host, port);
  return [first.server];
}

async function listenOnBoth(port: number, { server, listen: listenFirst }: Unbound): Promise<readonly Server[]> {
  // Connections of the second listener are given to the one server, which then knows all of them.
  const { allowHalfOpen = false, pauseOnConnect = false } = server as ServerSettings;
  const second = createServer({ allowHalfOpen, noDelay: true, pauseOnConnect }, (socket) => {
    server.emit('connection', socket);
  });
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
      await listenFirst(LOOPBACK[0], chosen);
      return listening ? [server, second] : [server];
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
  readonly #answers = new Set<ServerResponse>();
  #closing = false;
  /** When a request ended last. */
  lastAnswer = Number.NEGATIVE_INFINITY;

  constructor(app: FastifyInstance) {
    const { server } = app;
    // Requests of a TLS connection name the TLS socket, not the accepted one: it is known once the
    // connection is set up.
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Socket) => {
        this.#requests.set(socket, 0);
        socket.once('close', () => this.#requests.delete(socket));
      });
    }
    server.on('request', (request, response: ServerResponse) => {
      const { socket } = request;
      this.#answers.add(response);
      this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
      if (this.#closing) response.shouldKeepAlive = false;
      response.once('close', () => {
        this.lastAnswer = performance.now();
        this.#answers.delete(response);
        const left = (this.#requests.get(socket) ?? 1) - 1;
        if (this.#requests.has(socket)) this.#requests.set(socket, left);
        // A connection whose answer did not announce the end may carry another request already.
        if (this.#closing && left === 0 && !response.shouldKeepAlive) socket.end();
      });
    });
  }

  /** From now on every connection ends with the answer to its request. */
  endEachWithItsAnswer(): void {
    this.#closing = true;
    for (const response of this.#answers) if (!response.headersSent) response.shouldKeepAlive = false;
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
