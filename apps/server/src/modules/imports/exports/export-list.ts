/** Exports a list as a file: reads and writes page by page, and keeps none in memory. */
import { Readable } from 'node:stream';
import { exportLimits, type Operation } from '@portico/contract';
import { TimeInputError, zoneFor } from '@portico/platform/time';
import { endAfter } from '../../../kernel/end-after.ts';
import { invalid, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { Slots } from '../../../kernel/slots.ts';
import { sqlColumns } from '../../columns.ts';
import { getDefinition } from '../../communities/index.ts';
import { type Column, type Item, plainColumns, postColumns } from './columns.ts';
import { type Cell, csvOf, type MomentForm, ndjsonOf, type SheetFormat, withOffsets, xlsxOf } from './sheets/index.ts';

const users = sqlColumns('users');

/** Items of one page. */
const PAGE_SIZE = 200;

const slots = new Slots(exportLimits, 'exports');
const LONGEST_MS = exportLimits.minutes * 60_000;

/** A page of a list, as the operation returns it. */
export interface ListPage {
  readonly items?: readonly Item[];
  readonly nextPageToken?: string;
  readonly totalItemsCount?: number;
}

interface ExportRequest {
  readonly operation: Operation;
  /** The community of a list of posts. */
  readonly communityId?: number;
  readonly format: SheetFormat;
  /** Names of columns; omitted: the default columns. */
  readonly columns?: readonly string[] | undefined;
  /** Name of the time zone of the times in the file; omitted: the zone of the caller. */
  readonly timezone?: string | undefined;
  /** Format of moments; omitted: local time. */
  readonly times?: MomentForm | undefined;
  /** Time limit in milliseconds; default: the limit of the contract. */
  readonly longestMs?: number | undefined;
  /**
   * Reads a page. @param fields required members of posts; undefined for other lists
   * @throws PorticoError where the caller has no access, or has lost it
   */
  page(
    paging: { pageToken?: string; pageSize: number; calculateTotalItemsCount: boolean },
    fields?: string[],
  ): Promise<ListPage>;
}

/**
 * Exports a list. All checks run before the first byte.
 * @returns the file; the export ends when the consumer stops reading it
 * @throws ValidationError for unknown columns and zones, and for a list that is too long;
 * TOO_MANY_AT_ONCE; errors of the list
 */
export async function exportList(scope: Scope, request: ExportRequest): Promise<Readable> {
  const release = await slots.take(scope.limits, scope.tenant.id, scope.actor.userId);
  try {
    const timezone = await zoneOf(scope, request.timezone);
    const columns = await columnsOf(scope, request);
    const fields = request.communityId === undefined ? undefined : columns.map(({ name }) => name);
    const first = await request.page({ pageSize: PAGE_SIZE, calculateTotalItemsCount: true }, fields);
    if ((first.totalItemsCount ?? 0) > exportLimits.rows) {
      throw invalid(
        '$',
        'TOO_MANY_ITEMS',
        `The list has ${first.totalItemsCount} items; an export may have ${exportLimits.rows}. Narrow it by filters.`,
        [exportLimits.rows],
      );
    }
    const header = columns.map(({ label }) => label);
    const rows = rowsOf(request, first, fields, columns, timezone);
    const file = write(request.format, header, rows, timezone, new Date(scope.clock.now()));
    file.once('close', release);
    endAfter(file, request.longestMs ?? LONGEST_MS, 'The export took too long.');
    return file;
  } catch (error) {
    release();
    throw error;
  }
}

function write(
  format: SheetFormat,
  header: readonly string[],
  rows: AsyncIterable<Cell[][]>,
  timezone: string,
  at: Date,
): Readable {
  if (format === 'xlsx') return xlsxOf(header, rows, timezone, at);
  const lines = format === 'csv' ? csvOf(header, rows) : ndjsonOf(header, rows);
  return Readable.from(lines, { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* rowsOf(
  request: ExportRequest,
  first: ListPage,
  fields: string[] | undefined,
  columns: readonly Column[],
  timezone: string,
): AsyncGenerator<Cell[][], void, undefined> {
  const form = request.times === 'offset' && request.format !== 'ndjson' ? withOffsets : (cell: Cell) => cell;
  let left: number = exportLimits.rows;
  for (let page = first; ; ) {
    const items = (page.items ?? []).slice(0, left);
    left -= items.length;
    yield items.map((item) => columns.map((column) => form(column.cell(item, timezone))));
    const { nextPageToken } = page;
    if (nextPageToken === undefined || left <= 0) return;
    page = await request.page(
      { pageToken: nextPageToken, pageSize: PAGE_SIZE, calculateTotalItemsCount: false },
      fields,
    );
  }
}

async function columnsOf(scope: Scope, { operation, communityId, columns }: ExportRequest): Promise<Column[]> {
  if (columns && columns.length > exportLimits.columns)
    throw invalid('columns', 'TOO_MANY_ITEMS', `columns may name at most ${exportLimits.columns}.`);
  if (communityId === undefined) return plainColumns(operation, columns);
  const definition = scope.actor.roles.has(communityId) ? await getDefinition(scope, communityId) : undefined;
  if (!definition) throw new PorticoError('NOT_FOUND');
  return postColumns(definition, columns);
}

/** @throws ValidationError */
async function zoneOf(scope: Scope, asked: string | undefined): Promise<string> {
  if (asked !== undefined) {
    try {
      return zoneFor(asked).name;
    } catch (error) {
      if (!(error instanceof TimeInputError)) throw error;
      throw invalid('timezone', 'INVALID_TIME_ZONE');
    }
  }
  const [user] = await scope.db.query<{ timezone: string | null }>(
    `SELECT ${users.timezone} FROM users WHERE tenant_id = $1 AND ${users.id} = $2`,
    [scope.db.tenantId, scope.actor.userId],
  );
  return user?.timezone ?? scope.settings.defaultTimezone;
}
