/**
 * The process: environment → configuration → database → serving, here or in processes of its own → graceful stop.
 */
import { once } from 'node:events';
import { isatty } from 'node:tty';
import { openLog } from '@portico/platform/log/logger';
import { LogOutput } from '@portico/platform/log/output';
import { makeWritableDirectory } from '@portico/platform/make-directory';
import { requireFreePort } from './http/listen.ts';
import type { Log } from './kernel/scope.ts';
import { version } from './kernel/version.ts';
import { readCertificate } from './process/certificate.ts';
import { type Closers, closeAll, type Ending } from './process/closers.ts';
import { type Config, readConfig } from './process/config/config.ts';
import { unknownVariables } from './process/config/variables.ts';
import { openDatabase } from './process/database.ts';
import type { Metrics } from './process/metrics.ts';
import { openSealer } from './process/sealer.ts';
import { findServiceManager } from './process/service-manager.ts';
import { operatorSentence } from './process/start-errors.ts';

/** How long parts that ought to end at once may take. Milliseconds. */
const PATIENCE_MS = 10_000;
/** Milliseconds that the end waits for a reader of the last output. */
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

  const manager = findServiceManager(process.env, logger);
  const stopping = new AbortController();
  const stop = (ending: Ending) => {
    // Ctrl-C may arrive twice, from the terminal and from npm: the second signal changes nothing.
    if (stopping.signal.aborted) return;
    logger.info({ reason: ending.reason }, 'stopping: finishing requests in flight');
    manager.stopping();
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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop({ reason: signal, exitCode: 0 }));
  let restart: (() => void) | undefined;
  process.on('SIGHUP', () => {
    // For a process on a terminal, the terminal was closed.
    if (restart && ![0, 1, 2].some(isatty)) restart();
    else stop({ reason: 'SIGHUP', exitCode: 0 });
  });

  const closers: Closers = [];
  let failure: unknown;
  try {
    const ready = await start(config, logger, metrics, stopping.signal, stop, closers);
    logger.info({ version, node: process.versions.node }, `Portico ${version} serves`);
    log.print(ready.text);
    manager.ready(`serves at ${ready.address}`);
    restart = ready.restart;
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  } catch (error) {
    // A stop during the start makes the steps under way fail; the failure is expected.
    if (!stopping.signal.aborted) failure = error;
  }
  await closeAll(closers, logger);
  if (failure === undefined) logger.info({}, 'stopped');
  await log.close();
  if (failure !== undefined) await end(failure, config.metrics?.port);
  process.exit((stopping.signal.reason as Ending).exitCode);
}

/** A portal that answers. */
interface Ready {
  /** Printed text. */
  readonly text: string;
  /** Scheme, host and port. */
  readonly address: string;
  /** Replaces the processes that serve, where there are several. */
  readonly restart?: () => void;
}

/** Throws when told to stop in between. */
async function start(
  config: Config,
  logger: Log,
  metrics: Metrics | undefined,
  stopping: AbortSignal,
  stop: (ending: Ending) => void,
  closers: Closers,
): Promise<Ready> {
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
  const opened = { config, logger, database, stopping, closers, ...(metrics && { metrics }) };
  // Most of the code is loaded only now: a start that cannot work ends sooner.
  const { port, welcome, restart } =
    config.processes > 1
      ? await (await import('./process/several/primary.ts')).serveBySeveral(opened)
      : {
          ...(await (
            await import('./process/serve.ts')
          ).serve({ ...opened, sealer, ...(certificate && { certificate }) })),
          restart: undefined,
        };
  const address = `${config.tls ? 'https' : 'http'}://${shownHost(config.host)}:${port}`;
  return { address, text: `\nPortico is ready at ${address}\n${welcome}\n`, ...(restart && { restart }) };
}

/** Returns the host for the printed address, which a browser on this machine can open. */
function shownHost(host: string): string {
  if (['localhost', '0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Exits with one sentence for an error that an operator can fix, with the whole error for a bug.
 */
async function end(error: unknown, metricsPort: number | undefined): Promise<never> {
  const sentence = operatorSentence(error, metricsPort);
  const output = new LogOutput(2, (dropped) => `${dropped} lines could not be written`);
  if (sentence !== undefined) output.write(`Portico cannot start: ${sentence}\n`);
  else output.write(`Portico ended unexpectedly: ${error instanceof Error ? error.stack : String(error)}\n`);
  await output.flush(LAST_WORDS_MS);
  process.exit(1);
}

// Other output besides the log (warnings of Node.js): its reader may be gone, the disk may be full.
// That ends nothing.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
await main().catch((error: unknown) => end(error, undefined));
