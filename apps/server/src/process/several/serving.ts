/** A serving process: follows the orders of the primary process of its node, and ends with it. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '@portico/platform/log/logger';
import { readCertificate } from '../certificate.ts';
import { type Closers, closeAll, type Ending } from '../closers.ts';
import { readConfig } from '../config/config.ts';
import { attachDatabase } from '../database.ts';
import type { Metrics } from '../metrics.ts';
import { openSealer } from '../sealer.ts';
import type { ServingPart } from '../serve.ts';
import { operatorSentence } from '../start-errors.ts';
import { writeFigures } from './figures-text.ts';
import { LAST_FIGURES, type Order, type Report, type StartOrder } from './messages.ts';
import { AskedLimits } from './node-limits.ts';

/** Closed connections are reported together. Milliseconds. */
const CLOSED_MS = 20;
/** Time to finish requests once the primary is gone. Milliseconds. */
const ORPHAN_MS = 5_000;
/** Time for the last report. Milliseconds. */
const LAST_REPORT_MS = 1_000;

/** Sends a report. @returns once it is sent, or cannot be */
function report(message: Report): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Without a primary process there is nobody to tell.
  if (process.connected && process.send) process.send(message, undefined, undefined, () => resolve());
  else resolve();
  return promise;
}

/** The orders of the primary so far. */
class Orders {
  readonly started = Promise.withResolvers<StartOrder>();
  /** Resolved when the process is to end. */
  readonly ended = Promise.withResolvers<void>();
  /** Aborted when the node stops, or before the process serves. */
  readonly stopping = new AbortController();
  lastRequestMs: number | undefined;
  limits: AskedLimits | undefined;
  metrics: Metrics | undefined;
  part: ServingPart | undefined;
  #closed = 0;
  #reporting: NodeJS.Timeout | undefined;

  /** @param socket of the order to serve a connection; undefined where its client went away on the way */
  take(order: Order, socket: Socket | undefined): void {
    const { kind } = order;
    if (kind === 'start') this.started.resolve(order);
    else if (kind === 'jobs') this.part?.startJobs();
    else if (kind === 'connection') this.#serve(socket);
    else if (kind === 'answer') this.limits?.answered(order.id, order.answer);
    else if (kind === 'measure') void this.measure(order.id);
    else if (kind === 'drain') this.#drain();
    else {
      this.lastRequestMs = order.lastRequestMs;
      this.end();
    }
  }

  /** Ends the process, or gives up its start. */
  end(): void {
    if (!this.part) this.#drain();
    this.ended.resolve();
  }

  /** Reports the figures of this process. */
  async measure(id: number): Promise<void> {
    const metrics = (await this.metrics?.registry.getMetricsAsJSON()) ?? [];
    await report({ kind: 'measured', id, figures: writeFigures(metrics) });
  }

  #drain(): void {
    const ending: Ending = { reason: 'the node stops', exitCode: 0 };
    this.stopping.abort(ending);
  }

  #serve(socket: Socket | undefined): void {
    if (socket && this.part) this.part.take(socket, () => this.#noteClosed());
    else {
      socket?.destroy();
      this.#noteClosed();
    }
  }

  #noteClosed(): void {
    this.#closed++;
    this.#reporting ??= setTimeout(() => {
      void report({ kind: 'closed', connections: this.#closed });
      this.#closed = 0;
      this.#reporting = undefined;
    }, CLOSED_MS);
  }
}

/** Serves until the primary process orders the end, or is gone. */
export async function serveOrders(): Promise<void> {
  const orders = new Orders();
  process.on('message', (order: Order, socket?: Socket) => orders.take(order, socket));
  // The terminal tells all processes of a node; they hear it from the primary process, which is told as well.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => void report({ kind: 'leaving' }));
  process.once('disconnect', () => {
    orders.lastRequestMs = 0;
    orders.end();
    setTimeout(() => process.exit(1), ORPHAN_MS);
  });
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const config = readConfig(process.env);
  const { level, format } = { level: config.logLevel, format: config.logFormat };
  const log = await openLog({ level, format, count: (counted) => orders.metrics?.countLog(counted) });
  if (config.metrics) orders.metrics = new (await import('../metrics.ts')).Metrics();
  const closers: Closers = [];
  let failure: unknown;
  try {
    await start(orders, config, log.logger, closers);
    await orders.ended.promise;
  } catch (error) {
    // A stop during the start makes the steps under way fail; the failure is expected.
    if (!orders.stopping.signal.aborted) failure = error;
  }
  orders.metrics?.close();
  await closeAll(closers, log.logger);
  await log.close();
  await Promise.race([
    failure === undefined ? orders.measure(LAST_FIGURES) : report(failureReport(failure)),
    sleep(LAST_REPORT_MS),
  ]);
  process.exit(failure === undefined ? 0 : 1);
}

/** Starts to serve, once that is ordered. Throws when told to stop in between. */
async function start(
  orders: Orders,
  config: ReturnType<typeof readConfig>,
  logger: Awaited<ReturnType<typeof openLog>>['logger'],
  closers: Closers,
): Promise<void> {
  // Most code is loaded now, while another process may still make the demo.
  const { serveAsPart } = await import('../serve.ts');
  const ordered = await Promise.race([orders.started.promise, orders.ended.promise]);
  orders.stopping.signal.throwIfAborted();
  const { database: handed, first, processes, connections } = ordered as StartOrder;
  const database = await attachDatabase(config, handed);
  const sealer = await openSealer(config, database.owner);
  const limits = new AskedLimits(processes, {
    ask: (id, question) => void report({ kind: 'ask', id, question }),
    release: (id) => void report({ kind: 'release', id }),
  });
  orders.limits = limits;
  const part = await serveAsPart(
    {
      config: { ...config, databasePoolSize: connections },
      logger,
      database,
      sealer,
      stopping: orders.stopping.signal,
      closers,
      ...(orders.metrics && { metrics: orders.metrics }),
      ...(config.tls && { certificate: readCertificate(config.tls) }),
    },
    {
      first,
      limits,
      lastRequestMs: () => orders.lastRequestMs,
    },
  );
  orders.part = part;
  await report({ kind: 'ready', welcome: part.welcome });
}

function failureReport(error: unknown): Report {
  const sentence = operatorSentence(error, undefined);
  return {
    kind: 'failed',
    ...(sentence !== undefined && { sentence }),
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
