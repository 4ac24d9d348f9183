/**
 * Closing a listener without losing a connection. When a listener is closed, Linux resets each connection that it has
 * set up but the process has not accepted, and a client may have sent a request on it. A proxy does not send a POST again
 * after a reset; after a refused connection it does.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, Server, type Socket } from 'node:net';
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';

/** A listener is closed after this long without a new connection or a response. Milliseconds. */
const QUIET_MS = 50;
/** How long to wait for such an idle moment. Milliseconds. */
const STOP_ACCEPTING_MS = 1_000;
/** How long to wait for a moment at which no connection is lost. Milliseconds. */
const LONGEST_ACCEPTING_MS = 3_000;
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Stands between the listeners and the server that reads from the connections. */
export class Gate {
  readonly #server: Server;
  readonly #serve: readonly ((socket: Socket) => void)[];
  #held: Socket[] | undefined;
  /** Time of the last connection that had to wait. */
  lastArrival = Number.NEGATIVE_INFINITY;

  constructor(server: Server) {
    this.#server = server;
    this.#serve = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
      if (!this.#held) return this.#pass(socket);
      // Nobody else listens yet.
      socket.on('error', () => socket.destroy());
      this.#held.push(socket);
      this.lastArrival = performance.now();
    });
  }

  /** Connections that are accepted from now on wait. */
  hold(): void {
    this.#held ??= [];
  }

  /** Serves the waiting connections. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const socket of held) if (!socket.destroyed) this.#pass(socket);
  }

  #pass(socket: Socket): void {
    for (const listener of this.#serve) listener.call(this.#server, socket);
  }
}

/**
 * Closes listeners so that each client is either accepted or refused. Connections are only accepted meanwhile, and served
 * afterwards: under load there would be no idle moment otherwise.
 * @param lastResponse time of the last response: its client is likely to send another request
 */
export async function stopAccepting(
  gate: Gate,
  listeners: readonly Server[],
  lastResponse: () => number,
): Promise<void> {
  gate.hold();
  const begin = performance.now();
  const end = begin + LONGEST_ACCEPTING_MS;
  const isQuiet = () => performance.now() - Math.max(begin, gate.lastArrival, lastResponse()) > QUIET_MS;
  do await sleep(1);
  while (!isQuiet() && performance.now() < begin + STOP_ACCEPTING_MS);
  for (const listener of listeners) {
    await untilNoneIsLost(listener, end);
    // Not the close of the HTTP server, which also destroys the connections that carry no request at the moment.
    Server.prototype.close.call(listener);
  }
  gate.release();
}

/**
 * Resolves when the system holds no connection to a listener that was not accepted, and sets up no further one until the
 * event loop runs again. For this the queue of the listener is made one connection long, and filled with a connection of
 * our own: while the queue is full, the system drops requests to connect, which the client repeats after a second.
 * @param end when to give up; on systems other than Linux it gives up at once
 */
export async function untilNoneIsLost(listener: Server, end: number): Promise<void> {
  const { port, address } = listener.address() as AddressInfo;
  // Node.js has no public way to change the length of the queue of a listener.
  const handle = (listener as { _handle?: { listen?(backlog: number): number } })._handle;
  if (!existsSync(TABLES[0]) || handle?.listen?.(0) !== 0) return;
  while (performance.now() < end) {
    await nextRound(); // accepts all
    const own = connect({ host: ANY_ADDRESS[address] ?? address, port });
    own.on('error', () => own.destroy()); // it is reset when the listener is closed
    await new Promise((resolve) => process.nextTick(resolve)); // the system call is made by then
    if (isAlone(own, port)) return;
    own.destroy();
  }
}

/** The tables of the system in which TCP connections are listed. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'] as const;
const [ESTABLISHED, SYN_RECEIVED, LISTEN] = ['01', '03', '0A'];

/** @returns whether a connection is the only one that waits to be accepted, and none is being set up */
function isAlone(own: Socket, port: number): boolean {
  let waits = false;
  for (const table of TABLES) {
    if (!existsSync(table)) continue;
    for (const line of readFileSync(table, 'latin1').split('\n')) {
      // Number, local and remote address, state, the two queues, timer, retransmissions, user, timeout, inode.
      const [, local, remote, state, queues, , , , , inode] = line.trim().split(/\s+/);
      if (!isOfPort(local, port)) continue;
      if (state === SYN_RECEIVED) return false;
      // The second queue of a listener counts the connections that wait.
      if (state === LISTEN && Number.parseInt(queues?.split(':')[1] ?? '', 16) > 1) return false;
      if (state === ESTABLISHED && inode === '0' && isOfPort(remote, own.localPort)) waits = true;
    }
  }
  return waits;
}

function isOfPort(address: string | undefined, port: number | undefined): boolean {
  return address?.endsWith(`:${port?.toString(16).toUpperCase().padStart(4, '0')}`) ?? false;
}
