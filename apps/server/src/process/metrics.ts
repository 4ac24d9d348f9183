/** Prometheus metrics, served on their own address. */
import { createServer, type Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../kernel/version.ts';
import { BusiestTenants } from './busiest-tenants.ts';
import { type MeasuredValue, watchInstallation } from './installation-metrics.ts';

/** Lag of the stream: change rows without a number. */
export interface StreamLag {
  pending: number;
  /** Age of the oldest of them; 0 when there is none. Seconds. */
  oldestSeconds: number;
}

/**
 * Size of the files of one tenant, and the numbers of files that wait for a job or failed in it.
 */
export interface TenantFiles {
  readonly tenant: string;
  readonly bytes: number;
  /** Null: no quota. */
  readonly quotaBytes: number | null;
  readonly waiting: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
}

/** Mails of one tenant that did not arrive, or not yet, by state. */
export interface TenantMails {
  readonly tenant: string;
  readonly states: Readonly<Record<string, number>>;
}

/** Gauges of a process that are measured per scrape. */
interface MeasuredProcess {
  pool(): { total: number; idle: number; waiting: number; cancelled: number };
}

/** Gauges that are measured per scrape and belong to no process. */
interface MeasuredNode {
  /** Workers of a cluster; none elsewhere. */
  workers(): readonly { readonly name: string; readonly answers: boolean }[];
  streamLag(): Promise<StreamLag>;
  files(): Promise<readonly TenantFiles[]>;
  mails(): Promise<readonly TenantMails[]>;
  /** Seconds since the moment of the newest backup; Infinity: there has been none. */
  backupAge(): Promise<number>;
  /** Figures about the whole installation. */
  installation(): Promise<readonly MeasuredValue[]>;
  /** Free space for files; undefined where the storage does not report it. Bytes. */
  freeBytes?(): Promise<number | undefined>;
  /** Called when a measurement failed; the gauge is then left out. */
  onError(error: unknown): void;
}

/** Measurements that ask the database are at most this old. Milliseconds. */
const LAG_FRESH_MS = 5_000;
/** Maximum age in milliseconds of measurements that read every file. */
const FILES_FRESH_MS = 60_000;

/** Operations that sign somebody in. */
const SIGN_IN = /^(?:createAccessTokenBy|startSession|signInByProvider)/;
/** The answers of a refused sign-in. */
const REFUSED: readonly number[] = [401, 429];
/** Quantiles of the event-loop delay. */
const QUANTILES = [0.5, 0.99, 1];

export class Metrics {
  readonly registry = new Registry();
  readonly #busiest = new BusiestTenants();
  readonly #ofTenants: Counter<'tenant'>;
  readonly #signInsRefused: Counter;
  readonly #jobFailures: Counter<'job'>;
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #statements: Histogram;
  readonly #logged: Counter<'level'>;
  readonly #measuring = new Set<Promise<void>>();
  #closed = false;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Histogram({
      name: 'portico_http_request_seconds',
      help: 'Duration of requests by operation and status',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.registry],
    });
    this.#statements = new Histogram({
      name: 'portico_db_statement_seconds',
      help: 'Duration of database statements as seen by the service',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5],
      registers: [this.registry],
    });
    this.#ofTenants = new Counter({
      name: 'portico_tenant_requests_total',
      help: 'Requests of the 50 busiest tenants by name, and of all others together',
      labelNames: ['tenant'],
      registers: [this.registry],
    });
    this.#signInsRefused = new Counter({
      name: 'portico_sign_ins_refused_total',
      help: 'Sign-ins that were refused with 401 or 429',
      registers: [this.registry],
    });
    this.#jobFailures = new Counter({
      name: 'portico_job_failures_total',
      help: 'Runs of background jobs that failed; they are tried again',
      labelNames: ['job'],
      registers: [this.registry],
    });
    new Gauge({
      name: 'portico_build_info',
      help: 'Always 1, with the versions of Portico and Node.js',
      labelNames: ['version', 'node'],
      registers: [this.registry],
      // All processes of a node are of one version.
      aggregator: 'first',
    }).set({ version, node: process.versions.node }, 1);
    this.#logged = new Counter({
      name: 'portico_log_lines_total',
      help: 'Log lines of level warn and error',
      labelNames: ['level'],
      registers: [this.registry],
    });
  }

  /** Adds gauges of this process. Call it once. */
  watchProcess(measured: MeasuredProcess): void {
    this.#watchEventLoop();
    new Gauge({
      name: 'portico_db_connections',
      help: 'Database connections of this node by state; waiting counts requests that wait for one',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        const stats = measured.pool();
        this.set({ state: 'idle' }, stats.idle);
        this.set({ state: 'busy' }, stats.total - stats.idle);
        this.set({ state: 'waiting' }, stats.waiting);
      },
    });
    new Gauge({
      name: 'portico_db_statements_cancelled',
      help: 'Statements cancelled since the start: they took too long, or their client went away',
      registers: [this.registry],
      collect() {
        this.set(measured.pool().cancelled);
      },
    });
  }

  /**
   * Adds gauges that one process of a node measures. Gauges from the database are measured in the
   * background: a scrape gets the values of the previous one and never waits. Call it once.
   */
  watchNode(measured: MeasuredNode): void {
    new Gauge({
      name: 'portico_db_worker_up',
      help: 'Whether a worker of the cluster (Citus) answers the coordinator: 1 or 0',
      labelNames: ['worker'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { name, answers } of measured.workers()) this.set({ worker: name }, answers ? 1 : 0);
      },
    });
    this.#watchFiles(measured);
    this.#watchMails(measured);
    this.#watchBackups(measured);
    watchInstallation(this.registry, (measure) => this.#inBackground(measure), {
      measure: () => measured.installation(),
      onError: measured.onError,
    });
    new Gauge({
      name: 'portico_files_free_bytes',
      help: 'Free space in the directory of files',
      registers: [this.registry],
      async collect() {
        const free = await measured.freeBytes?.();
        if (free !== undefined) this.set(free);
      },
    });
    let measuredAt = Number.NEGATIVE_INFINITY;
    // Both figures come from one measurement, whichever is asked for first.
    const collect = this.#inBackground(() => refresh());
    const pending = new Gauge({
      name: 'portico_stream_pending_changes',
      help: 'Change rows that followers of the stream cannot see yet, of all tenants',
      registers: [this.registry],
      collect,
    });
    const oldest = new Gauge({
      name: 'portico_stream_oldest_pending_seconds',
      help: 'Age of the oldest change row that followers of the stream cannot see yet',
      registers: [this.registry],
      collect,
    });
    const refresh = async () => {
      if (performance.now() - measuredAt < LAG_FRESH_MS) return;
      try {
        const lag = await measured.streamLag();
        pending.set(lag.pending);
        oldest.set(lag.oldestSeconds);
        measuredAt = performance.now();
      } catch (error) {
        pending.remove();
        oldest.remove();
        measured.onError(error);
      }
    };
  }

  /** Delay of the event loop of this process since the previous scrape. */
  #watchEventLoop(): void {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    new Gauge({
      name: 'portico_event_loop_delay_seconds',
      help: 'Delay of the event loop of each process since the previous scrape',
      labelNames: ['process', 'quantile'],
      registers: [this.registry],
      collect() {
        for (const quantile of QUANTILES) {
          const labels = { process: process.pid, quantile };
          this.set(labels, delay.count === 0 ? 0 : delay.percentile(quantile * 100) / 1e9);
        }
        delay.reset();
      },
    });
  }

  /** Adds the number of live connections of this process. Call it once. */
  watchLive(connections: () => number): void {
    new Gauge({
      name: 'portico_live_connections',
      help: 'Connections that follow changes as they happen',
      registers: [this.registry],
      collect() {
        this.set(connections());
      },
    });
  }

  /** Waits for running measurements. */
  async measured(): Promise<void> {
    await Promise.all(this.#measuring);
  }

  /** Begins no further measurement: the measured services are about to be closed. */
  close(): void {
    this.#closed = true;
  }

  /** Starts a measurement unless one is running. @param measure never throws */
  #inBackground(measure: () => Promise<void>): () => void {
    let running: Promise<void> | undefined;
    return () => {
      if (running || this.#closed) return;
      const begun = measure().finally(() => {
        running = undefined;
        this.#measuring.delete(begun);
      });
      running = begun;
      this.#measuring.add(begun);
    };
  }

  /** Age of the newest backup. */
  #watchBackups(measured: MeasuredNode): void {
    let measuredAt = Number.NEGATIVE_INFINITY;
    const age = new Gauge({
      name: 'portico_backup_age_seconds',
      help: 'Time since the moment that the newest backup holds, of Portico or reported; +Inf if there has been none',
      registers: [this.registry],
      collect: this.#inBackground(async () => {
        if (performance.now() - measuredAt < LAG_FRESH_MS) return;
        try {
          age.set(await measured.backupAge());
          measuredAt = performance.now();
        } catch (error) {
          age.remove();
          measured.onError(error);
        }
      }),
    });
    // Absent until it is measured: 0 would be a new backup.
    age.remove();
  }

  /** Mails that did not arrive, by tenant. */
  #watchMails(measured: MeasuredNode): void {
    let measuredAt = Number.NEGATIVE_INFINITY;
    const mails = new Gauge({
      name: 'portico_mails',
      help: 'Mails by state: waiting (due or tried again), failed (given up), unsent (there was no mail server)',
      labelNames: ['tenant', 'state'],
      registers: [this.registry],
      collect: this.#inBackground(async () => {
        if (performance.now() - measuredAt < LAG_FRESH_MS) return;
        try {
          const tenants = await measured.mails();
          mails.reset();
          for (const { tenant, states } of tenants)
            for (const [state, count] of Object.entries(states)) mails.set({ tenant, state }, count);
          measuredAt = performance.now();
        } catch (error) {
          mails.reset();
          measured.onError(error);
        }
      }),
    });
  }

  /** Size and background jobs of files, by tenant. */
  #watchFiles(measured: MeasuredNode): void {
    let measuredAt = Number.NEGATIVE_INFINITY;
    // All figures come from one measurement, whichever is asked for first.
    const collect = this.#inBackground(() => measure());
    const gauge = (name: string, help: string, labelNames: string[]) =>
      new Gauge({ name, help, labelNames, registers: [this.registry], collect });
    const bytes = gauge('portico_files_bytes', 'Bytes of all files of a tenant', ['tenant']);
    const quota = gauge('portico_files_quota_bytes', 'Most that the files of a tenant may take', ['tenant']);
    const waiting = gauge('portico_files_waiting', 'Files that wait for previews or for their text', [
      'tenant',
      'work',
    ]);
    const failed = gauge('portico_files_failed', 'Files whose previews or text could not be made', ['tenant', 'work']);
    const measure = async () => {
      if (performance.now() - measuredAt < FILES_FRESH_MS) return;
      const all = [bytes, quota, waiting, failed];
      try {
        const tenants = await measured.files();
        for (const one of all) one.reset();
        for (const { tenant, ...files } of tenants) {
          bytes.set({ tenant }, files.bytes);
          if (files.quotaBytes !== null) quota.set({ tenant }, files.quotaBytes);
          for (const [work, count] of Object.entries(files.waiting)) waiting.set({ tenant, work }, count);
          for (const [work, count] of Object.entries(files.failed)) failed.set({ tenant, work }, count);
        }
        measuredAt = performance.now();
      } catch (error) {
        for (const one of all) one.reset();
        measured.onError(error);
      }
    };
  }

  /** @param seconds time until the answer was sent @param tenant undefined where the request named none */
  observeRequest(operation: string, status: number, seconds: number, tenant: string | undefined): void {
    this.#requests.observe({ operation, status: String(status) }, seconds);
    if (SIGN_IN.test(operation) && REFUSED.includes(status)) this.#signInsRefused.inc();
    if (tenant === undefined) return;
    const { name, dropped } = this.#busiest.count(tenant);
    for (const one of dropped) this.#ofTenants.remove({ tenant: one });
    this.#ofTenants.inc({ tenant: name });
  }

  countJobFailure(job: string): void {
    this.#jobFailures.inc({ job });
  }

  observeStatement(milliseconds: number): void {
    this.#statements.observe(milliseconds / 1000);
  }

  countLog(level: 'warn' | 'error'): void {
    this.#logged.inc({ level });
  }

  /** Serves `/metrics` on an address of its own. @param text returns the response */
  async listen({ host, port }: { host: string; port: number }, text: () => Promise<string>): Promise<Server> {
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      text().then(
        (figures) => response.writeHead(200, { 'Content-Type': this.registry.contentType }).end(figures),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(port, host, resolve);
    await promise;
    return server;
  }
}

/** Closes a server with all its connections. */
export function closeNow(server: Server): void {
  server.close();
  server.closeAllConnections();
}
