/**
 * A connection of the service's role, with its prepared statements, its count of uses, and the ways
 * to end it.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import { mainThread, type Requester } from '../main-thread.ts';

/** Statements that stay prepared on a connection; the ones unused for longest are let go. */
export const MAX_NAMED_STATEMENTS = 300;
/** Number of statements that are deallocated at once. */
const BATCH = 50;
/**
 * Statements that a connection prepares in its life; then it is replaced, since not all of their
 * memory is freed.
 */
const MAX_PREPARED = 1_500;

/** Bytes of results that are read before other work has its turn. */
const READ_BYTES = 128 * 1024;

const PLAIN_WARNING = '01000';

export class ServiceClient extends pg.Client {
  /** The TCP (or local) socket, below TLS where there is any. */
  readonly socket: Socket;
  /** The tenant that the session is set to; undefined: not known. */
  tenant: number | undefined;
  /** Requester that it works for now. */
  requester: Requester = {};
  /** The last plain warning (SQLSTATE 01000) of PostgreSQL since somebody took it. */
  warning: string | undefined;
  /** How often it was lent. */
  uses = 0;
  /** Names by text, the one unused for longest first. */
  readonly #names = new Map<string, string>();
  #prepared = 0;

  constructor(config: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    // A connection that is in use and breaks between two statements only emits an event; without a listener, Node ends
    // the process. The holder gets the error from its next statement, and the pool drops it when it is released.
    this.on('error', () => undefined);
    this.on('notice', ({ code, message }) => {
      if (code === PLAIN_WARNING) this.warning = message;
    });
  }

  /**
   * Counts the time of reading rows for the connection's requester, and reads long results in turns
   * with other work. Call it once the connection is made.
   */
  countReading(): void {
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    let read = 0;
    stream.prependListener('data', (chunk: Buffer) => {
      mainThread.enter(this.requester);
      read += chunk.length;
      if (read < READ_BYTES) return;
      read = 0;
      // Node takes two megabytes from a socket in one turn of the event loop.
      stream.pause();
      void mainThread.wait(this.requester).then(() => stream.resume());
    });
  }

  /** Names of statements that are prepared now. */
  get named(): number {
    return this.#names.size;
  }

  /** True when it has prepared so many statements that it is to be replaced. */
  get spent(): boolean {
    return this.#prepared >= MAX_PREPARED;
  }

  /**
   * The name under which a statement is prepared: named statements are parsed once per connection. A name is never used
   * for a second text, since the driver remembers the first one.
   * @returns undefined when the statement is to be sent unnamed: one lease may exceed the bound by a batch, no more
   */
  nameOf(text: string): string | undefined {
    let name = this.#names.get(text);
    if (name !== undefined) this.#names.delete(text);
    else if (this.#names.size >= MAX_NAMED_STATEMENTS + BATCH) return undefined;
    else name = `p${++this.#prepared}`;
    this.#names.set(text, name);
    return name;
  }

  /** Whether a statement is prepared under a name. */
  knows(text: string): boolean {
    return this.#names.has(text);
  }

  /** Drops a name: the next {@link nameOf} of its text prepares the statement anew. Call it outside transactions. */
  forget(text: string, name: string): void {
    if (this.#names.get(text) !== name) return;
    this.#names.delete(text);
    this.#deallocate(name);
  }

  /** Deallocates statements beyond the bound. Call it outside transactions; the next statement waits for it. */
  trim(): void {
    if (this.#names.size <= MAX_NAMED_STATEMENTS) return;
    for (const [text, name] of [...this.#names].slice(0, this.#names.size - MAX_NAMED_STATEMENTS + BATCH)) {
      this.#names.delete(text);
      this.#deallocate(name);
    }
  }

  #deallocate(name: string): void {
    // Fails for a statement that PostgreSQL refused to prepare, of which it knows no name. Where the connection is broken, its
    // next statement fails too.
    this.query(`DEALLOCATE ${name}`).catch(() => undefined);
  }
}

interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number | null, secretKey: number | null): void;
}

/** How long a request to cancel may take. Milliseconds. */
const CANCEL_MS = 2_000;

/**
 * Asks PostgreSQL to cancel the running statement of a connection, through a separate connection (a
 * CancelRequest). The outcome of the statement then shows whether the request came in time.
 * @returns when the request was received or could not be sent
 */
export async function cancelStatement(client: ServiceClient): Promise<void> {
  const { processID, secretKey, ssl, host, port } = client as unknown as {
    processID: number | null;
    secretKey: number | null;
    ssl: pg.ClientConfig['ssl'];
    host: string;
    port: number;
  };
  const socket = new Socket();
  const connection = new pg.Connection({ stream: socket, ssl } as never) as CancelConnection;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => socket.destroy(), CANCEL_MS);
  const send = () => connection.cancel(processID, secretKey);
  connection.on('connect', () => (ssl ? connection.requestSsl() : send()));
  connection.on('sslconnect', send);
  // The statement's own limits hold where the request could not be made.
  connection.on('error', () => socket.destroy());
  connection.on('end', resolve);
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
  await promise;
  clearTimeout(timer);
}
