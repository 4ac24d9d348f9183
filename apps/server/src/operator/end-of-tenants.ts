/** Disabling, renaming and deleting tenants, as operators do it. */
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  type DeletionCertificate,
  deleteTenant,
  disableTenant,
  readCertificates,
  recordExport,
  reenableTenant,
  renameTenant,
  scheduleDeletion,
  type TenantServices,
} from '../modules/tenants/index.ts';
import { hostWarnings } from './host-warnings.ts';
import { OperatorError } from './operator-error.ts';
import {
  exportTenant,
  type ImportedTenant,
  type ImportKind,
  importTenant,
  type TenantManifest,
} from './tenant-archive/index.ts';

const DAY_MS = 86_400_000;
/** Requests that began before the tenant was disabled end within this time. Milliseconds. */
const SETTLE_MS = 25_000;

/** Changes to the names of a tenant; absent ones stay. */
interface NewNames {
  name?: string | undefined;
  displayName?: string | undefined;
}

/** The tenants of an installation, as the owner of its database changes them. */
export class TenantLife {
  readonly #services: TenantServices;
  readonly #owner: pg.Client;
  readonly #ownerConfig: pg.ClientConfig;

  /** @param ownerConfig how to connect as the owner once more */
  constructor(services: TenantServices, owner: pg.Client, ownerConfig: pg.ClientConfig) {
    this.#services = services;
    this.#owner = owner;
    this.#ownerConfig = ownerConfig;
  }

  async disable(tenant: string): Promise<void> {
    await disableTenant(this.#owner, await this.#idOf(tenant), this.#change());
  }

  /**
   * Enables a tenant, and cancels its deletion.
   * @returns sentences about the host names that answer from now on
   */
  async enable(tenant: string): Promise<string[]> {
    const id = await this.#idOf(tenant);
    await reenableTenant(this.#owner, id, this.#change());
    return hostWarnings(this.#owner, id);
  }

  async rename(tenant: string, names: NewNames): Promise<void> {
    if (names.name === undefined && names.displayName === undefined)
      throw new OperatorError('Give a new name: --name or --display-name.');
    await renameTenant(this.#owner, await this.#idOf(tenant), names, this.#change());
  }

  /**
   * Has the service delete a tenant after some days. Its hosts are free at once.
   * @returns when the service deletes it
   */
  async schedule(tenant: string, days: number): Promise<Date> {
    const change = this.#change();
    const at = new Date(change.now.getTime() + days * DAY_MS);
    await scheduleDeletion(this.#owner, await this.#idOf(tenant), at, change);
    return at;
  }

  /**
   * Deletes a tenant at once. An interrupted deletion is continued by the service.
   * @param options.settleMs wait for requests that run; milliseconds
   * @throws OperatorError while a backup runs; the service then deletes the files after it
   */
  async delete(tenant: string, options: { settleMs?: number } = {}): Promise<DeletionCertificate> {
    const id = await this.#idOf(tenant);
    const { rowCount: begun } = await this.#owner.query('SELECT FROM portico_deleted_tenants WHERE tenant = $1', [id]);
    if (begun === 0) {
      const change = this.#change();
      await scheduleDeletion(this.#owner, id, change.now, change);
      await sleep(options.settleMs ?? SETTLE_MS);
    }
    const { storage, clock } = this.#services;
    const certificate = await deleteTenant(this.#owner, id, { storage, now: () => new Date(clock.now()) });
    if (certificate) return certificate;
    // The job of a server that runs may have been first.
    const [finished] = await readCertificates(this.#owner, { id });
    if (!finished)
      throw new OperatorError('A backup needs the files of the tenant: the service deletes them once it has ended.');
    return finished;
  }

  /** @returns the certificates of deleted tenants of a name, the newest first */
  certificates(name: string): Promise<DeletionCertificate[]> {
    return readCertificates(this.#owner, { name });
  }

  /**
   * Writes a tenant to an archive, as it is at one moment.
   * @param options.out path of the archive, which must not exist
   */
  async export(tenant: string, options: { out: string; tell: (sentence: string) => void }): Promise<TenantManifest> {
    const id = await this.#idOf(tenant);
    const manifest = await exportTenant({ owner: this.#ownerConfig, storage: this.#services.storage }, id, options);
    await recordExport(this.#owner, id, userInfo().username);
    return manifest;
  }

  /**
   * Imports the tenant of an archive.
   * @param options name and hosts, where others than in the archive; whether it is a copy
   * @returns the tenant, and sentences about the host names that answer from now on
   */
  async import(
    path: string,
    options: {
      name?: string | undefined;
      hosts?: readonly string[] | undefined;
      as?: ImportKind | undefined;
      tell: (sentence: string) => void;
    },
  ): Promise<ImportedTenant & { readonly hostWarnings: readonly string[] }> {
    const target = { services: this.#services, owner: this.#ownerConfig };
    const imported = await importTenant(target, path, { ...options, operator: userInfo().username });
    return { ...imported, hostWarnings: await hostWarnings(this.#owner, imported.id) };
  }

  #change() {
    return { operator: userInfo().username, now: new Date(this.#services.clock.now()) };
  }

  async #idOf(name: string): Promise<number> {
    const { rows } = await this.#owner.query<{ id: string }>('SELECT id FROM tenants WHERE name = $1', [name]);
    if (!rows[0]) throw new OperatorError(noTenant(name));
    return Number(rows[0].id);
  }
}

/** @returns the sentence for a name without a tenant */
export function noTenant(name: string): string {
  return `There is no tenant "${name}"; run "portico admin tenant list" to see all tenants.`;
}
