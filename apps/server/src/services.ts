/** The parts that live as long as the process, built from the configuration: database, registry, sign-in, caches. */
import type pg from 'pg';
import type { Config } from './config/config.ts';
import { ActorCache } from './modules/access/index.ts';
import { AccessTokens, SigningKeys } from './modules/auth/index.ts';
import { AccessRecorder } from './modules/people/index.ts';
import { ListShapes } from './modules/posts/list-shapes/index.ts';
import { TenantRegistry } from './modules/tenants/index.ts';
import { DatabaseMonitor } from './platform/db/monitor.ts';
import { ScopedPool } from './platform/db/scoped-pool.ts';
import { type Caller, TenantDatabases } from './platform/db/tenant-db.ts';
import { PorticoError } from './platform/errors.ts';
import { type FileStorage, openDirectoryStorage } from './platform/files/index.ts';
import type { Clock, Log, Scope, Tenant, TenantScope } from './platform/scope.ts';
import { systemClock } from './platform/time/index.ts';

export interface Services {
  readonly config: Config;
  readonly pool: ScopedPool;
  readonly databases: TenantDatabases;
  /** Whether the database is there; it asks by itself once it is started. */
  readonly monitor: DatabaseMonitor;
  readonly tenants: TenantRegistry;
  readonly actors: ActorCache;
  readonly tokens: AccessTokens;
  readonly storage: FileStorage;
  /** Notes who was here; written in batches. */
  readonly accesses: AccessRecorder;
  /** Sums up what lists cost; written in batches. */
  readonly listShapes: ListShapes;
  readonly clock: Clock;
  readonly log: Log;
  close(): Promise<void>;
}

export interface ServiceOptions {
  config: Config;
  /** Connection as the service's role. */
  database: pg.ClientConfig;
  log: Log;
  clock?: Clock;
  onStatement?: (statement: string, milliseconds: number) => void;
  /** How long a statement may take; 0 is no limit. Milliseconds; default 20 s. */
  statementMs?: number;
}

/** Builds the services. The database is not connected yet: the pool connects when it is first used. */
export async function createServices(options: ServiceOptions): Promise<Services> {
  const { config, log } = options;
  let closing = false;
  const pool = new ScopedPool({
    connection: options.database,
    mode: config.databaseScope,
    max: config.databasePoolSize,
    // Only what happened: the driver hangs the whole connection, with every statement it prepared, on the error.
    onError: (error) => {
      // The server may say goodbye to connections that are being closed here.
      if (!closing) log.warn({ outage: true, reason: error.message }, 'an idle database connection was lost');
    },
    ...(options.onStatement && { onStatement: options.onStatement }),
    ...(options.statementMs !== undefined && { statementMs: options.statementMs }),
  });
  const monitor = new DatabaseMonitor(options.database, pool.connections);
  const databases = new TenantDatabases(pool);
  const accesses = new AccessRecorder(databases);
  const listShapes = new ListShapes(databases);
  const { storage, close: closeStorage } = await openStorage(config);
  return {
    config,
    pool,
    databases,
    monitor,
    tenants: new TenantRegistry(pool, databases),
    actors: new ActorCache(),
    tokens: new AccessTokens(new SigningKeys(), config.accessTokenSeconds),
    storage,
    accesses,
    listShapes,
    clock: options.clock ?? systemClock,
    log,
    close: async () => {
      closing = true;
      await monitor.stop();
      await accesses.flush();
      await listShapes.flush();
      await pool.end();
      closeStorage();
    },
  };
}

/** The store that is configured, or the directory. The client of such stores is loaded only where there is one. */
export async function openStorage({
  s3,
  filesDir,
  minFreeBytes,
}: Config): Promise<{ storage: FileStorage; close: () => void }> {
  if (!s3) return { storage: await openDirectoryStorage(filesDir, minFreeBytes), close: () => undefined };
  const { openS3Storage } = await import('./platform/files/s3-driver.ts');
  const storage = openS3Storage(s3);
  return { storage, close: () => storage.close() };
}

/** The scope of work for a tenant that nobody has signed in for. */
export async function tenantScope(
  services: Services,
  tenant: Tenant,
  baseUrl: string,
  caller: Caller = {},
): Promise<TenantScope> {
  return {
    tenant,
    settings: await services.tenants.settings(tenant),
    db: services.databases.for(tenant.id).boundTo(caller),
    clock: services.clock,
    log: services.log,
    baseUrl,
    linkSeconds: services.config.linkSeconds,
    ...(services.storage.direct && { directLinks: services.storage.direct }),
    ...(services.config.filesOrigin !== undefined && { filesOrigin: services.config.filesOrigin }),
    definitionsVersion: 0,
    listCosts: services.listShapes,
  };
}

/**
 * The scope of work that the system does as one of a tenant's users (demo content, imports, jobs): the same verbs as
 * requests, with the same rights.
 * @param clock the time that rows get; the present by default
 */
export async function systemScope(
  services: Services,
  tenant: Tenant,
  userId: number,
  clock: Clock = services.clock,
): Promise<Scope> {
  const db = services.databases.for(tenant.id);
  const [versions] = await db.query<{ access: number; definitions: number }>(
    `SELECT access_version AS access, definitions_version AS definitions FROM tenant_versions WHERE tenant_id = $1`,
    [tenant.id],
  );
  const actor = versions && (await services.actors.get(db, userId, versions.access));
  if (!actor)
    throw new PorticoError('NOT_FOUND', { message: `The tenant ${tenant.name} has no active user ${userId}.` });
  return {
    ...(await tenantScope(services, tenant, `https://${tenant.name}.invalid`)),
    clock,
    actor,
    definitionsVersion: versions.definitions,
  };
}

/** The account that the system itself works as in a tenant. */
export async function systemAccountOf(services: Services, tenant: Tenant): Promise<number> {
  const [system] = await services.databases
    .for(tenant.id)
    .query<{ id: number }>('SELECT id FROM users WHERE tenant_id = $1 AND system_account ORDER BY id LIMIT 1', [
      tenant.id,
    ]);
  if (!system) throw new Error(`the tenant ${tenant.name} has no system account`);
  return system.id;
}
