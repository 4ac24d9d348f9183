/**
 * Serving on an open database: services → application → first run → background jobs → listening. Loads nearly all code of the
 * server, so the start imports it when nothing is left that would refuse it. Several processes do the same, each as a part.
 */
import type { Server } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseIsolation, isolationWarning, keepFrom } from '@portico/platform/files';
import type { Sealer } from '@portico/platform/sealing';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type Handed, listen, type Patience, serveHanded } from '../http/listen.ts';
import { readWebPage } from '../http/web.ts';
import type { NodeLimits } from '../kernel/node-limits.ts';
import type { Log } from '../kernel/scope.ts';
import { buildApp } from './app.ts';
import { BackupSchedule, measureBackupAge } from './backup-schedule.ts';
import { followCertificate, type readCertificate } from './certificate.ts';
import type { Closers, Ending } from './closers.ts';
import type { Config } from './config/config.ts';
import type { OpenDatabase } from './database.ts';
import { firstRun } from './first-run.ts';
import { LogArchive } from './log-archive.ts';
import { measureFiles } from './measure-files.ts';
import { measureInstallation } from './measure-installation.ts';
import { measureMails } from './measure-mails.ts';
import { measureStreamLag } from './measure-stream-lag.ts';
import { closeNow, type Metrics } from './metrics.ts';
import { createServices, type Services } from './services.ts';
import { openTelemetry, type Telemetry } from './telemetry/telemetry.ts';
import { TenantDeletions } from './tenant-deletions.ts';
import { startWorker } from './worker.ts';

/** How long parts that ought to end at once may take. Milliseconds. */
const PATIENCE_MS = 10_000;

interface Opened {
  config: Config;
  logger: Log;
  database: OpenDatabase;
  sealer: Sealer;
  certificate?: ReturnType<typeof readCertificate>;
  metrics?: Metrics;
  /** Aborted, with an {@link Ending}, when the process is told to stop. */
  stopping: AbortSignal;
  closers: Closers;
}

/** What serving begins with, and telemetry where it is asked for. */
interface Observed extends Opened {
  telemetry?: Telemetry;
}

/** Serving as one of several processes. */
export interface Part {
  /** True for the process that makes the demo tenant. */
  readonly first: boolean;
  readonly limits: NodeLimits;
  /** Time for which a connection without a request is kept at the end. Milliseconds; undefined: as usual. */
  lastRequestMs(): number | undefined;
}

/** A process that serves as one of several. */
export interface ServingPart {
  /** Lines that are printed below the address. */
  readonly welcome: string;
  readonly take: Handed['take'];
  /** Starts the background jobs of the node, and the measurement of figures that belong to no process. */
  startJobs(): void;
}

/**
 * @returns the port, and the text printed below the address. Throws when told to stop in between.
 */
export async function serve(given: Opened): Promise<{ port: number; welcome: string }> {
  const opened = await observed(given);
  const { config, metrics, stopping, closers } = opened;
  const isolated = isolateDecoders(config);
  const { services, close } = await openServices(opened);
  if (metrics && config.metrics) {
    measureProcess(metrics, services);
    measureNode(metrics, services);
    const server = await metrics.listen(config.metrics, () => metrics.registry.metrics());
    closers.push(async () => closeNow(server));
  }
  const { app, closing } = await buildServer(opened, services);
  const welcome = await makeFirstTenant(opened, services, close);
  startJobs(opened, services, closers, 'all');
  const listening = await listen(app, config);
  closers.push(async () => {
    // Balancers see /readyz at 503 and turn to other nodes while this one still answers.
    if ((stopping.reason as Ending).reason === 'SIGTERM') await sleep(config.drainMs);
    closing.abort();
    await endRequests(opened, listening, {});
  });
  followTls(opened, app);
  return { port: listening.port, welcome: withWarning(opened, welcome, await isolated) };
}

/** Serves connections that the primary process hands over. Throws when told to stop in between. */
export async function serveAsPart(given: Opened, part: Part): Promise<ServingPart> {
  const opened = await observed(given);
  const { metrics, closers } = opened;
  const isolated = isolateDecoders(opened.config);
  const { services, close } = await openServices(opened, part);
  if (metrics) measureProcess(metrics, services);
  const { app, closing } = await buildServer(opened, services);
  const welcome = part.first ? await makeFirstTenant(opened, services, close) : '';
  startJobs(opened, services, closers, 'own');
  const jobs: Closers = [];
  closers.push(() => Promise.all(jobs.map((close) => close())));
  const handed = await serveHanded(app);
  closers.push(async () => {
    closing.abort();
    const lastRequestMs = part.lastRequestMs();
    await endRequests(opened, handed, lastRequestMs === undefined ? {} : { lastRequestMs });
  });
  followTls(opened, app);
  const warning = await isolated;
  return {
    welcome: part.first ? withWarning(opened, welcome, warning) : '',
    take: handed.take,
    startJobs: () => {
      opened.logger.info({}, 'this process runs the background jobs of the node');
      startJobs(opened, services, jobs, 'node');
      if (metrics) measureNode(metrics, services);
    },
  };
}

/**
 * Chooses the isolation of decoders, which takes as long as a process needs to start: the caller does other things meanwhile.
 * @returns a warning for the operator
 */
function isolateDecoders({ dataDir, filesDir }: Config): Promise<string | undefined> {
  keepFrom([dataDir, filesDir]);
  return chooseIsolation().then(
    isolationWarning,
    (error: Error) => `files of users cannot be decoded: ${error.message}`,
  );
}

function withWarning({ logger }: Opened, welcome: string, warning: string | undefined): string {
  if (warning === undefined) return welcome;
  logger.warn({}, warning);
  return `${welcome}\nNote: ${warning}.`;
}

async function observed(opened: Opened): Promise<Observed> {
  const telemetry = await openTelemetry(process.env, opened.logger, opened.closers);
  return telemetry ? { ...opened, telemetry } : opened;
}

async function openServices(
  { config, logger, database, sealer, metrics, telemetry, closers }: Observed,
  part?: Part,
): Promise<{ services: Services; close: () => Promise<void> }> {
  const services = await createServices({
    config,
    database: database.service,
    sealer,
    log: logger,
    onStatement: (_statement, milliseconds) => {
      metrics?.observeStatement(milliseconds);
      telemetry?.observeStatement(milliseconds);
    },
    ...(part && { limits: part.limits }),
  });
  services.monitor.start();
  services.workers.start();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= services.close();
    return closed;
  };
  closers.push(() => patiently(close()));
  return { services, close };
}

async function buildServer(
  { logger, metrics, telemetry, certificate, stopping, closers }: Observed,
  services: Services,
) {
  const closing = new AbortController();
  const app = await buildApp({
    services,
    stopping,
    closing: closing.signal,
    logger: logger as FastifyBaseLogger,
    web: await readWebPage(),
    ...(metrics && { metrics }),
    ...(telemetry && { telemetry }),
    ...(certificate && { https: certificate }),
  });
  closers.push(() => app.close());
  stopping.throwIfAborted();
  return { app, closing };
}

/** Makes the demo, which takes seconds: a stop does not wait for it, the next start makes it anew. */
async function makeFirstTenant(
  { database, logger, stopping }: Opened,
  services: Services,
  close: () => Promise<void>,
): Promise<string> {
  const giveUp = () => void close().catch((error: unknown) => logger.warn({ err: error }, 'closing failed'));
  stopping.addEventListener('abort', giveUp);
  const welcome = await firstRun(services, database);
  stopping.removeEventListener('abort', giveUp);
  stopping.throwIfAborted();
  return welcome;
}

function startJobs(
  { database, metrics, telemetry }: Observed,
  services: Services,
  closers: Closers,
  which: Parameters<typeof startWorker>[1],
): void {
  const worker = startWorker(services, which, {
    backups: new BackupSchedule(services, database.owner),
    logArchive: new LogArchive(services, database.owner),
    deletions: new TenantDeletions(services, database.owner),
    failed: (job) => metrics?.countJobFailure(job),
    ...(telemetry && { observe: (job, tenant, run) => telemetry.runJob(job, tenant, run) }),
  });
  closers.push(() => patiently(worker.stop()));
}

function measureProcess(metrics: Metrics, services: Services): void {
  metrics.watchProcess({ pool: () => services.pool.stats });
}

function measureNode(metrics: Metrics, services: Services): void {
  metrics.watchNode({
    workers: () => services.workers.workers,
    streamLag: () => measureStreamLag(services),
    files: () => measureFiles(services),
    mails: () => measureMails(services),
    backupAge: () => measureBackupAge(services),
    installation: () => measureInstallation(services),
    freeBytes: async () => services.storage.freeBytes?.(),
    onError: (error) => services.log.warn({ err: error }, 'a figure for /metrics could not be measured'),
  });
}

async function endRequests(
  { config, logger }: Opened,
  server: Pick<Handed, 'close'>,
  patience: Pick<Patience, 'lastRequestMs'>,
): Promise<void> {
  const cut = await server.close({ requestsMs: config.stopTimeoutMs, ...patience });
  if (cut > 0) logger.warn({ requests: cut }, 'requests did not end in time and were cut off');
}

function followTls({ config, logger, closers }: Opened, app: FastifyInstance): void {
  if (!config.tls) return;
  const unfollow = followCertificate(app.server as Server, config.tls, logger);
  closers.push(async () => unfollow());
}

/** Waits for work, but not longer than {@link PATIENCE_MS}. */
async function patiently(work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, sleep(PATIENCE_MS, undefined, { signal: timer.signal, ref: false })]).finally(() =>
    timer.abort(),
  );
}
