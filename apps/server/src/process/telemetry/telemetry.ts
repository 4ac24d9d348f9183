/**
 * Spans and figures for OpenTelemetry. A span has the name of an operation, a job or a method, the
 * name of the tenant, a status, and numbers: no text, address, header or parameter of a request.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attributes, Histogram, Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../../kernel/scope.ts';
import type { Closers } from '../closers.ts';
import { watchOutgoing } from './outgoing.ts';
import { type Sdk, startSdk } from './sdk.ts';
import { readTelemetrySettings } from './settings.ts';

/** Time for the last export. Milliseconds. */
const LAST_EXPORT_MS = 3_000;
/** At most one line of the log tells of failing exports within this time. Milliseconds. */
const TOLD_EVERY_MS = 60_000;
const BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Other methods are one value, so that clients cannot add values. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Routes that balancers ask. */
const PROBES: readonly string[] = ['/healthz', '/readyz'];

/** A request or a run of a job that is under way. */
interface ActiveWork {
  readonly span: Span | undefined;
  statements: number;
  statementMs: number;
}

/** @returns undefined unless the variables of OpenTelemetry ask for it @throws ConfigError */
export async function openTelemetry(
  env: Readonly<NodeJS.ProcessEnv>,
  log: Log,
  closers: Closers,
): Promise<Telemetry | undefined> {
  const settings = readTelemetrySettings(env);
  if (!settings) return undefined;
  const sdk = await startSdk(settings);
  const { diag, DiagLogLevel } = sdk.api;
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = () => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = performance.now();
    log.warn({}, 'telemetry could not be exported to the OTLP endpoint');
  };
  const nothing = () => undefined;
  diag.setLogger(
    { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const telemetry = new Telemetry(sdk);
  closers.push(() => telemetry.close());
  return telemetry;
}

export class Telemetry {
  readonly #sdk: Sdk;
  readonly #active = new AsyncLocalStorage<ActiveWork>();
  readonly #requests: Histogram;
  readonly #statements: Histogram;
  readonly #jobs: Histogram;
  readonly #unwatch: () => void;

  constructor(sdk: Sdk) {
    this.#sdk = sdk;
    const histogram = (name: string, description: string) =>
      sdk.meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: BOUNDARIES } });
    this.#requests = histogram('http.server.request.duration', 'Duration of requests');
    this.#statements = histogram('db.client.operation.duration', 'Duration of statements of the database');
    this.#jobs = histogram('portico.job.duration', 'Duration of runs of background jobs');
    this.#unwatch = watchOutgoing({
      begin: (method, host) => {
        const parent = this.#active.getStore()?.span;
        // Exports themselves belong to no work.
        if (!parent?.isRecording()) return undefined;
        const attributes = { 'http.request.method': methodOf(method), 'server.address': host };
        return this.#beginSpan(methodOf(method), sdk.api.SpanKind.CLIENT, attributes, parent);
      },
      end: (span, status) => this.#endSpan(span, status === undefined || status >= 400, statusOf(status)),
    });
  }

  /** Adds spans and durations of all requests. Probes are omitted. */
  watchRequests(app: FastifyInstance): void {
    const works = new WeakMap<FastifyRequest, ActiveWork>();
    app.addHook('onRequest', (request, reply, next) => {
      const begun = performance.now();
      const span = this.#beginSpan('request', this.#sdk.api.SpanKind.SERVER, {});
      const work: ActiveWork = { span, statements: 0, statementMs: 0 };
      works.set(request, work);
      reply.raw.once('close', () => this.#endRequest(request, reply.raw.statusCode, work, performance.now() - begun));
      this.#active.run(work, next);
    });
    // Reading a body leaves the context.
    app.addHook('preValidation', (request, _reply, next) => {
      const work = works.get(request);
      if (work) this.#active.run(work, next);
      else next();
    });
  }

  #endRequest(request: FastifyRequest, status: number, work: ActiveWork, ms: number): void {
    const { config, url } = request.routeOptions;
    // The pattern of a route, never the path.
    const operation = config.operation?.id ?? url ?? 'unknown';
    if (PROBES.includes(operation)) return;
    const attributes = { 'http.request.method': methodOf(request.method), 'portico.operation': operation };
    this.#requests.record(ms / 1_000, { ...attributes, ...statusOf(status) });
    work.span?.updateName(operation);
    this.#endSpan(work.span, status >= 500, {
      ...attributes,
      ...statusOf(status),
      ...tenantOf(request.tenantScope?.tenant.name),
      ...databaseOf(work),
    });
  }

  /** Runs a job of a tenant within a span. */
  async runJob<T>(job: string, tenant: string, run: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const span = this.#beginSpan(`job ${job}`, this.#sdk.api.SpanKind.INTERNAL, { 'portico.job': job });
    const work: ActiveWork = { span, statements: 0, statementMs: 0 };
    let failed = true;
    try {
      const result = await this.#active.run(work, run);
      failed = false;
      return result;
    } finally {
      this.#jobs.record((performance.now() - begun) / 1_000, { 'portico.job': job, 'portico.failed': failed });
      this.#endSpan(span, failed, { ...tenantOf(tenant), ...databaseOf(work) });
    }
  }

  observeStatement(milliseconds: number): void {
    this.#statements.record(milliseconds / 1_000, { 'db.system.name': 'postgresql' });
    const work = this.#active.getStore();
    if (!work) return;
    work.statements += 1;
    work.statementMs += milliseconds;
  }

  /** Exports the rest, as long as that takes no longer than {@link LAST_EXPORT_MS}. */
  async close(): Promise<void> {
    this.#unwatch();
    await Promise.race([this.#sdk.shutdown(), sleep(LAST_EXPORT_MS, undefined, { ref: false })]);
  }

  #beginSpan(name: string, kind: number, attributes: Attributes, parent?: Span): Span | undefined {
    const { trace, ROOT_CONTEXT } = this.#sdk.api;
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return this.#sdk.tracer?.startSpan(name, { kind, attributes }, context);
  }

  /** Ends a span outside of its work: the timers of the queue would take the work along. */
  #endSpan(span: Span | undefined, failed: boolean, attributes: Attributes): void {
    if (!span) return;
    span.setAttributes(attributes);
    if (failed) span.setStatus({ code: this.#sdk.api.SpanStatusCode.ERROR });
    this.#active.exit(() => span.end());
  }
}

const methodOf = (method: string) => (METHODS.includes(method) ? method : '_OTHER');
const statusOf = (status: number | undefined) => (status === undefined ? {} : { 'http.response.status_code': status });
const tenantOf = (tenant: string | undefined) => (tenant === undefined ? {} : { 'portico.tenant': tenant });
const databaseOf = ({ statements, statementMs }: ActiveWork) => ({
  'portico.db.statements': statements,
  'portico.db.seconds': statementMs / 1_000,
});
