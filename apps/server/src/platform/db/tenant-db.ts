/**
 * The database as the code of one tenant sees it. Repositories take a {@link TenantDb} (or, inside a write, the
 * {@link TenantTx} of the running transaction); only {@link TenantDatabases} makes one, so no code can hold a handle
 * that is not bound to a tenant. Row security isolates; every statement also states `tenant_id = …` itself.
 */

import type { Caller } from './connection-pool.ts';
import { IdReserve, type TakenIds } from './id-reserve.ts';
import type { ScopedConnection, ScopedPool, StatementOptions } from './scoped-pool.ts';

export type { Origin } from './connection-pool.ts';
export type { Caller };

/** Runs SQL for one tenant, in reads and writes. */
export interface TenantExecutor {
  readonly tenantId: number;
  /** Runs one statement. @returns its rows; times are epoch milliseconds, int8 numbers. */
  query<R>(text: string, values?: readonly unknown[], options?: StatementOptions): Promise<R[]>;
  /** Runs one statement whose affected rows matter. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
  /**
   * Runs statements that do not need one another's rows on one connection: statements that `work`
   * issues before it awaits are sent at once and cost one round trip (the protocol's pipelining).
   * Each is independent, a failed one stops no other; within a transaction, all statements after a
   * failure fail too.
   */
  pipeline<T>(work: (db: TenantExecutor) => Promise<T>): Promise<T>;
}

export interface TenantDb extends TenantExecutor {
  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. Not retried. */
  transaction<T>(work: (tx: TenantTx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Caller that statements run for. */
  readonly caller: Caller;
  /**
   * Returns the same database for one caller: the caller's statements take turns with statements of
   * other callers, and end when the caller goes away.
   */
  boundTo(caller: Caller): TenantDb;
  /** The same database for work that others share or that outlives the request: it ends with no caller. */
  readonly detached: TenantDb;
}

interface TransactionOptions {
  /** `repeatable read` is for reading all from one snapshot. */
  isolation?: 'read committed' | 'repeatable read';
  /** Runs everything and rolls back at the end (dry run). */
  rollback?: boolean;
}

/** The handle inside a transaction. It cannot begin another one. */
export interface TenantTx extends TenantExecutor {
  readonly inTransaction: true;
  /** Caller that statements run for. */
  readonly caller: Caller;
  /**
   * Says which objects the next statements change or remove, themselves or in rows that belong to them. Needed for tables whose
   * changes the audit log records, which reads the objects first; for others {@link noteWritten} does.
   * @param table of the objects
   */
  willWrite(table: string, ids: readonly number[]): Promise<void>;
  /**
   * Records the objects that a statement created, changed or removed, themselves or in rows that
   * belong to them. A dry run reads these to report the changes. For tables whose changes the audit
   * log records: the created objects.
   * @param table of the objects
   */
  noteWritten(table: string, ids: readonly number[]): void;
  /** Ids of a table that this process took ahead, and of others, see {@link IdReserve.take}. */
  takeReservedIds<T extends string = never>(
    table: string,
    count: number,
    others?: Readonly<Record<T, number>>,
  ): Promise<TakenIds<T>>;
}

/** Observes the writes of one transaction. */
interface WriteObserver extends Pick<TenantTx, 'willWrite' | 'noteWritten'> {
  /** Called once the work is done, before the commit; never where everything is rolled back. */
  beforeCommit(): Promise<void>;
}

/** Makes the observer of a transaction. */
export type ObserveWrites = (tx: TenantExecutor, caller: Caller) => WriteObserver;

const UNOBSERVED: WriteObserver = {
  willWrite: async () => undefined,
  noteWritten: () => undefined,
  beforeCommit: async () => undefined,
};

/** Makes the handles: one per tenant, kept. */
export class TenantDatabases {
  readonly #pool: ScopedPool;
  readonly #observe: ObserveWrites;
  readonly #wrote: (tenantId: number) => void;
  readonly #handles = new Map<number, TenantDb>();
  readonly #reserve: IdReserve;

  /**
   * @param observe observes the writes of transactions; optional
   * @param wrote called with a tenant before and after a possible write to it
   */
  constructor(
    pool: ScopedPool,
    observe: ObserveWrites = () => UNOBSERVED,
    wrote: (tenantId: number) => void = () => undefined,
  ) {
    this.#pool = pool;
    this.#observe = observe;
    this.#wrote = wrote;
    this.#reserve = new IdReserve(() => pool.connections.losses);
  }

  /** The handle of one tenant. */
  for(tenantId: number): TenantDb {
    let handle = this.#handles.get(tenantId);
    if (!handle) {
      handle = this.#create(tenantId);
      this.#handles.set(tenantId, handle);
    }
    return handle;
  }

  #create(tenantId: number): TenantDb {
    const detached = this.#bound(tenantId, {}, () => detached);
    return detached;
  }

  #bound(tenantId: number, caller: Caller, detached: () => TenantDb): TenantDb {
    const pool = this.#pool;
    return {
      tenantId,
      caller,
      query: <R>(text: string, values: readonly unknown[] = [], options?: StatementOptions) =>
        pool.withConnection(tenantId, caller, (connection) => connection.query<R>(text, values, options)),
      execute: (text: string, values: readonly unknown[] = []) =>
        this.#noted(tenantId, () =>
          pool.withConnection(tenantId, caller, async (connection) => (await connection.execute(text, values)).count),
        ),
      pipeline: (work) => pool.withConnection(tenantId, caller, (connection) => answered(tenantId, connection, work)),
      transaction: (work, options = {}) =>
        options.isolation === 'repeatable read' || options.rollback
          ? this.#transaction(tenantId, caller, work, options)
          : this.#noted(tenantId, () => this.#transaction(tenantId, caller, work, options)),
      boundTo: (other) => this.#bound(tenantId, other, detached),
      get detached() {
        return detached();
      },
    };
  }

  #transaction<T>(
    tenantId: number,
    caller: Caller,
    work: (tx: TenantTx) => Promise<T>,
    { isolation = 'read committed', rollback = false }: TransactionOptions,
  ): Promise<T> {
    return this.#pool.withTransaction(
      tenantId,
      caller,
      async (connection) => {
        const executor = executorOver(tenantId, connection);
        const observer = rollback ? UNOBSERVED : this.#observe(executor, caller);
        const result = await work(txOver(executor, caller, observer, this.#reserve));
        await observer.beforeCommit();
        return result;
      },
      { isolation, beforeCommit: () => !rollback },
    );
  }

  async #noted<T>(tenantId: number, work: () => Promise<T>): Promise<T> {
    this.#wrote(tenantId);
    try {
      return await work();
    } finally {
      this.#wrote(tenantId);
    }
  }
}

function executorOver(tenantId: number, connection: ScopedConnection): TenantExecutor {
  const executor: TenantExecutor = {
    tenantId,
    query: (text, values = [], options) => connection.query(text, values, options),
    execute: async (text, values = []) => (await connection.execute(text, values)).count,
    pipeline: (work) => work(executor),
  };
  return executor;
}

function txOver(executor: TenantExecutor, caller: Caller, observer: WriteObserver, reserve: IdReserve): TenantTx {
  return {
    ...executor,
    inTransaction: true,
    caller,
    willWrite: observer.willWrite,
    noteWritten: observer.noteWritten,
    takeReservedIds: <T extends string>(table: string, count: number, others = {} as Readonly<Record<T, number>>) =>
      reserve.take(executor, table, count, others),
  };
}

/** Ends only when all that was sent was answered: the connection goes back to the pool with nothing under way. */
async function answered<T>(
  tenantId: number,
  connection: ScopedConnection,
  work: (db: TenantExecutor) => Promise<T>,
): Promise<T> {
  const sent: Promise<unknown>[] = [];
  const noted = <R>(asked: Promise<R>): Promise<R> => {
    sent.push(asked);
    return asked;
  };
  const noting: ScopedConnection = {
    ...connection,
    query: (text, values, options) => noted(connection.query(text, values, options)),
    execute: (text, values) => noted(connection.execute(text, values)),
  };
  try {
    return await work(executorOver(tenantId, noting));
  } finally {
    await Promise.allSettled(sent);
  }
}
