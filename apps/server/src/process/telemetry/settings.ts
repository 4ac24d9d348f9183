/** The variables of OpenTelemetry that decide whether and how telemetry is exported. */
import { ConfigError } from '../config/config.ts';

/** Packages that telemetry needs. They are not installed with Portico; package.json names their versions. */
export const telemetryPackages = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-metrics-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace-base',
] as const;

type Signal = 'TRACES' | 'METRICS';
type Protocol = 'http/protobuf' | 'http/json';

/** Protocols of the signals that are exported; undefined: a signal is not. */
export interface TelemetrySettings {
  readonly traces: Protocol | undefined;
  readonly metrics: Protocol | undefined;
  /** Milliseconds. */
  readonly metricsEvery: number;
}

const EVERY_MS = 60_000;

/** @returns undefined where nothing is exported @throws ConfigError for a protocol or exporter other than OTLP over HTTP */
export function readTelemetrySettings(env: Readonly<NodeJS.ProcessEnv>): TelemetrySettings | undefined {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined;
  const [traces, metrics] = [protocolOf(env, 'TRACES'), protocolOf(env, 'METRICS')];
  if (!traces && !metrics) return undefined;
  const every = Number(env['OTEL_METRIC_EXPORT_INTERVAL'] || EVERY_MS);
  if (!Number.isInteger(every) || every < 100)
    throw new ConfigError('OTEL_METRIC_EXPORT_INTERVAL must be a number of milliseconds, at least 100.');
  return { traces, metrics, metricsEvery: every };
}

function protocolOf(env: Readonly<NodeJS.ProcessEnv>, signal: Signal): Protocol | undefined {
  const exporter = env[`OTEL_${signal}_EXPORTER`] || undefined;
  if (exporter === 'none') return undefined;
  if (exporter !== undefined && exporter !== 'otlp')
    throw new ConfigError(`OTEL_${signal}_EXPORTER must be otlp or none.`);
  const endpoint = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (exporter === undefined && !endpoint) return undefined;
  const protocol =
    env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}: Portico exports over HTTP, as http/protobuf or http/json.`,
    );
  return protocol;
}
