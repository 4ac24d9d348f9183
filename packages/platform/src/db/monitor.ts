/**
 * Checks the health of the database on a separate connection, because a busy pool says nothing
 * about it. It also maintains the pool's connections: connections that received nothing during an
 * outage are destroyed when it is over, and connections to a server that no longer accepts writes
 * are not used again.
 */
import type pg from 'pg';
import type { ConnectionPool } from './connection-pool.ts';
import { ServiceClient } from './service-client.ts';

interface DatabaseHealth {
  readonly state: 'ok' | 'read-only' | 'unavailable';
  /** The failure, for the log. */
  readonly error?: unknown;
}

/** How long connecting, and a response, may take. Milliseconds. */
const ANSWER_MS = 2_500;
/** Interval between checks while the database is available, and while it is not. Milliseconds. */
const EVERY_MS = 3_000;
const AWAY_EVERY_MS = 1_000;
/** How long the last result is reused. Milliseconds. */
const FRESH_MS = 250;
/**
 * Maximum age, in milliseconds, of the answer whether there is room: if there is, and if there is
 * not.
 */
const ROOM_FRESH_MS = 5_000;
const NO_ROOM_FRESH_MS = 1_000;
/**
 * Writes half a megabyte to a temporary file, which is gone at the end of the statement: the least that tells whether the disk of the
 * database has room, with no row, no right and no log of changes.
 */
const TAKE_ROOM = 'SELECT count(*) FROM generate_series(1, 20000)';
/** A full disk, and the limit of temporary files. */
const NO_ROOM: readonly unknown[] = ['53100', '53400'];

export class DatabaseMonitor {
  readonly #settings: pg.ClientConfig;
  readonly #pool: ConnectionPool;
  #client: ServiceClient | undefined;
  #last: { health: DatabaseHealth; at: number } | undefined;
  #checking: Promise<DatabaseHealth> | undefined;
  #room: { hasRoom: Promise<boolean>; until: number } | undefined;
  /** Bytes that each connection in use had received when the outage was noticed. */
  #silentSince: ReturnType<ConnectionPool['received']> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(connection: pg.ClientConfig, pool: ConnectionPool) {
    this.#settings = { ...connection, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
    this.#pool = pool;
  }

  /** Checks now; concurrent calls share one check. Never throws. */
  async check(): Promise<DatabaseHealth> {
    if (this.#last && performance.now() - this.#last.at < FRESH_MS) return this.#last.health;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /**
   * Whether the disk of the database has room for a write, as far as can be told; a few seconds old at most. Never throws: where the
   * database does not answer, {@link check} says so.
   */
  async hasRoom(): Promise<boolean> {
    if (this.#room && performance.now() < this.#room.until) return this.#room.hasRoom;
    // Callers that ask meanwhile wait for the same answer.
    const room = { hasRoom: this.#askForRoom(), until: Number.POSITIVE_INFINITY };
    this.#room = room;
    const hasRoom = await room.hasRoom;
    room.until = performance.now() + (hasRoom ? ROOM_FRESH_MS : NO_ROOM_FRESH_MS);
    return hasRoom;
  }

  /** Checks repeatedly until it is stopped. */
  start(): void {
    const turn = async () => {
      const { state } = await this.check();
      if (!this.#stopped) this.#timer = setTimeout(turn, state === 'ok' ? EVERY_MS : AWAY_EVERY_MS).unref();
    };
    void turn();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#checking;
    this.#drop();
  }

  async #check(): Promise<DatabaseHealth> {
    const known = this.#client !== undefined;
    let health = await this.#ask();
    // The address may lead to another server by now.
    if (known && health.state !== 'ok') {
      if (health.state === 'read-only') this.#pool.retire();
      health = await this.#ask();
    }
    this.#follow(health);
    this.#last = { health, at: performance.now() };
    return health;
  }

  async #ask(): Promise<DatabaseHealth> {
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query<{ readOnly: boolean }>(
        `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "readOnly"`,
      );
      if (!rows[0]?.readOnly) return { state: 'ok' };
      this.#drop();
      return { state: 'read-only' };
    } catch (error) {
      this.#drop();
      return { state: 'unavailable', error };
    }
  }

  async #askForRoom(): Promise<boolean> {
    const client = this.#client;
    if (!client) return true;
    try {
      await client.query(TAKE_ROOM);
      return true;
    } catch (error) {
      return !NO_ROOM.includes((error as { code?: unknown }).code);
    }
  }

  #follow({ state }: DatabaseHealth): void {
    // Connections to the server that took no writes are left behind.
    if (state === 'ok' && this.#last?.health.state === 'read-only') this.#pool.retire();
    if (state === 'unavailable') this.#silentSince ??= this.#pool.received();
    else if (this.#silentSince) {
      this.#pool.dropSilent(this.#silentSince);
      this.#silentSince = undefined;
    }
  }

  async #connect(): Promise<ServiceClient> {
    const client = new ServiceClient(this.#settings);
    try {
      await client.connect();
      // With little memory, a small result is already written to a file.
      await client.query(`SET work_mem = '64kB'`);
      return client;
    } catch (error) {
      client.socket.destroy();
      throw error;
    }
  }

  /** The next question is asked on a new connection. */
  #drop(): void {
    this.#client?.socket.destroy();
    this.#client = undefined;
  }
}
