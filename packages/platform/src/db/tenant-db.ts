/**
 * The database as the code of one tenant sees it. Repositories take a {@link TenantDb} (or, inside a write, the
 * {@link TenantTx} of the running transaction); only {@link TenantDatabases} makes one, so no code can hold a handle
 * that is not bound to a tenant. Row security isolates; every statement also states `tenant_id = …` itself.
 */

import type { Caller } from './connection-pool.ts';
import { IdReserve, type TakenIds } from './id-reserve.ts';
import type {
  CheckCount,
  ScopedConnection,
  ScopedPool,
  StatementOptions,
  TransactionConnection,
} from './scoped-pool.ts';

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
  /** Whether statements run inside a transaction that is under way: the handle is a {@link TenantTx}. */
  readonly inTransaction: boolean;
  /**
   * Runs `work` in one transaction: committed when it returns, rolled back when it throws. Not retried. Inside a transaction
   * it is a part of that one: when it throws, the part alone is rolled back.
   */
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
  /** As {@link ScopedPool.apart}: a transaction of its own, also within a transaction. */
  apart<R>(text: string, values: readonly unknown[]): Promise<R[] | undefined>;
}

interface TransactionOptions {
  /** `repeatable read` is for reading all from one snapshot. */
  isolation?: 'read committed' | 'repeatable read';
  /** Runs everything and rolls back at the end (dry run). */
  rollback?: boolean;
}

/** The handle inside a transaction. */
export interface TenantTx extends TenantDb {
  readonly inTransaction: true;
  /** Whether everything is rolled back in the end (dry run). */
  readonly undone: boolean;
  /**
   * Sends a statement whose result the write does not need, without waiting for it: statements sent one after the other,
   * and the next one that is waited for, cost one round trip. They run in the order in which they are sent. When one
   * fails, the next statement that is waited for throws its error, at the latest the commit.
   * @param check checks the number of affected rows before the commit
   */
  send(text: string, values?: readonly unknown[], check?: CheckCount): Promise<void>;
  /** As {@link change}, sent as {@link send} does. */
  sendChange(
    table: string,
    ids: readonly number[],
    text: string,
    values?: readonly unknown[],
    check?: CheckCount,
  ): Promise<void>;
  /**
   * Runs a statement that changes or deletes objects, or rows that belong to them.
   * @param table of the objects
   * @returns the number of affected rows
   */
  change(table: string, ids: readonly number[], text: string, values?: readonly unknown[]): Promise<number>;
  /**
   * Begins a change ahead of its statements: for a write that needs the objects locked before it decides, or whose statements
   * do not know them.
   */
  beginChange(table: string, ids: readonly number[]): Promise<void>;
  /**
   * As {@link change}, for a statement with RETURNING.
   * @param ids of the objects, or a function that returns the id of a returned row's object; tables whose changes the audit
   *   log records need the ids
   * @returns the rows
   */
  changeRows<R>(
    table: string,
    ids: readonly number[] | ((row: R) => number),
    text: string,
    values?: readonly unknown[],
  ): Promise<R[]>;
  /** Runs a statement that creates objects, and returns their ids among other columns. @returns its rows */
  create<R extends { id: number }>(table: string, text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Runs a statement that creates objects whose ids are known. @returns the number of affected rows */
  createAs(table: string, ids: readonly number[], text: string, values?: readonly unknown[]): Promise<number>;
  /** Returns the same transaction with another ledger. */
  recordedIn(ledger: Recorder): TenantTx;
  /** Ids of a table that this process took ahead, and of others, see {@link IdReserve.take}. */
  takeReservedIds<T extends string = never>(
    table: string,
    count: number,
    others?: Readonly<Record<T, number>>,
  ): Promise<TakenIds<T>>;
}

/** Gets the objects that the statements of a transaction change. */
export interface Recorder {
  /** Called before a statement that changes or deletes objects, or rows that belong to them. */
  changing(table: string, ids: readonly number[]): Promise<void>;
  /** Called after a statement that returned which objects it changed. */
  changed(table: string, ids: readonly number[]): void;
  /** Called after a statement that created objects. */
  created(table: string, ids: readonly number[]): void;
}

/** Records what a transaction did. */
interface Ledger extends Recorder {
  /** Called once the work is done, before the commit; never where everything is rolled back. */
  beforeCommit(): Promise<void>;
}

/** Opens the ledger of a transaction. */
export type OpenLedger = (tx: TenantExecutor, caller: Caller) => Ledger;

const UNRECORDED: Ledger = {
  changing: async () => undefined,
  changed: () => undefined,
  created: () => undefined,
  beforeCommit: async () => undefined,
};

/** Makes the handles: one per tenant, kept. */
export class TenantDatabases {
  readonly #pool: ScopedPool;
  readonly #openLedger: OpenLedger;
  readonly #wrote: (tenantId: number) => void;
  readonly #handles = new Map<number, TenantDb>();
  /** By tenant: a tenant that comes from another installation may have ids that were taken here for others. */
  readonly #reserves = new Map<number, IdReserve>();

  /**
   * @param openLedger opens the ledger of a transaction; optional
   * @param wrote called with a tenant before and after a possible write to it
   */
  constructor(
    pool: ScopedPool,
    openLedger: OpenLedger = () => UNRECORDED,
    wrote: (tenantId: number) => void = () => undefined,
  ) {
    this.#pool = pool;
    this.#openLedger = openLedger;
    this.#wrote = wrote;
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
      inTransaction: false,
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
      apart: (text, values) => pool.apart(tenantId, text, values),
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
        const ledger = rollback ? UNRECORDED : this.#openLedger(executor, caller);
        const parts = {
          executor,
          connection,
          caller,
          ledger,
          undone: rollback,
          reserve: this.#reserveOf(tenantId),
          detached: () => this.for(tenantId),
        };
        const result = await work(txOver(parts));
        await ledger.beforeCommit();
        return result;
      },
      { isolation, beforeCommit: () => !rollback },
    );
  }

  #reserveOf(tenantId: number): IdReserve {
    let reserve = this.#reserves.get(tenantId);
    if (!reserve) {
      reserve = new IdReserve(() => this.#pool.connections.losses);
      this.#reserves.set(tenantId, reserve);
    }
    return reserve;
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

/** Parts of the handle inside a transaction. */
interface TxParts {
  readonly executor: TenantExecutor;
  readonly connection: TransactionConnection;
  readonly caller: Caller;
  readonly ledger: Recorder;
  readonly undone: boolean;
  readonly reserve: IdReserve;
  /** The tenant's database outside the transaction. */
  readonly detached: () => TenantDb;
}

function txOver(parts: TxParts): TenantTx {
  const { executor, connection, caller, ledger, undone, reserve, detached } = parts;
  const tx: TenantTx = {
    ...executor,
    inTransaction: true,
    undone,
    caller,
    beginChange: (table, ids) => ledger.changing(table, ids),
    send: (text, values = [], check) => connection.send(text, values, check),
    sendChange: async (table, ids, text, values = [], check) => {
      await ledger.changing(table, ids);
      await connection.send(text, values, check);
    },
    change: async (table, ids, text, values) => {
      await ledger.changing(table, ids);
      return executor.execute(text, values);
    },
    changeRows: async <R>(
      table: string,
      ids: readonly number[] | ((row: R) => number),
      text: string,
      values?: readonly unknown[],
    ) => {
      if (typeof ids !== 'function') await ledger.changing(table, ids);
      const rows = await executor.query<R>(text, values);
      if (typeof ids === 'function') ledger.changed(table, rows.map(ids));
      return rows;
    },
    create: async <R extends { id: number }>(table: string, text: string, values?: readonly unknown[]) => {
      const rows = await executor.query<R>(text, values);
      ledger.created(
        table,
        rows.map(({ id }) => id),
      );
      return rows;
    },
    createAs: async (table, ids, text, values) => {
      const count = await executor.execute(text, values);
      ledger.created(table, ids);
      return count;
    },
    takeReservedIds: <T extends string>(table: string, count: number, others = {} as Readonly<Record<T, number>>) =>
      reserve.take(executor, table, count, others),
    apart: (text, values) => detached().apart(text, values),
    transaction: (work, options = {}) =>
      partOfTransaction(
        options.rollback && !undone ? txOver({ ...parts, undone: true }) : tx,
        connection,
        work,
        options,
      ),
    boundTo: (other) => txOver({ ...parts, caller: other }),
    recordedIn: (other) => txOver({ ...parts, ledger: other }),
    get detached() {
      return detached();
    },
  };
  return tx;
}

async function partOfTransaction<T>(
  tx: TenantTx,
  connection: TransactionConnection,
  work: (tx: TenantTx) => Promise<T>,
  { isolation, rollback = false }: TransactionOptions,
): Promise<T> {
  if (isolation) throw new Error('A part of a transaction has the isolation of the whole.');
  // Earlier statements belong to the part around this one.
  await connection.settle();
  await tx.query('SAVEPOINT part');
  let kept = false;
  try {
    const result = await work(tx);
    await connection.settle();
    kept = !rollback;
    return result;
  } finally {
    if (!kept) {
      await connection.abandon();
      await tx.query('ROLLBACK TO SAVEPOINT part');
    }
    // It would stay, and the part around this one would go back to it instead of to its own.
    await tx.query('RELEASE SAVEPOINT part');
  }
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
