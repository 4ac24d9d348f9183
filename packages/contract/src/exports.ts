/**
 * Lists as files: `POST {path of the list}/export` takes the body of the list and returns a file.
 */
import type { Operation } from './operations/types.ts';

/** Suffix of a list's path for its file. */
export const exportSuffix = '/export';

/** Formats of files. */
export const exportFormats = {
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv' },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', ending: 'ndjson' },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ending: 'xlsx' },
} as const;

/**
 * Form of moments in files: local time of the zone, or text with the offset, which is unambiguous.
 */
export const exportTimes = ['local', 'offset'] as const;

/** A form of the moments of a file. */
export type ExportTimes = (typeof exportTimes)[number];

/** Property of an exported workbook that names the time zone of its dates. */
export const workbookZone = 'PorticoTimeZone';

/** A format of a file. */
export type ExportFormat = keyof typeof exportFormats;

export const exportLimits = {
  /** Maximum rows of a file. */
  rows: 100_000,
  /** Maximum columns in a request. */
  columns: 600,
  /** Simultaneous exports of an account, and of a tenant, on each node. */
  ofAccount: 2,
  ofTenant: 4,
  /** Maximum duration. Minutes. */
  minutes: 10,
} as const;

/** Whether a list has an export. */
export function isExported({ kind, method, paging, permission, command }: Operation): boolean {
  const list = kind === 'read' && method === 'POST' && paging === 'page';
  return list && command.columns !== undefined && permission !== 'public';
}

/** Path of the file of a list, below the prefix of the interface. */
export function exportPath({ path }: Pick<Operation, 'path'>): string {
  return `${path}${exportSuffix}`;
}

/** Name of the client library's method that exports a list: `posts.list` has `posts.export`, `posts.history` has `posts.exportHistory`. */
export function exportMethod({ clientMethod }: Pick<Operation, 'clientMethod'>): string {
  const rest = clientMethod.startsWith('list') ? clientMethod.slice('list'.length) : clientMethod;
  return `export${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}
