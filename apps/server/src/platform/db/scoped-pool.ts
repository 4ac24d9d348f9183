/**
 * The pool of connections of the service's role, and the one place that tells PostgreSQL which tenant a connection
 * works for. Nobody outside this folder sees a connection; code gets a {@link TenantDb} from `tenant-db.ts`.
 *
 * Two modes (docs/adr/0003-tenant-scope.md):
 * - `connection`: a pooled connection remembers its tenant in a session setting; the setting is sent only when it has to
 *   change, outside transactions, and is forgotten after any error (a ROLLBACK restores the *old* setting).
 * - `transaction`: every piece of work is a transaction that begins with `SET LOCAL`; for Citus and for transaction
 *   poolers.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { isConnectionFailure } from './pg-errors.ts';
import { parseTimestamp } from './values.ts';

export type ScopeMode = 'connection' | 'transaction';

export interface PoolOptions {
  /** Where to connect, as the service's role. */
  connection: pg.PoolConfig;
  mode: ScopeMode;
  /** Largest number of connections. Default 10. */
  max?: number;
  /** Told of every statement sent (counted by tests and metrics). */
  onStatement?: (statement: string, milliseconds: number) => void;
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

/** A connection taken from the pool for one tenant. `release(true)` destroys it. */
export interface ScopedConnection {
  query<R>(text: string, values: readonly unknown[], options?: StatementOptions): Promise<R[]>;
  /** For a statement whose affected rows count: the rows and the count. */
  execute<R>(text: string, values: readonly unknown[]): Promise<{ rows: R[]; count: number }>;
  release(broken?: boolean): void;
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

/** Statement texts that get a name, at most; a further text is sent unnamed. Names live as long as a connection. */
const MAX_NAMED_STATEMENTS = 2_000;
const names = new Map<string, string>();

/** The name under which a statement is prepared: named statements are parsed once per connection. */
function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < MAX_NAMED_STATEMENTS) {
    name = `p_${createHash('sha1').update(text).digest('base64url')}`;
    names.set(text, name);
  }
  return name;
}

/**
 * The settings every connection of the service starts with. Statements are short and many: neither compiling them nor
 * splitting them among workers pays, and what they read is mostly in memory.
 */
const SESSION_OPTIONS =
  '-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1 -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000';

export class ScopedPool {
  readonly mode: ScopeMode;
  readonly #pool: pg.Pool;
  readonly #tenants = new WeakMap<pg.PoolClient, number>();
  readonly #onStatement: PoolOptions['onStatement'];

  constructor(options: PoolOptions) {
    this.mode = options.mode;
    this.#onStatement = options.onStatement;
    const settings: pg.PoolConfig & { pipeline: boolean } = {
      options: SESSION_OPTIONS,
      max: options.max ?? 10,
      idleTimeoutMillis: 60_000,
      // What is asked before an answer has come is sent at once: see TenantExecutor.pipeline.
      pipeline: true,
      ...options.connection,
      // In place of how long the start waits for a connection: this one counts the wait for a free one, too, and a hundred
      // requests that each take the database a fifth of a second wait for twenty.
      connectionTimeoutMillis: 30_000,
      types,
    };
    this.#pool = new pg.Pool(settings);
    this.#pool.on('error', (error) => options.onError?.(error));
    // A connection that is taken out and breaks between two statements tells nobody but its listeners; without one, Node
    // ends the process. Whoever holds it learns of it from its next statement, and the pool drops it when it comes back.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  get stats(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  /** Runs `work` on a connection scoped to the tenant, outside a transaction in `connection` mode. */
  async withConnection<T>(tenantId: number, work: (connection: ScopedConnection) => Promise<T>): Promise<T> {
    if (this.mode === 'transaction') return this.withTransaction(tenantId, work);
    const client = await this.#pool.connect();
    let failure: unknown;
    try {
      await this.#scopeConnection(client, tenantId);
      return await work(this.#scoped(client, true));
    } catch (error) {
      failure = error;
      this.#tenants.delete(client);
      throw error;
    } finally {
      client.release(isConnectionFailure(failure));
    }
  }

  /** Runs `work` in a transaction scoped to the tenant; commits when it returns, rolls back when it throws. */
  async withTransaction<T>(
    tenantId: number,
    work: (connection: ScopedConnection) => Promise<T>,
    isolation: 'read committed' | 'repeatable read' = 'read committed',
    beforeCommit?: () => boolean,
  ): Promise<T> {
    const client = await this.#pool.connect();
    let broken = false;
    try {
      const named = this.mode === 'connection';
      if (named) await this.#scopeConnection(client, tenantId);
      await client.query(isolation === 'read committed' ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ');
      try {
        if (!named) await client.query(`SET LOCAL app.tenant_id = '${Math.trunc(tenantId)}'`);
        const result = await work(this.#scoped(client, named));
        await client.query(beforeCommit?.() === false ? 'ROLLBACK' : 'COMMIT');
        return result;
      } catch (error) {
        this.#tenants.delete(client);
        try {
          await client.query('ROLLBACK');
        } catch (rollbackError) {
          broken = true;
          throw new AggregateError([error, rollbackError], 'the transaction failed and could not be rolled back', {
            cause: error,
          });
        }
        throw error;
      }
    } catch (error) {
      this.#tenants.delete(client);
      broken ||= isConnectionFailure(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Runs one statement that belongs to no tenant (the registry of tenants, which has no row security). */
  async registry<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const started = performance.now();
    const result = await this.#pool.query({ text, values: [...values] });
    this.#onStatement?.(text, performance.now() - started);
    return result.rows as R[];
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  async #scopeConnection(client: pg.PoolClient, tenantId: number): Promise<void> {
    if (this.#tenants.get(client) === tenantId) return;
    this.#tenants.delete(client);
    await client.query({
      name: 'scope',
      text: `SELECT set_config('app.tenant_id', $1, false)`,
      values: [String(tenantId)],
    });
    this.#tenants.set(client, tenantId);
  }

  #scoped(client: pg.PoolClient, named: boolean): ScopedConnection {
    const run = async (text: string, values: readonly unknown[], { planned = false }: StatementOptions = {}) => {
      const started = performance.now();
      const name = named && !planned ? nameOf(text) : undefined;
      const result = await client.query({ ...(name && { name }), text, values: values as unknown[] });
      this.#onStatement?.(text, performance.now() - started);
      return result;
    };
    return {
      query: async <R>(text: string, values: readonly unknown[], how?: StatementOptions) =>
        (await run(text, values, how)).rows as R[],
      execute: async <R>(text: string, values: readonly unknown[]) => {
        const result = await run(text, values);
        return { rows: result.rows as R[], count: result.rowCount ?? 0 };
      },
      release: (broken) => client.release(broken),
    };
  }
}
