/** The filter on events (contract: EventPostFilter): their time and place. */
import { type EventPostFilter, PostType } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { normaliseText } from '@portico/platform/text';
import { parseDateInput, resolveZoned, TimeInputError } from '@portico/platform/time';
import type { FieldErrors } from '../../../../kernel/errors.ts';
import { type Condition, columnCondition, type Statement } from './statement.ts';

const DAY_MS = 86_400_000;
/** The last supported day. */
const LAST_DAY = Date.UTC(9999, 11, 31);
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Scope in which the filter is read. */
interface EventFilterContext {
  readonly db: TenantExecutor;
  readonly communityId: number;
  /** IANA zone in which a day without a time begins and ends. */
  readonly timezone: string;
}

/**
 * Returns conditions of an event filter; each limits the list to events. An event without an end
 * ends when it starts. An all-day event lasts from midnight UTC of its first day to the last
 * millisecond, in UTC, of its last one; a day in the filter is compared with its days as such,
 * regardless of the zone in which other events are compared. The words of a location are compared
 * in normal form, which only this program computes: the distinct locations of the community's
 * events are read and compared here, and the statement gets the matching ones.
 */
export async function eventConditions(
  filter: EventPostFilter,
  context: EventFilterContext,
  path: string,
  errors: FieldErrors,
): Promise<Condition[]> {
  const bounds: [name: string, test: (p: string, sql: Statement) => string][] = [];
  const starts = (p: string) => `${p}.event_start_at`;
  const ends = (p: string) =>
    `coalesce(${p}.event_end_at, ${p}.event_start_at) + CASE WHEN ${p}.event_all_day THEN interval '${DAY_MS - 1} milliseconds' ELSE interval '0' END`;
  const bound = (name: string, side: (p: string) => string, operator: string, ms: number | undefined) => {
    if (ms !== undefined) bounds.push([`${name}${ms}`, (p, sql) => `${side(p)} ${operator} ${sql.time(ms)}`]);
  };
  const dayBound = (name: string, side: (p: string) => string, operator: string, ms: DayBound | undefined) => {
    if (!ms) return;
    const test = (p: string, sql: Statement) =>
      ms.day === ms.instant
        ? `${side(p)} ${operator} ${sql.time(ms.instant)}`
        : `${side(p)} ${operator} CASE WHEN ${p}.event_all_day THEN ${sql.time(ms.day)} ELSE ${sql.time(ms.instant)} END`;
    bounds.push([`${name}${ms.instant}/${ms.day}`, test]);
  };
  dayBound('from', ends, '>=', readDay(filter.from, 'from', context, path, errors)?.start);
  dayBound('to', starts, '<', readDay(filter.to, 'to', context, path, errors)?.end);
  bound('startFrom', starts, '>=', filter.startDateFrom);
  bound('startTo', starts, '<=', filter.startDateTo);
  bound('endFrom', ends, '>=', filter.endDateFrom);
  bound('endTo', ends, '<=', filter.endDateTo);
  const conditions = bounds.map(([name, test]) =>
    columnCondition(
      `event:${name}`,
      (p, sql) => `${p}.event_start_at IS NOT NULL AND ${p}.type = ${PostType.EVENT} AND ${test(p, sql)}`,
      true,
    ),
  );
  if (filter.location) {
    const wanted = normaliseText(filter.location).trim();
    const rows = await context.db.query<{ location: string }>(
      `SELECT DISTINCT event_location AS location FROM posts
        WHERE tenant_id = $1 AND community_id = $2 AND type = ${PostType.EVENT} AND deleted_at IS NULL AND event_location IS NOT NULL`,
      [context.db.tenantId, context.communityId],
    );
    const matchingPosts = rows
      .map((row) => row.location)
      .filter((location) => normaliseText(location).includes(wanted));
    conditions.push(
      columnCondition(
        JSON.stringify(['eventLocation', wanted]),
        (p, sql) => `${p}.type = ${PostType.EVENT} AND ${p}.event_location = ANY (${sql.add(matchingPosts)}::text[])`,
        true,
      ),
    );
  }
  return conditions;
}

/** A bound, in epoch milliseconds: `instant` for events with a time, `day` for all-day events. */
interface DayBound {
  instant: number;
  day: number;
}

/** Returns the first moment, and the moment after the last one, of a day or of an instant. */
function readDay(
  text: string | undefined,
  name: 'from' | 'to',
  context: EventFilterContext,
  path: string,
  errors: FieldErrors,
): { start: DayBound; end: DayBound } | undefined {
  if (!text) return undefined;
  try {
    if (!DAY.test(text.trim())) {
      const instant = parseDateInput(text, 'DATETIME');
      return { start: { instant, day: instant }, end: { instant: instant + 1, day: instant + 1 } };
    }
    const bound = (day: number): DayBound => {
      const date = new Date(day).toISOString().slice(0, 10);
      return { instant: resolveZoned({ datetime: `${date}T00:00:00`, timezone: context.timezone }).epochMs, day };
    };
    const day = parseDateInput(text, 'DATE');
    // No day follows the last one.
    const end = day < LAST_DAY ? bound(day + DAY_MS) : { instant: day + DAY_MS - 1, day: day + DAY_MS - 1 };
    return { start: bound(day), end };
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    errors.add(
      `${path}.${name}`,
      'INVALID_DATE',
      `${error.problem}; allowed is an ISO 8601 date such as 2026-12-31, or a date-time such as 2026-12-31T18:00:00+01:00, in the years 0001 to 9999.`,
    );
    return undefined;
  }
}
