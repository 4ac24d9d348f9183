/**
 * Serving on an open database: services → application → first run → background jobs → listening. Loads nearly all code of the
 * server, so the start imports it when nothing is left that would refuse it.
 */
import type { Server } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { listen } from '../http/listen.ts';
import { readWebPage } from '../http/web.ts';
import type { Log } from '../kernel/scope.ts';
import { chooseIsolation, isolationWarning, keepFrom } from '../platform/files/index.ts';
import type { Sealer } from '../platform/sealing/index.ts';
import { buildApp } from './app.ts';
import { followCertificate, type readCertificate } from './certificate.ts';
import type { Config } from './config/config.ts';
import type { OpenDatabase } from './database.ts';
import { firstRun } from './first-run.ts';
import { measureFiles } from './measure-files.ts';
import { measureMails } from './measure-mails.ts';
import { measureStreamLag } from './measure-stream-lag.ts';
import type { Metrics } from './metrics.ts';
import { sealAtStart } from './seal-at-start.ts';
import { createServices } from './services.ts';
import { startWorker } from './worker.ts';

/** How long parts that ought to end at once may take. Milliseconds. */
const PATIENCE_MS = 10_000;

/** What is closed when the process ends, in the reverse order of its making. */
export type Closers = (() => Promise<unknown>)[];

/** Why the process ends and with which code. */
export interface Ending {
  reason: string;
  exitCode: number;
}

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

/** @returns the port, and what is printed below the address. Throws when told to stop in between. */
export async function serve(opened: Opened): Promise<{ port: number; welcome: string }> {
  const { config, logger, database, sealer, certificate, metrics, stopping, closers } = opened;
  keepFrom([config.dataDir, config.filesDir]);
  // Takes as long as a process needs to start: while the rest is made.
  const isolated = chooseIsolation().then(
    isolationWarning,
    (error: Error) => `files of users cannot be decoded: ${error.message}`,
  );
  const services = await createServices({
    config,
    database: database.service,
    sealer,
    log: logger,
    onStatement: (_statement, milliseconds) => metrics?.observeStatement(milliseconds),
  });
  services.monitor.start();
  services.workers.start();
  let servicesClosed: Promise<void> | undefined;
  const closeServices = () => {
    servicesClosed ??= services.close();
    return servicesClosed;
  };
  closers.push(() => patiently(closeServices()));
  await sealAtStart(services, database.owner, logger);
  if (metrics && config.metrics) {
    metrics.watch({
      pool: () => services.pool.stats,
      workers: () => services.workers.workers,
      streamLag: () => measureStreamLag(services),
      files: () => measureFiles(services),
      mails: () => measureMails(services),
      freeBytes: async () => services.storage.freeBytes?.(),
      onError: (error) => logger.warn({ err: error }, 'a figure for /metrics could not be measured'),
    });
    const server = await metrics.listen(config.metrics.host, config.metrics.port);
    closers.push(async () => {
      server.close();
      server.closeAllConnections();
    });
  }
  const closing = new AbortController();
  const app = await buildApp({
    services,
    stopping,
    closing: closing.signal,
    logger: logger as FastifyBaseLogger,
    web: await readWebPage(),
    ...(metrics && { metrics }),
    ...(certificate && { https: certificate }),
  });
  closers.push(() => app.close());
  stopping.throwIfAborted();
  // Making the demo takes seconds: a stop does not wait for it, the next start makes it anew.
  const giveUp = () => void closeServices().catch((error: unknown) => logger.warn({ err: error }, 'closing failed'));
  stopping.addEventListener('abort', giveUp);
  const welcome = await firstRun(services, database);
  stopping.removeEventListener('abort', giveUp);
  stopping.throwIfAborted();
  const worker = startWorker(services);
  closers.push(() => patiently(worker.stop()));
  const listening = await listen(app, config);
  closers.push(async () => {
    // Balancers see /readyz at 503 and turn to other nodes while this one still answers.
    if ((stopping.reason as Ending).reason === 'SIGTERM') await sleep(config.drainMs);
    closing.abort();
    const cut = await listening.close(config.stopTimeoutMs);
    if (cut > 0) logger.warn({ requests: cut }, 'requests did not end in time and were cut off');
  });
  if (config.tls) {
    const unfollow = followCertificate(app.server as Server, config.tls, logger);
    closers.push(async () => unfollow());
  }
  const warning = await isolated;
  if (warning === undefined) return { port: listening.port, welcome };
  logger.warn({}, warning);
  return { port: listening.port, welcome: `${welcome}\nNote: ${warning}.` };
}

/** Waits for work, but not longer than {@link PATIENCE_MS}. */
async function patiently(work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, sleep(PATIENCE_MS, undefined, { signal: timer.signal, ref: false })]).finally(() =>
    timer.abort(),
  );
}
