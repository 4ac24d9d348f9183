/** Lists as files: `POST {path of the list}/export` takes the body of the list and answers with a file. */
import type { Operation } from './operations/types.ts';

/** What follows the path of a list in that of its file. */
export const exportSuffix = '/export';

/** Formats of files. */
export const exportFormats = {
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv' },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', ending: 'ndjson' },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ending: 'xlsx' },
} as const;

/** How files show moments: as the clocks of the zone show them, or as text with the offset, which says one moment and no other. */
export const exportTimes = ['local', 'offset'] as const;

/** A form of the moments of a file. */
export type ExportTimes = (typeof exportTimes)[number];

/** Property of an exported workbook that names the time zone of its dates. */
export const workbookZone = 'PorticoTimeZone';

/** A format of a file. */
export type ExportFormat = keyof typeof exportFormats;

export const exportLimits = {
  /** Rows of one file. */
  rows: 100_000,
  /** Columns that a request may name. */
  columns: 600,
  /** Exports of one account at once, and of one tenant, on each node. */
  ofAccount: 2,
  ofTenant: 4,
  /** How long one may take. Minutes. */
  minutes: 10,
} as const;

/** Whether a list can be had as a file. */
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
