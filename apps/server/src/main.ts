/**
 * The process: environment → configuration → database → serving → graceful stop. The only file that reads `process`.
 */
import { once } from 'node:events';
import { requireFreePort } from './http/listen.ts';
import type { Log } from './kernel/scope.ts';
import { openLog } from './platform/log/logger.ts';
import { LogOutput } from './platform/log/output.ts';
import { makeWritableDirectory } from './platform/make-directory.ts';
import { readCertificate } from './process/certificate.ts';
import { type Config, readConfig } from './process/config/config.ts';
import { unknownVariables } from './process/config/variables.ts';
import { openDatabase } from './process/database.ts';
import type { Metrics } from './process/metrics.ts';
import { openSealer } from './process/sealer.ts';
import type { Closers, Ending } from './process/serve.ts';
import { operatorSentence } from './process/start-errors.ts';

/** How long parts that ought to end at once may take. Milliseconds. */
const PATIENCE_MS = 10_000;
/** How long the end waits for whoever reads the last words. Milliseconds. */
const LAST_WORDS_MS = 1_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  let metrics: Metrics | undefined;
  const log = await openLog({
    level: config.logLevel,
    format: config.logFormat,
    count: (level) => metrics?.countLog(level),
  });
  const { logger } = log;
  if (config.metrics) metrics = new (await import('./process/metrics.ts')).Metrics();
  for (const { name, meant } of unknownVariables(process.env)) {
    logger.warn({ variable: name }, `${name} is not a variable of Portico${meant ? `; is ${meant} meant?` : ''}`);
  }

  const stopping = new AbortController();
  const stop = (ending: Ending) => {
    // One Ctrl-C may arrive twice, from the terminal and from npm: the second changes nothing.
    if (stopping.signal.aborted) return;
    logger.info({ reason: ending.reason }, 'stopping: finishing requests in flight');
    stopping.abort(ending);
    // Whatever hangs, a service manager is not kept waiting for ever.
    setTimeout(
      () => {
        logger.error({}, 'stopping took too long; ending all the same');
        process.exit(1);
      },
      config.drainMs + config.stopTimeoutMs + 6 * PATIENCE_MS,
    ).unref();
  };
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop({ reason: signal, exitCode: 0 }));

  const closers: Closers = [];
  let failure: unknown;
  try {
    const ready = await start(config, logger, metrics, stopping.signal, stop, closers);
    log.print(ready);
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  } catch (error) {
    // Told to stop while starting: what was under way failed because of that.
    if (!stopping.signal.aborted) failure = error;
  }
  await close(closers, logger);
  if (failure === undefined) logger.info({}, 'stopped');
  await log.close();
  if (failure !== undefined) await end(failure, config.metrics?.port);
  process.exit((stopping.signal.reason as Ending).exitCode);
}

/** @returns what is printed once the portal answers. Throws when told to stop in between. */
async function start(
  config: Config,
  logger: Log,
  metrics: Metrics | undefined,
  stopping: AbortSignal,
  stop: (ending: Ending) => void,
  closers: Closers,
): Promise<string> {
  const certificate = config.tls && readCertificate(config.tls);
  await requireFreePort(config);
  if (config.metrics) await requireFreePort(config.metrics);
  // The embedded database makes the data directory and validates it; files may be elsewhere.
  if (config.database !== undefined) makeWritableDirectory(config.dataDir);
  if (!config.s3 && (config.database !== undefined || !config.filesDir.startsWith(`${config.dataDir}/`)))
    makeWritableDirectory(config.filesDir);
  const database = await openDatabase(config, logger, 'serve', {
    signal: stopping,
    onLost: (error) => {
      logger.error({ err: error }, 'the embedded database ended and could not be brought back');
      stop({ reason: 'the database was lost', exitCode: 1 });
    },
  });
  closers.push(() => database.close());
  stopping.throwIfAborted();
  const sealer = await openSealer(config, database.owner);
  // Most of the code is loaded only now: a start that cannot work ends sooner.
  const { serve } = await import('./process/serve.ts');
  const { port, welcome } = await serve({
    config,
    logger,
    database,
    sealer,
    stopping,
    closers,
    ...(metrics && { metrics }),
    ...(certificate && { certificate }),
  });
  return `\nPortico is ready at ${config.tls ? 'https' : 'http'}://${shownHost(config.host)}:${port}\n${welcome}\n`;
}

/** Closes everything; whatever hangs or fails, the rest is closed too. */
async function close(closers: Closers, logger: Log): Promise<void> {
  for (const closer of closers.toReversed()) {
    try {
      await closer();
    } catch (error) {
      logger.error({ err: error }, 'a part could not be closed properly');
    }
  }
}

/** The host for the printed address: what a browser on this machine can open. */
function shownHost(host: string): string {
  if (['localhost', '0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Exits with one sentence for what an operator can fix, with the whole error for a bug. */
async function end(error: unknown, metricsPort: number | undefined): Promise<never> {
  const sentence = operatorSentence(error, metricsPort);
  const output = new LogOutput(2, (dropped) => `${dropped} lines could not be written`);
  if (sentence !== undefined) output.write(`Portico cannot start: ${sentence}\n`);
  else output.write(`Portico ended unexpectedly: ${error instanceof Error ? error.stack : String(error)}\n`);
  await output.flush(LAST_WORDS_MS);
  process.exit(1);
}

// Whatever prints besides the log (warnings of Node.js): whoever read it may be gone, the disk may be full. That ends nothing.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
await main().catch((error: unknown) => end(error, undefined));
