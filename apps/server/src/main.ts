/**
 * The process: environment → configuration → database → application → listening → graceful stop. The only file that
 * reads `process`.
 */
import { readFileSync, watch } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { ConfigError, readConfig } from './config/config.ts';
import { openDatabase } from './database.ts';
import { firstRun } from './first-run.ts';
import { MigrationError } from './platform/db/migrate.ts';
import { EmbeddedPostgresError } from './platform/embedded-postgres/index.ts';
import { Metrics } from './platform/metrics.ts';
import type { Log } from './platform/scope.ts';
import { createServices } from './services.ts';
import { startWorker } from './worker.ts';

/** Ends with one sentence, for what an operator can mend. */
function refuse(message: string): never {
  process.stderr.write(`Portico cannot start: ${message}\n`);
  process.exit(1);
}

function isOperatorError(error: unknown): error is Error {
  if (error instanceof ConfigError || error instanceof MigrationError || error instanceof EmbeddedPostgresError)
    return true;
  const code = (error as { code?: unknown } | undefined)?.code;
  return (
    typeof code === 'string' &&
    /^(EADDRINUSE|EACCES|EADDRNOTAVAIL|ENOTFOUND|ECONNREFUSED|ENOENT|EROFS|28\w{3}|3D000|42501)$/.test(code)
  );
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({
    level: config.logLevel,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'req.headers.authorization',
        'headers.authorization',
        'err.config',
        '*.password',
        '*.accessToken',
        '*.jwtAssertion',
      ],
      censor: '[redacted]',
    },
  });
  const tls = config.tls && { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) };

  let stopping: Promise<void> | undefined;
  const closers: (() => Promise<void>)[] = [];
  const stop = (reason: string, exitCode: number) => {
    stopping ??= (async () => {
      logger.info({ reason }, 'stopping: finishing requests in flight');
      const giveUp = setTimeout(() => {
        logger.error({}, 'requests did not end in time; stopping all the same');
        process.exit(1);
      }, config.stopTimeoutMs + 20_000).unref();
      for (const close of closers.toReversed()) await close();
      clearTimeout(giveUp);
      logger.info({}, 'stopped');
      process.exitCode = exitCode;
    })().catch((error: unknown) => {
      logger.error({ err: error }, 'stopping failed');
      process.exit(1);
    });
  };
  // One Ctrl-C may arrive twice, from the terminal and from npm: the second changes nothing.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal, 0));

  try {
    const database = await openDatabase(config, logger, 'serve', (error) => {
      logger.error({ err: error }, 'the embedded database ended and could not be brought back');
      stop('database lost', 1);
    });
    closers.push(() => database.close());
    let metrics: Metrics | undefined;
    const services = await createServices({
      config,
      database: database.service,
      log: logger,
      onStatement: (_statement, milliseconds) => metrics?.observeStatement(milliseconds),
    });
    closers.push(() => services.close());
    if (config.metrics) {
      const shown = new Metrics(() => services.pool.stats);
      metrics = shown;
      const server = await shown.listen(config.metrics.host, config.metrics.port);
      closers.push(async () => void server.close());
    }
    const app = await buildApp({
      services,
      logger: logger as FastifyBaseLogger,
      ...(metrics && { metrics }),
      ...(tls && { https: tls }),
    });
    closers.push(() => app.close());
    const welcome = await firstRun(services, database);
    const worker = startWorker(services);
    closers.push(() => worker.stop());
    if (config.tls) closers.push(reloadCertificate(app.server as import('node:https').Server, config.tls, logger));
    if (stopping) return;
    await app.listen({ port: config.port, host: config.host });
    const scheme = config.tls ? 'https' : 'http';
    const address = app.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : config.port;
    const shownHost = ['localhost', '0.0.0.0', '::', '127.0.0.1', '::1'].includes(config.host)
      ? 'localhost'
      : config.host;
    process.stdout.write(`\nPortico is ready at ${scheme}://${shownHost}:${port}\n${welcome}\n`);
  } catch (error) {
    if (stopping) {
      // Told to stop while starting: what was under way failed because its database went.
      await stopping;
      return;
    }
    for (const close of closers.toReversed()) {
      await close().catch((closing: unknown) => logger.error({ err: closing }, 'cleaning up failed'));
    }
    if ((error as { code?: unknown }).code === 'EADDRINUSE') {
      refuse(`port ${config.port} is in use; stop what uses it or set PORT to another one.`);
    }
    if (isOperatorError(error)) refuse(error.message);
    throw error;
  }
}

/** Takes a renewed certificate into use without a restart. */
function reloadCertificate(
  server: import('node:https').Server,
  files: { certFile: string; keyFile: string },
  log: Log,
) {
  let timer: NodeJS.Timeout | undefined;
  const reload = () => {
    clearTimeout(timer);
    // Renewals write two files: wait until both are there.
    timer = setTimeout(() => {
      try {
        const context = { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) };
        createSecureContext(context);
        server.setSecureContext(context);
        log.info({}, 'the TLS certificate was reloaded');
      } catch (error) {
        log.error({ err: error }, 'the new TLS certificate cannot be used; the old one stays');
      }
    }, 500);
  };
  const watchers = [files.certFile, files.keyFile].map((file) => watch(file, reload));
  const poll = setInterval(reload, 3_600_000).unref();
  return async () => {
    clearTimeout(timer);
    clearInterval(poll);
    for (const watcher of watchers) watcher.close();
  };
}

await main().catch((error: unknown) => {
  if (isOperatorError(error)) refuse(error.message);
  process.stderr.write(`Portico ended unexpectedly: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
