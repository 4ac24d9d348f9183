/** Objects with the lifetime of the process, built from the configuration: database, registry, sign-in, caches. */

import { DatabaseMonitor } from '@portico/platform/db/monitor';
import { type OnStatement, ScopedPool } from '@portico/platform/db/scoped-pool';
import { TenantDatabases } from '@portico/platform/db/tenant-db';
import { WorkerMonitor } from '@portico/platform/db/workers';
import { type FileStorage, openDirectoryStorage } from '@portico/platform/files';
import type { MailTransport } from '@portico/platform/mail';
import type { Sealer } from '@portico/platform/sealing';
import { systemClock } from '@portico/platform/time';
import type pg from 'pg';
import { ActorCache } from '../kernel/access/index.ts';
import { auditLedger } from '../kernel/audit/index.ts';
import { LocalLimits, type NodeLimits } from '../kernel/node-limits.ts';
import type { Clock, Log } from '../kernel/scope.ts';
import { NotificationMailer, PushSender } from '../modules/notifications/index.ts';
import { AccessRecorder, AccessTokens, MailSender, SigningKeys } from '../modules/people/index.ts';
import { tables } from '../modules/tables.ts';
import { TenantRegistry, type TenantServices, TenantWork } from '../modules/tenants/index.ts';
import { WebhookSender } from '../modules/webhooks/index.ts';
import { type Config, ConfigError } from './config/config.ts';

export interface Services extends TenantServices {
  readonly config: Config;
  readonly pool: ScopedPool;
  /** Whether the database can be reached; checked at intervals once started. */
  readonly monitor: DatabaseMonitor;
  /** Availability of the workers of a cluster; checked once started. */
  readonly workers: WorkerMonitor;
  readonly tokens: AccessTokens;
  /** Records the last access of users, in batches. */
  readonly accesses: AccessRecorder;
  /** Tenants with due background work. */
  readonly work: TenantWork;
  /** For jobs, whose writes do not mark a tenant as one with work. */
  readonly unmarkedDatabases: TenantDatabases;
  /** Sends the mails that writes queue. */
  readonly mail: MailSender;
  /** Sends the messages of webhooks. */
  readonly webhooks: WebhookSender;
  /** Sends mails of notifications, within a limit of their own. */
  readonly notificationMail: NotificationMailer;
  /** Sends notifications to browsers. */
  readonly push: PushSender;
  close(): Promise<void>;
}

interface ServiceOptions {
  config: Config;
  /** Connection as the service's role. */
  database: pg.ClientConfig;
  /** Encrypts and decrypts secrets in the database. */
  sealer: Sealer;
  log: Log;
  clock?: Clock;
  /** Counts and limits of the node; default: a node with a single process. */
  limits?: NodeLimits;
  onStatement?: OnStatement;
  /** How long a statement may take; 0 is no limit. Milliseconds; default 20 s. */
  statementMs?: number;
}

/** Builds the services. The database is not connected yet: the pool connects when it is first used. */
export async function createServices(options: ServiceOptions): Promise<Services> {
  const { config, log, sealer } = options;
  let closing = false;
  const pool = new ScopedPool({
    connection: options.database,
    mode: config.databaseScope,
    max: config.databasePoolSize,
    // Only the message: the driver attaches the whole connection, with every prepared statement, to the error.
    onError: (error) => {
      // The server may close connections that are being closed here.
      if (!closing) log.warn({ outage: true, reason: error.message }, 'an idle database connection was lost');
    },
    ...(options.onStatement && { onStatement: options.onStatement }),
    ...(options.statementMs !== undefined && { statementMs: options.statementMs }),
  });
  const monitor = new DatabaseMonitor(options.database, pool.connections);
  const workers = new WorkerMonitor(options.database, {
    changed: ({ name, answers }) => {
      if (answers) log.info({ worker: name }, `the worker ${name} answers again`);
      else
        log.warn(
          { outage: true, worker: name },
          `the worker ${name} does not answer: requests of tenants on it get 503`,
        );
    },
    away: (tenants) => pool.connections.refuse(tenants),
  });
  const clock = options.clock ?? systemClock;
  const work = new TenantWork(pool, clock, log);
  const databases = new TenantDatabases(pool, auditLedger(tables), (tenantId) => work.mark(tenantId));
  const unmarkedDatabases = new TenantDatabases(pool, auditLedger(tables));
  const accesses = new AccessRecorder(unmarkedDatabases);
  const { storage, close: closeStorage } = await openStorage(config);
  const transport = await openMail(config);
  const mail = new MailSender({
    transport,
    from: config.mail?.from,
    perMinute: config.mailsPerMinute,
    clock,
    log,
    sealer,
  });
  const webhooks = new WebhookSender({ clock, log, sealer, receivers: config.internalWebhooks });
  const push = new PushSender({ clock, log, sealer, hosts: config.internalWebhooks });
  const notificationMail = new NotificationMailer({
    transport,
    from: config.mail?.from,
    replies: config.replies?.address,
    perMinute: config.notificationMailsPerMinute,
    clock,
    log,
  });
  return {
    config,
    pool,
    databases,
    monitor,
    workers,
    tenants: new TenantRegistry(pool, databases, sealer),
    sealer,
    actors: new ActorCache(),
    tokens: new AccessTokens(new SigningKeys(sealer), config.accessTokenSeconds),
    storage,
    accesses,
    work,
    unmarkedDatabases,
    mail,
    webhooks,
    notificationMail,
    push,
    clock,
    log,
    limits: options.limits ?? new LocalLimits(),
    close: async () => {
      closing = true;
      mail.close();
      await webhooks.close();
      await push.close();
      await monitor.stop();
      await workers.stop();
      await accesses.flush();
      await work.settle();
      await pool.end();
      closeStorage();
    },
  };
}

/** The mail server that is configured. Its client is loaded only where there is one. @throws ConfigError */
export async function openMail({ mail }: Config): Promise<MailTransport | undefined> {
  if (!mail) return undefined;
  const { openSmtp } = await import('@portico/platform/mail/smtp');
  try {
    return openSmtp(mail.server);
  } catch (error) {
    throw new ConfigError(`PORTICO_SMTP_URL has a "ca" that cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/** The store that is configured, or the directory. The client of such stores is loaded only where there is one. */
export async function openStorage({
  s3,
  filesDir,
  minFreeBytes,
}: Config): Promise<{ storage: FileStorage; close: () => void }> {
  if (!s3) return { storage: await openDirectoryStorage(filesDir, minFreeBytes), close: () => undefined };
  const { openS3Storage } = await import('@portico/platform/files/s3-driver');
  const storage = openS3Storage(s3);
  return { storage, close: () => storage.close() };
}
