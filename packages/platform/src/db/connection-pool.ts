/**
 * The connections of a node, lent out in fair order ({@link FairQueue}). A lease cancels its
 * statement when the request that it serves has no time left or was abandoned by the client; a
 * connection that was silent through an outage is destroyed.
 */
import pg from 'pg';
import { mainThread } from '../main-thread.ts';
import { FairQueue, type Requester } from './fair-queue.ts';
import { DatabaseUnavailable, isConnectionFailure, StatementCancelled, type StatementOutdated } from './pg-errors.ts';
import { cancelStatement, ServiceClient } from './service-client.ts';

/** Caller that statements run for. */
export interface Caller {
  /** Connections are shared by tenant, then by user. */
  readonly userId?: number;
  /** Aborted when the answer is not wanted any more: its reason is a {@link CallerGone} or the error to throw. */
  readonly signal?: AbortSignal;
  /** Where the work comes from; code that records it reads this. */
  readonly origin?: Origin;
}

/** Where work comes from. */
export interface Origin {
  /** The operation of the interface. */
  readonly operation?: string;
  /** Address of the client. */
  readonly address?: string;
  readonly requestId?: string;
  /** Account on the host that runs an operator command. */
  readonly operator?: string;
}

/** Why a signal of a {@link Caller} was aborted when its client went away. */
export class CallerGone extends Error {
  override name = 'CallerGone';
  constructor() {
    super('the client went away');
  }
}

interface ConnectionPoolOptions {
  /** How to connect, with all settings. */
  settings: pg.ClientConfig;
  max: number;
  /** Number of uses after which a connection is replaced. */
  maxUses?: number;
  onError?: ((error: Error) => void) | undefined;
}

/** How long a request waits for a connection. Milliseconds. */
const PATIENCE_MS = 20_000;
/** How long a cancelled statement may take to end before its connection is destroyed. Milliseconds. */
const GRACE_MS = 2_000;
/** Number of uses after which a connection is replaced: PostgreSQL's process for it grows with use and frees only a part of that. */
const MAX_USES = 20_000;

/** Figures of a node's connections. */
export interface PoolStats {
  readonly total: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
  /** Statements cancelled since the start. */
  readonly cancelled: number;
  /** Connections made since the start. */
  readonly made: number;
}

export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #queue: FairQueue;
  readonly #maxUses: number;
  /** For which tenant each connection is lent. */
  readonly #leased = new Map<ServiceClient, number | undefined>();
  #refused: ReadonlySet<number> = new Set();
  /**
   * Generation in which each connection began: connections of an earlier generation are not lent
   * again.
   */
  readonly #generations = new WeakMap<ServiceClient, number>();
  #generation = 0;
  #cancelled = 0;
  #made = 0;
  #losses = 0;

  constructor({ settings, max, maxUses = MAX_USES, onError }: ConnectionPoolOptions) {
    this.#queue = new FairQueue(max, undefined, (tenant) => mainThread.isBusyWith(tenant));
    this.#maxUses = maxUses;
    const begun = (client: ServiceClient) => {
      this.#made++;
      this.#generations.set(client, this.#generation);
    };
    this.#pool = new pg.Pool({
      max,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: settings.connectionTimeoutMillis,
      Client: class extends ServiceClient {
        constructor() {
          super(settings);
          begun(this);
        }
      },
    });
    this.#pool.on('connect', (client) => (client as unknown as ServiceClient).countReading());
    this.#pool.on('error', (error) => {
      this.#losses++;
      onError?.(error);
    });
  }

  /** Rises whenever a connection breaks or all are replaced: another server may have taken over since. */
  get losses(): number {
    return this.#losses;
  }

  get stats(): PoolStats {
    return {
      total: this.#pool.totalCount,
      idle: this.#pool.idleCount,
      waiting: this.#queue.waiting,
      cancelled: this.#cancelled,
      made: this.#made,
    };
  }

  /** How many connections a tenant holds. */
  heldBy(tenantId: number): number {
    return this.#queue.heldBy(tenantId);
  }

  /**
   * Acquires a connection; the caller releases the lease.
   * @throws DatabaseUnavailable when none came free or could be made, or the caller's signal was aborted
   */
  async acquire(requester: Requester, signal?: AbortSignal): Promise<Lease> {
    if (signal?.aborted) throw unavailableBy(signal);
    this.#requireServed(requester);
    await this.#acquireSlot(requester, signal);
    const connecting = this.#connect();
    try {
      const client = await unlessAborted(connecting, signal);
      // It may have been refused while it waited.
      this.#requireServed(requester);
      this.#leased.set(client, requester.tenant);
      client.requester = requester;
      return new Lease(client, signal, {
        cancelled: () => this.#cancelled++,
        release: (broken) => {
          this.#leased.delete(client);
          client.uses++;
          if (broken) this.#losses++;
          const kept =
            !broken &&
            !client.spent &&
            client.uses < this.#maxUses &&
            this.#generations.get(client) === this.#generation;
          if (kept) client.trim();
          (client as unknown as pg.PoolClient).release(!kept);
          this.#queue.release(requester);
        },
      });
    } catch (error) {
      // A connection that is still being made keeps its place until it is there.
      const done = () => this.#queue.release(requester);
      connecting
        .then(
          (late) => (late as unknown as pg.PoolClient).release(),
          () => undefined,
        )
        .finally(done);
      throw error instanceof DatabaseUnavailable
        ? error
        : new DatabaseUnavailable('no connection could be made', error);
    }
  }

  /** Closes connections made before now instead of reusing them. */
  retire(): void {
    this.#generation++;
    this.#losses++;
  }

  /**
   * Retires all connections made before now because one of them met a failure, unless that was done
   * already.
   */
  retireWith(client: ServiceClient): void {
    if (this.#generations.get(client) === this.#generation) this.retire();
  }

  /**
   * Sets the tenants that cannot be served, because the server that holds them does not answer:
   * their statements end, and they get no connection, which leaves more to the others.
   */
  refuse(tenants: ReadonlySet<number>): void {
    for (const [client, tenant] of this.#leased)
      if (tenant !== undefined && tenants.has(tenant) && !this.#refused.has(tenant)) client.socket.destroy();
    this.#refused = tenants;
  }

  #requireServed({ tenant }: Requester): void {
    if (tenant !== undefined && this.#refused.has(tenant))
      throw new DatabaseUnavailable('the database server that holds the tenant does not answer');
  }

  /**
   * Returns the bytes that each connection has received, to tell later which connections were
   * silent since.
   */
  received(): ReadonlyMap<ServiceClient, number> {
    return new Map([...this.#leased.keys()].map((client) => [client, client.socket.bytesRead]));
  }

  /** Destroys connections that are lent and have received nothing since; none that was made before now is lent again. */
  dropSilent(since: ReadonlyMap<ServiceClient, number>): void {
    this.retire();
    for (const client of this.#leased.keys()) {
      if (client.socket.bytesRead === since.get(client)) client.socket.destroy();
    }
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  async #connect(): Promise<ServiceClient> {
    for (;;) {
      const client = (await this.#pool.connect()) as unknown as ServiceClient;
      if (this.#generations.get(client) === this.#generation) return client;
      client.socket.destroy();
      (client as unknown as pg.PoolClient).release(true);
    }
  }

  /** Waits for a slot in the queue. */
  async #acquireSlot(requester: Requester, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let granted = false;
    const giveUp = this.#queue.acquire(requester, () => {
      granted = true;
      resolve();
    });
    if (granted) return;
    const timer = setTimeout(() => {
      if (giveUp()) reject(new DatabaseUnavailable(`no connection came free within ${PATIENCE_MS / 1_000} s`));
    }, PATIENCE_MS);
    const onAbort = () => {
      if (giveUp()) reject(unavailableBy(signal as AbortSignal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

/** A connection in use by one caller. */
export class Lease {
  readonly client: ServiceClient;
  /** Set when the schema changed under a statement of the transaction: it cannot commit. */
  outdated: StatementOutdated | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #end: { cancelled: () => void; release: (broken: boolean) => void };
  readonly #onAbort = () => this.#giveUp();
  #running = 0;
  #statement = '';
  #committing = false;
  /** True when a statement was running as it was given up: the connection is not lent again. */
  #cut = false;
  #failure: DatabaseUnavailable | undefined;
  #cancelling: Promise<void> | undefined;
  #grace: NodeJS.Timeout | undefined;

  constructor(
    client: ServiceClient,
    signal: AbortSignal | undefined,
    end: { cancelled: () => void; release: (broken: boolean) => void },
  ) {
    this.client = client;
    this.#signal = signal;
    this.#end = end;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted) this.#giveUp();
  }

  /** True when it was given up: nothing runs on it any more. */
  get ended(): boolean {
    return this.#failure !== undefined;
  }

  /** Runs a statement. @throws StatementCancelled when PostgreSQL ended it for its time, or the caller does not wait any more */
  async query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#failure) throw this.#failure;
    this.#running++;
    this.#statement = statement.text;
    try {
      return await this.client.query(statement);
    } catch (error) {
      if (this.#failure) throw this.#failure;
      if ((error as { code?: unknown }).code === QUERY_CANCELED) {
        this.#end.cancelled();
        throw new StatementCancelled(statement.text, error);
      }
      throw error;
    } finally {
      this.#running--;
    }
  }

  /**
   * Commits. A COMMIT is never cancelled: PostgreSQL would keep changes that it may not have sent
   * to its standbys. A COMMIT that takes too long loses its connection, and its outcome is unknown.
   * The outcome is also unknown when somebody else cancels it: PostgreSQL then reports success with
   * a warning.
   */
  async commit(): Promise<void> {
    this.#committing = true;
    try {
      this.client.warning = undefined;
      await this.query({ text: 'COMMIT' });
      if (this.client.warning !== undefined) {
        this.#failure = new DatabaseUnavailable(`COMMIT may be lost in a failover: ${this.client.warning}`);
        throw this.#failure;
      }
    } catch (error) {
      if (isConnectionFailure(error)) this.#failure = unknownOutcome(error);
      throw this.#failure ?? error;
    } finally {
      this.#committing = false;
    }
  }

  /** Gives the connection back. @param broken true closes it */
  async release(broken: boolean): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    clearTimeout(this.#grace);
    // A request to cancel that is still on its way must not cancel the next statement of this connection.
    await this.#cancelling;
    this.#end.release(broken || this.#cut);
  }

  #giveUp(): void {
    const signal = this.#signal as AbortSignal;
    if (this.#committing && signal.reason instanceof CallerGone) return;
    this.#failure = unavailableBy(signal);
    if (this.#running === 0) return;
    this.#cut = true;
    this.#grace = setTimeout(() => this.client.socket.destroy(), GRACE_MS);
    if (this.#committing) {
      this.#failure = new DatabaseUnavailable(
        'COMMIT was not answered: whether it took effect is not known',
        signal.reason,
      );
      return;
    }
    this.#failure = new StatementCancelled(this.#statement, signal.reason);
    this.#end.cancelled();
    this.#cancelling = cancelStatement(this.client);
  }
}

const QUERY_CANCELED = '57014';

function unknownOutcome(cause: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable('COMMIT was not answered: whether it took effect is not known', cause);
}

function unavailableBy({ reason }: AbortSignal): DatabaseUnavailable {
  return reason instanceof DatabaseUnavailable
    ? reason
    : new DatabaseUnavailable(String(reason?.message ?? reason), reason);
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(unavailableBy(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
