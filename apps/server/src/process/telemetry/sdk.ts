/** Loads the packages of OpenTelemetry and starts to export. Queues are bounded, and nothing waits for an exporter. */
import { randomUUID } from 'node:crypto';
import { version } from '../../kernel/version.ts';
import { ConfigError } from '../config/config.ts';
import { type TelemetrySettings, telemetryPackages } from './settings.ts';

/** The packages, and the sources of spans and figures. */
export interface Sdk {
  readonly api: typeof import('@opentelemetry/api');
  readonly tracer: import('@opentelemetry/api').Tracer | undefined;
  readonly meter: import('@opentelemetry/api').Meter;
  /** Exports the rest. */
  shutdown(): Promise<unknown>;
}

/** @throws ConfigError where the packages are not installed */
export async function startSdk(settings: TelemetrySettings): Promise<Sdk> {
  try {
    return await start(settings);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes('@opentelemetry/')) throw error;
    throw new ConfigError(
      `The OTEL_ variables ask for telemetry, and the packages of OpenTelemetry are not installed: run "npm install --no-save --omit=dev ${telemetryPackages.join(' ')}", or set OTEL_SDK_DISABLED=true.`,
    );
  }
}

async function start({ traces, metrics, metricsEvery }: TelemetrySettings): Promise<Sdk> {
  const api = await import('@opentelemetry/api');
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({ 'service.name': 'portico', 'service.version': version })
    .merge(detectResources({ detectors: [envDetector] }))
    // Processes of a node have the same variables.
    .merge(resourceFromAttributes({ 'service.instance.id': randomUUID(), 'process.pid': process.pid }));

  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics');
  const tracing =
    traces &&
    new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(await spanExporter(traces))] });
  const metering = new MeterProvider({
    resource,
    readers: metrics
      ? [
          new PeriodicExportingMetricReader({
            exporter: await metricExporter(metrics),
            exportIntervalMillis: metricsEvery,
            exportTimeoutMillis: Math.min(metricsEvery, 30_000),
          }),
        ]
      : [],
  });
  return {
    api,
    tracer: tracing?.getTracer('portico', version),
    meter: metering.getMeter('portico', version),
    shutdown: () => Promise.allSettled([tracing?.shutdown(), metering.shutdown()]),
  };
}

async function spanExporter(protocol: 'http/protobuf' | 'http/json') {
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  return new OTLPTraceExporter();
}

async function metricExporter(protocol: 'http/protobuf' | 'http/json') {
  const { OTLPMetricExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-metrics-otlp-http')
    : import('@opentelemetry/exporter-metrics-otlp-proto'));
  return new OTLPMetricExporter();
}
