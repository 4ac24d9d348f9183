/** State that the parts of the loader share: the tenant, names, scopes and files. */

import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import { type WriteScope, writeTransaction } from '../kernel/access/index.ts';
import type { Scope, Tenant } from '../kernel/scope.ts';
import { storeFile } from '../modules/files/index.ts';
import { systemScope, type TenantServices } from '../modules/tenants/index.ts';
import { readBytes } from './data.ts';
import { Names } from './names.ts';

/** Address of the administrator, printed by the first start. */
export const DEMO_ADMIN_EMAIL = 'admin@alveria.example';

export class DemoContext {
  readonly services: TenantServices;
  readonly tenant: Tenant;
  readonly names: Names;
  /** Epoch milliseconds of the first start. */
  readonly now: number;
  readonly #systemUserId: number;
  readonly #scopes = new Map<number, Promise<Scope>>();

  constructor(services: TenantServices, tenant: Tenant, systemUserId: number) {
    this.services = services;
    this.tenant = tenant;
    this.now = services.clock.now();
    this.names = new Names(this.now);
    this.#systemUserId = systemUserId;
  }

  get db(): TenantDb {
    return this.services.databases.for(this.tenant.id);
  }

  /** @returns the scope of the system account at a time; discards cached roles and definitions */
  async system(at: number): Promise<Scope> {
    this.#scopes.clear();
    return systemScope(this.services, this.tenant, this.#systemUserId, { now: () => at });
  }

  /**
   * Returns the scope of a user at a time. Roles and definitions are read once.
   * @param joined the transaction that writes join
   */
  async as(userId: number, at: number, joined?: TenantTx): Promise<Scope> {
    let scope = this.#scopes.get(userId);
    if (!scope) {
      scope = systemScope(this.services, this.tenant, userId);
      this.#scopes.set(userId, scope);
    }
    return { ...(await scope), clock: { now: () => at }, ...(joined && { db: joined }) };
  }

  /** Writes as the system account. @param at a moment of the story */
  async write<T>(
    at: string,
    raises: Parameters<typeof writeTransaction>[1],
    work: (write: WriteScope) => Promise<T>,
  ): Promise<T> {
    return writeTransaction(await this.system(this.names.time(at)), raises, work);
  }

  /** Stores a file of the demo. @returns its content reference */
  async store(scope: Scope, name: string): Promise<string> {
    return (await storeFile(scope, this.services.storage, await readBytes(name))).contentRef;
  }
}
