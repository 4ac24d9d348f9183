/**
 * The pool of connections of the service's role, and the one place that sets which tenant a connection
 * works for. No code outside this folder uses a connection; code gets a {@link TenantDb} from `tenant-db.ts`.
 *
 * Two modes (docs/adr/0003-tenant-scope.md):
 * - `connection`: a pooled connection remembers its tenant in a session setting; the setting is sent only when it has to
 *   change, outside transactions, and is forgotten after any error (a ROLLBACK restores the *old* setting).
 * - `transaction`: every piece of work is a transaction that begins with `SET LOCAL`; for Citus and for transaction
 *   poolers.
 */
import pg from 'pg';
import { mainThread } from '../main-thread.ts';
import { type Caller, CallerGone, ConnectionPool, type Lease, type PoolStats } from './connection-pool.ts';
import type { Requester } from './fair-queue.ts';
import { isConnectionFailure, isOutdatedPlan, StatementOutdated } from './pg-errors.ts';
import { retrying } from './retrying.ts';
import { transactionOver } from './transaction-connection.ts';
import { parseTimestamp, toParameters } from './values.ts';

export type ScopeMode = 'connection' | 'transaction';

/**
 * Listener for statements.
 * @param milliseconds from sending the statement to its result
 * @param sent true for a statement whose result nobody waited for before the next one was sent
 */
export type OnStatement = (statement: string, milliseconds: number, sent: boolean) => void;

export interface PoolOptions {
  /** Where to connect, as the service's role. */
  connection: pg.ClientConfig;
  mode: ScopeMode;
  /** Largest number of connections. Default 10. */
  max?: number;
  /** Number of uses after which a connection is replaced. */
  maxUses?: number;
  /** How long a statement may take; 0 is no limit. Milliseconds; default {@link STATEMENT_MS}. */
  statementMs?: number;
  /** Called with every statement once it is answered (tests and metrics count them). */
  onStatement?: OnStatement;
  onError?: (error: Error) => void;
}

/** How a statement is to be run. */
export interface StatementOptions {
  /**
   * True has the statement planned each time for its values, instead of once for all: where values decide between
   * milliseconds and a scan (patterns of LIKE), and PostgreSQL cannot know it without them.
   */
  readonly planned?: boolean;
}

/** A connection taken from the pool for one tenant. */
export interface ScopedConnection {
  query<R>(text: string, values: readonly unknown[], options?: StatementOptions): Promise<R[]>;
  /** For a statement whose affected rows count: the rows and the count. */
  execute<R>(text: string, values: readonly unknown[]): Promise<{ rows: R[]; count: number }>;
}

/** A connection within a transaction. */
export interface TransactionConnection extends ScopedConnection {
  /**
   * Sends a statement without waiting for its result: see TenantTx.send.
   * @returns once the statement is sent; later where many results are outstanding
   */
  send(text: string, values: readonly unknown[], check?: CheckCount): Promise<void>;
  /** Waits for the results of all sent statements. @throws the error of the first that failed */
  settle(): Promise<void>;
  /** Waits for the same results, and drops their failures: what was sent is rolled back. */
  abandon(): Promise<void>;
}

/** Checks the number of rows that a sent statement affected. @throws to fail the transaction */
export type CheckCount = (count: number) => void;

interface TransactionSettings {
  /** `repeatable read` is for reading all from one snapshot: such a transaction does not count as one that writes. */
  readonly isolation?: 'read committed' | 'repeatable read';
  /** Asked when the work is done: false rolls everything back. */
  readonly beforeCommit?: () => boolean;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    switch (oid) {
      case 20: // int8: identifiers and counts stay below 2^53
        return Number;
      case 1016: // int8[]
        return parseIntegerArray;
      case 1184: // timestamptz → epoch milliseconds
        return parseTimestamp;
      default:
        return pg.types.getTypeParser(oid, 'text');
    }
  }) as pg.CustomTypesConfig['getTypeParser'],
};

function parseIntegerArray(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}

/** How long a statement may take. Milliseconds. */
const STATEMENT_MS = 20_000;
/** How much longer this side waits for the answer before it treats the server as unavailable. Milliseconds. */
const SILENCE_MS = 2_000;
/** How long {@link ScopedPool.apart} waits for a connection, and then for a lock. Milliseconds. */
const APART_MS = 1_000;
/** How long making a connection may take. Milliseconds. */
const CONNECT_MS = 5_000;

/**
 * The settings every connection of the service starts with. Statements are short and many: neither
 * compiling them nor splitting them among workers pays, and the pages that they read are mostly in
 * memory.
 */
function sessionOptions(statementMs: number): string {
  return `-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1 -c statement_timeout=${statementMs} -c idle_in_transaction_session_timeout=60000`;
}

/**
 * Has Citus name the tenant on the nodes that a transaction reaches, and not wait longer for a node than is waited for the
 * coordinator. PostgreSQL alone keeps the settings and does not read them.
 */
const TO_ALL_NODES = `-c citus.propagate_set_commands=local -c citus.node_connection_timeout=${CONNECT_MS}`;

/** Kind of work that a connection is leased for. */
type LeaseKind = Pick<Requester, 'writes' | 'brief'>;

const BRIEF_READ: LeaseKind = { writes: false, brief: true };
const SNAPSHOT: LeaseKind = { writes: false };
const WRITE: LeaseKind = { writes: true };

export class ScopedPool {
  readonly mode: ScopeMode;
  readonly connections: ConnectionPool;
  readonly #onStatement: PoolOptions['onStatement'];
  readonly #max: number;

  constructor(options: PoolOptions) {
    this.mode = options.mode;
    this.#onStatement = options.onStatement;
    const { connection, max = 10, maxUses, statementMs = STATEMENT_MS, onError } = options;
    this.#max = max;
    const settings: pg.ClientConfig & { pipeline: boolean } = {
      // A peer that is gone without a word is found out between statements too.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_MS,
      // Statements are sent without waiting for the answers to those before: see TenantExecutor.pipeline.
      pipeline: true,
      ...connection,
      // After the operator's options: where a setting is given twice, PostgreSQL takes the last value.
      options: [connection.options, sessionOptions(statementMs), options.mode === 'transaction' && TO_ALL_NODES]
        .filter(Boolean)
        .join(' '),
      ...(statementMs > 0 && { query_timeout: statementMs + SILENCE_MS }),
      types,
    };
    this.connections = new ConnectionPool({ settings, max, onError, ...(maxUses !== undefined && { maxUses }) });
  }

  get stats(): PoolStats {
    return this.connections.stats;
  }

  /** Runs `work` on a connection scoped to the tenant, outside a transaction in `connection` mode. */
  async withConnection<T>(
    tenantId: number,
    caller: Caller,
    work: (connection: ScopedConnection) => Promise<T>,
  ): Promise<T> {
    // A statement that was planned before the shards of its tenant were split off fails, and is planned anew.
    if (this.mode === 'transaction') return retrying(() => this.#transaction(tenantId, caller, BRIEF_READ, work));
    const lease = await this.#acquire(tenantId, caller, BRIEF_READ);
    let broken = false;
    try {
      await this.#scopeConnection(lease, tenantId);
      return await work(this.#scoped(lease, true));
    } catch (error) {
      lease.client.tenant = undefined;
      broken = isConnectionFailure(error);
      throw error;
    } finally {
      await lease.release(broken);
    }
  }

  /**
   * Runs `work` in a transaction scoped to the tenant; commits when it returns, rolls back when it throws.
   * @throws StatementOutdated when the schema changed under a prepared statement: the work may be repeated
   */
  async withTransaction<T>(
    tenantId: number,
    caller: Caller,
    work: (connection: TransactionConnection) => Promise<T>,
    settings: TransactionSettings = {},
  ): Promise<T> {
    if (settings.isolation !== 'repeatable read') return this.#transaction(tenantId, caller, WRITE, work, settings);
    // It only reads, so that it can be repeated here.
    return retrying(() => this.#transaction(tenantId, caller, SNAPSHOT, work, settings));
  }

  /**
   * Runs a brief statement in a transaction of its own, while the caller may hold another one open. The commit does not
   * wait for the disk: a transaction that commits later takes it along.
   * @returns its rows; undefined when it could not run soon, because of a lock or for want of a connection: the caller
   *   may hold what it waits for, which PostgreSQL cannot see
   */
  async apart<R>(tenantId: number, text: string, values: readonly unknown[]): Promise<R[] | undefined> {
    if (this.#max === 1) return undefined;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new CallerGone()), APART_MS);
    let lease: Lease;
    try {
      // As the registry, it is served first: what waits for it holds a connection.
      lease = await this.connections.acquire({ writes: false }, patience.signal);
    } catch {
      // The caller goes on in its own transaction, where a lasting failure shows.
      return undefined;
    } finally {
      clearTimeout(timer);
    }
    let broken = false;
    try {
      return await this.#apartOn<R>(lease, tenantId, text, values);
    } catch (error) {
      lease.client.tenant = undefined;
      broken = isConnectionFailure(error);
      return undefined;
    } finally {
      await lease.release(broken);
    }
  }

  /** Sends all at once. Where BEGIN failed, the statement commits by itself. */
  async #apartOn<R>(lease: Lease, tenantId: number, text: string, values: readonly unknown[]): Promise<R[]> {
    const named = this.mode === 'connection';
    if (named) await this.#scopeConnection(lease, tenantId);
    const scope = named ? '' : `; SET LOCAL app.tenant_id = '${Math.trunc(tenantId)}'`;
    const begin = `BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL lock_timeout = ${APART_MS}${scope}`;
    const [, run, commit] = await Promise.allSettled([
      lease.query({ text: begin }),
      this.#scoped(lease, named, { sent: false }).query<R>(text, values),
      lease.query({ text: 'COMMIT' }),
    ]);
    if (run.status === 'rejected') throw run.reason;
    if (commit.status === 'rejected') throw commit.reason;
    return run.value;
  }

  /** Runs one statement that belongs to no tenant (the registry of tenants and their work, without row security). */
  async registry<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const lease = await this.connections.acquire({ writes: false });
    let broken = false;
    try {
      const started = performance.now();
      const result = await lease.query({ text, values: [...values] });
      this.#onStatement?.(text, performance.now() - started, false);
      return result.rows as R[];
    } catch (error) {
      broken = isConnectionFailure(error);
      throw error;
    } finally {
      await lease.release(broken);
    }
  }

  async end(): Promise<void> {
    await this.connections.end();
  }

  #acquire(tenant: number, { userId, signal }: Caller, kind: LeaseKind): Promise<Lease> {
    return this.connections.acquire({ tenant, ...(userId !== undefined && { user: userId }), ...kind }, signal);
  }

  async #transaction<T>(
    tenantId: number,
    caller: Caller,
    kind: LeaseKind,
    work: (connection: TransactionConnection) => Promise<T>,
    { isolation = 'read committed', beforeCommit }: TransactionSettings = {},
  ): Promise<T> {
    const lease = await this.#acquire(tenantId, caller, kind);
    const { client } = lease;
    let broken = false;
    try {
      const named = this.mode === 'connection';
      if (named) await this.#scopeConnection(lease, tenantId);
      const begin = isolation === 'read committed' ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ';
      const scope = named ? '' : `; SET LOCAL app.tenant_id = '${Math.trunc(tenantId)}'`;
      const connection = transactionOver(lease.query({ text: begin + scope }), (sent) =>
        this.#scoped(lease, named, { sent }),
      );
      try {
        const result = await work(connection);
        await connection.settle();
        // The work may have gone on after it, from a savepoint.
        if (lease.outdated) throw lease.outdated;
        if (beforeCommit?.() === false) await lease.query({ text: 'ROLLBACK' });
        else await lease.commit();
        return result;
      } catch (error) {
        // Closing the connection rolls back too.
        broken = lease.ended || isConnectionFailure(error);
        if (!broken) await rollBack(client, error);
        // Statements that follow it fail for another reason: the transaction is aborted.
        throw lease.outdated ?? error;
      }
    } catch (error) {
      client.tenant = undefined;
      broken ||= isConnectionFailure(error);
      throw error;
    } finally {
      await lease.release(broken);
    }
  }

  async #scopeConnection(lease: Lease, tenantId: number): Promise<void> {
    const { client } = lease;
    if (client.tenant === tenantId) return;
    client.tenant = undefined;
    await lease.query({
      name: 'scope',
      text: `SELECT set_config('app.tenant_id', $1, false)`,
      values: [String(tenantId)],
    });
    client.tenant = tenantId;
  }

  /** @param transaction set within a transaction: whether the results are waited for */
  #scoped(lease: Lease, named: boolean, transaction?: { sent: boolean }): ScopedConnection {
    const run = async (text: string, values: readonly unknown[], { planned = false }: StatementOptions = {}) => {
      const started = performance.now();
      const statement = { text, values: toParameters(values) };
      const result =
        named && !planned
          ? await this.#runPrepared(lease, statement, transaction !== undefined)
          : await lease.query(statement);
      this.#onStatement?.(text, performance.now() - started, transaction?.sent ?? false);
      const turn = mainThread.turn(lease.client.requester);
      if (turn) await turn;
      return result;
    };
    return {
      query: async <R>(text: string, values: readonly unknown[], how?: StatementOptions) =>
        (await run(text, values, how)).rows as R[],
      execute: async <R>(text: string, values: readonly unknown[]) => {
        const result = await run(text, values);
        return { rows: result.rows as R[], count: result.rowCount ?? 0 };
      },
    };
  }

  /**
   * Runs a statement under its name on the connection. Where the schema has changed under the name, the statement is
   * prepared anew and repeated; within a transaction, which has failed with it, the caller repeats the whole.
   * @throws StatementOutdated within a transaction
   */
  async #runPrepared(
    lease: Lease,
    statement: { text: string; values: unknown[] },
    inTransaction: boolean,
  ): Promise<pg.QueryResult> {
    const { client } = lease;
    const { text } = statement;
    const known = client.knows(text);
    const name = client.nameOf(text);
    if (name === undefined) return lease.query(statement);
    try {
      return await lease.query({ ...statement, name });
    } catch (error) {
      if (!known || !isOutdatedPlan(error)) throw error;
      // Other statements on it and on the connections of its time may not fit either.
      this.connections.retireWith(client);
      if (inTransaction) {
        lease.outdated ??= new StatementOutdated(error);
        throw lease.outdated;
      }
      client.forget(text, name);
      return this.#runPrepared(lease, statement, inTransaction);
    }
  }
}

/** @throws AggregateError of both failures when the connection does not even roll back */
async function rollBack(client: pg.Client, error: unknown): Promise<void> {
  try {
    await client.query('ROLLBACK');
  } catch (rollbackError) {
    throw new AggregateError([error, rollbackError], 'the transaction failed and could not be rolled back', {
      cause: error,
    });
  }
}
