/** Scopes of work: of a tenant, and of one of its users. Requests, jobs, imports and operator commands all use them. */

import type { Caller, Origin, TenantDatabases } from '@portico/platform/db/tenant-db';
import type { FileStorage } from '@portico/platform/files';
import type { Sealer } from '@portico/platform/sealing';
import type { ActorCache } from '../../kernel/access/index.ts';
import { PorticoError } from '../../kernel/errors.ts';
import type { NodeLimits } from '../../kernel/node-limits.ts';
import type { Clock, Log, Scope, Tenant, TenantScope } from '../../kernel/scope.ts';
import { versionSql } from '../../kernel/tenant-versions.ts';
import type { TenantRegistry } from './registry.ts';

/** Parts of the process that work for tenants needs. */
export interface TenantServices {
  readonly config: {
    readonly linkSeconds: number;
    readonly filesOrigin: string | undefined;
    readonly eraseAfterDays: number;
    /** File quota of new tenants, in bytes; null: no quota. */
    readonly tenantFileQuota: number | null;
    /** Port that the server listens on. */
    readonly port: number;
    /** Undefined where the server itself does not encrypt. */
    readonly tls: object | undefined;
    /** The mail server; undefined: mail is not sent. */
    readonly mail: object | undefined;
  };
  readonly databases: TenantDatabases;
  readonly tenants: TenantRegistry;
  /** Encrypts and decrypts secrets in the database. */
  readonly sealer: Sealer;
  readonly actors: ActorCache;
  readonly storage: FileStorage;
  readonly clock: Clock;
  readonly log: Log;
  /** Counts and limits that all processes of the node share. */
  readonly limits: NodeLimits;
}

/** Returns the scope of work for a tenant without a signed-in user. */
export async function tenantScope(
  services: TenantServices,
  tenant: Tenant,
  baseUrl: string,
  caller: Caller = {},
): Promise<TenantScope> {
  const settings = await services.tenants.settings(tenant);
  return {
    tenant: settings.name === null ? tenant : { ...tenant, displayName: settings.name },
    settings,
    db: services.databases.for(tenant.id).boundTo(caller),
    clock: services.clock,
    sealer: services.sealer,
    log: services.log,
    limits: services.limits,
    baseUrl,
    ownAddress: settings.primaryHost === null ? null : addressOf(settings.primaryHost, services.config),
    sendsMail: services.config.mail !== undefined,
    linkSeconds: services.config.linkSeconds,
    directLinks: services.storage.direct,
    filesOrigin: services.config.filesOrigin,
    definitionsVersion: 0,
  };
}

/**
 * Returns the base address of a registered host. Hosts are registered without scheme: the scheme is
 * https, except for this machine where the server does not encrypt.
 */
function addressOf(host: string, { port, tls }: TenantServices['config']): string {
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=$|:)/.exec(host);
  if (!local) return `https://${host}`;
  return `${tls ? 'https' : 'http'}://${host === local[0] ? `${host}:${port}` : host}`;
}

/**
 * Returns the scope of work that the system does as one of a tenant's users (demo content, imports,
 * jobs): the same verbs as requests, with the same rights.
 * @param clock the time that rows get; the present by default
 * @param origin source of the work in the audit log
 */
export async function systemScope(
  services: TenantServices,
  tenant: Tenant,
  userId: number,
  clock: Clock = services.clock,
  origin?: Origin,
): Promise<Scope> {
  const db = services.databases.for(tenant.id);
  const [versions] = await db.query<{ access: number; definitions: number }>(
    `SELECT ${versionSql('access_version')} AS access, ${versionSql('definitions_version')} AS definitions
       FROM tenant_versions v WHERE v.tenant_id = $1`,
    [tenant.id],
  );
  const actor = versions && (await services.actors.get(db, userId, versions.access));
  if (!actor)
    throw new PorticoError('NOT_FOUND', { message: `The tenant ${tenant.name} has no active user ${userId}.` });
  return {
    ...(await tenantScope(services, tenant, `https://${tenant.name}.invalid`, { userId, origin })),
    clock,
    actor,
    definitionsVersion: versions.definitions,
  };
}

/** Returns the scope of work as a person. @returns undefined for a person who is blocked or deleted */
export async function findPersonScope(
  services: TenantServices,
  tenant: Tenant,
  userId: number,
  origin?: Origin,
): Promise<Scope | undefined> {
  try {
    return await systemScope(services, tenant, userId, undefined, origin);
  } catch (error) {
    if (error instanceof PorticoError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Returns the account that the system itself works as in a tenant. */
export async function systemAccountOf(services: TenantServices, tenant: Tenant): Promise<number> {
  const [system] = await services.databases
    .for(tenant.id)
    .query<{ id: number }>('SELECT id FROM users WHERE tenant_id = $1 AND system_account ORDER BY id LIMIT 1', [
      tenant.id,
    ]);
  if (!system) throw new Error(`the tenant ${tenant.name} has no system account`);
  return system.id;
}
