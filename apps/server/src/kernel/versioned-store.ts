/**
 * Cache of objects that administrators define (communities, catalogs), valid for one definitions version of the tenant. Safe on every node: the version is read with each request's first statement, and a write locks it.
 */

import type { TenantDb, TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { LRUCache } from 'lru-cache';
import type { TenantScope } from './scope.ts';
import { isAtLeast, versionSql } from './tenant-versions.ts';
import type { WriteScope } from './write-transaction.ts';

/** The reader: a request, or a write with its transaction. */
type VersionedReader = TenantScope | WriteScope;

/** Reads some objects as the executor sees them; ids that do not exist are missing from the map. */
type Loader<V> = (db: TenantExecutor, ids: readonly number[]) => Promise<Map<number, V>>;

interface Kept<V> {
  readonly version: number;
  readonly value: V;
}

export class VersionedStore<V> {
  readonly #load: Loader<V>;
  readonly #kept: LRUCache<string, Kept<V>>;
  /** Pending loads, so that concurrent requests after a change read the database once. */
  readonly #loading = new Map<string, Promise<Map<number, V>>>();
  /**
   * Values that joined transactions have loaded, by the subtransaction that wrote the version they
   * see.
   */
  readonly #keptByTransaction = new WeakMap<TenantTx, Map<string, V>>();
  /** Numbers of the databases read: one process may serve several, each with a tenant 1 and versions of its own. */
  readonly #numbers = new WeakMap<TenantDb, number>();
  #lastNumber = 0;

  /** @param limit objects kept at most, over all tenants; the ones unused for longest go first */
  constructor(load: Loader<V>, limit: number) {
    this.#load = load;
    this.#kept = new LRUCache({ max: limit });
  }

  /**
   * Objects by id, of the version the work began with or a later one; unknown ids are missing from
   * the map. Inside a write they stay true until it commits; a write that itself raises the version
   * gets its present objects, or the objects from its beginning: it must load its own changes
   * itself.
   */
  async get(reader: VersionedReader, ids: readonly number[]): Promise<Map<number, V>> {
    const found = new Map<number, V>();
    const missing: number[] = [];
    for (const id of new Set(ids)) {
      const entry = this.#recall(reader, id);
      if (entry) found.set(id, entry.value);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    const loaded = 'tx' in reader ? await this.#loadInWrite(reader, missing) : await this.#loadOnce(reader, missing);
    for (const [id, value] of loaded) found.set(id, value);
    return found;
  }

  /** Returns the number that identifies the tenant in keys. */
  #numberOf(reader: VersionedReader): number {
    const { detached } = 'tx' in reader ? reader.tx : reader.db;
    let number = this.#numbers.get(detached);
    if (number === undefined) {
      number = ++this.#lastNumber;
      this.#numbers.set(detached, number);
    }
    return number;
  }

  #recall(reader: VersionedReader, id: number): Kept<V> | undefined {
    const key = `${this.#numberOf(reader)}:${id}`;
    const entry = this.#kept.get(key);
    return entry && isAtLeast(entry.version, reader.definitionsVersion) ? entry : undefined;
  }

  #keep(reader: VersionedReader, version: number, values: ReadonlyMap<number, V>): void {
    for (const [id, value] of values) {
      const key = `${this.#numberOf(reader)}:${id}`;
      const known = this.#kept.peek(key);
      if (!known || !isAtLeast(known.version, version)) this.#kept.set(key, { version, value });
    }
  }

  /** Joins a load of the same objects for the same version (or a later one), when there is one. */
  async #loadOnce(reader: TenantScope, ids: readonly number[]): Promise<Map<number, V>> {
    const key = `${this.#numberOf(reader)}:${reader.definitionsVersion}:${ids.toSorted((a, b) => a - b).join()}`;
    const running = this.#loading.get(key);
    if (running) return running;
    const load = this.#loadAndKeep(reader, ids).finally(() => this.#loading.delete(key));
    this.#loading.set(key, load);
    return load;
  }

  /** Outside a write: version and objects from one snapshot, so that no half-made change is ever seen or kept. */
  async #loadAndKeep(reader: TenantScope, ids: readonly number[]): Promise<Map<number, V>> {
    // Other requests may wait for this load: it does not end with the request that started it.
    const { version, values } = await reader.db.detached.transaction(
      async (tx) => ({ version: (await readVersion(tx)).version, values: await this.#load(tx, ids) }),
      { isolation: 'repeatable read' },
    );
    this.#keep(reader, version, values);
    return values;
  }

  /**
   * Loads values inside a write. No other transaction can raise the version, but the transaction
   * itself may have raised it: values that it alone sees must not reach the shared cache. A version
   * can come twice in one transaction (after a savepoint is rolled back, another verb raises it
   * again); the id of the subtransaction that wrote the version row cannot.
   */
  async #loadInWrite(reader: WriteScope, ids: readonly number[]): Promise<Map<number, V>> {
    const { tx } = reader;
    const { version, writtenBy } = await readVersion(tx);
    if (version !== reader.definitionsVersion) return this.#load(tx, ids);
    if (!reader.joined && !('db' in reader)) {
      const values = await this.#load(tx, ids);
      this.#keep(reader, version, values);
      return values;
    }
    let own = this.#keptByTransaction.get(tx);
    if (!own) {
      own = new Map();
      this.#keptByTransaction.set(tx, own);
    }
    const found = new Map<number, V>();
    const missing: number[] = [];
    for (const id of ids) {
      const key = `${writtenBy}:${id}`;
      if (own.has(key)) found.set(id, own.get(key) as V);
      else missing.push(id);
    }
    for (const [id, value] of await this.#load(tx, missing)) {
      own.set(`${writtenBy}:${id}`, value);
      found.set(id, value);
    }
    return found;
  }
}

async function readVersion(tx: TenantTx): Promise<{ version: number; writtenBy: string }> {
  const rows = await tx.query<{ version: number; writtenBy: string }>(
    `SELECT ${versionSql('definitions_version')} AS version, v.xmin::text AS "writtenBy" FROM tenant_versions v WHERE v.tenant_id = $1`,
    [tx.tenantId],
  );
  return rows[0]!;
}
