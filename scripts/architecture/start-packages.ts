/**
 * A start of the server or an operator command does not load heavy packages; their first use loads
 * them.
 */
import { findImports } from './imports.ts';

/** Entries of the server, relative to the root. */
const ENTRIES = ['apps/server/src/main.ts', 'apps/server/src/process/operator.ts'];
/** Packages that a start does not load. */
const LATE = [
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-presigned-post',
  '@opentelemetry/api',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-metrics-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace-base',
  '@simplewebauthn/server',
  'chardet',
  'diff',
  'luxon',
  'nodemailer',
  'openid-client',
  'pino-pretty',
  'prom-client',
  'web-push',
  'yaml',
];

/** @returns one sentence per package that a start loads, with the files that lead to it */
export function checkStartPackages(files: readonly { path: string; text: string }[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const importer = new Map<string, string | undefined>(ENTRIES.map((entry) => [entry, undefined]));
  const problems: string[] = [];
  // Iteration of a map follows the order of its entries and includes entries added meanwhile.
  for (const file of importer.keys()) {
    for (const { specifier, target, typeOnly, late } of findImports(file, texts.get(file) ?? '')) {
      if (typeOnly || late) continue;
      if (LATE.includes(specifier))
        problems.push(`${wayTo(file)} loads ${specifier} at the start; import it by import() where it is used`);
      if (target?.endsWith('.ts') && !importer.has(target)) importer.set(target, file);
    }
  }
  return problems;

  function wayTo(file: string): string {
    const before = importer.get(file);
    return before === undefined ? file : `${wayTo(before)} → ${file}`;
  }
}
