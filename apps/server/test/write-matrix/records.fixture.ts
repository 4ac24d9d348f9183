/** Records that a write left in the tables, in the words of the contract (`writeRecords`). */
import { HistoryType, StreamStatus } from '@portico/contract';
import type { Dump } from './dump.fixture.ts';
import type { TableChange } from './table-changes.fixture.ts';

/** Rows that a table has only afterwards, in the order of their ids. */
export function added(before: Dump, after: Dump, table: string): Record<string, unknown>[] {
  const known = new Set(before.lines(table));
  const fresh = after.lines(table).filter((line) => !known.has(line));
  return fresh.map((line) => JSON.parse(line)).sort((a, b) => a.id - b.id);
}

const nameOfEvent = new Map(Object.entries(HistoryType).map(([name, id]): [unknown, string] => [id, name]));
/** The kinds of change rows, from 1 on. */
const statuses = [StreamStatus.CREATED, StreamStatus.MODIFIED, StreamStatus.TOUCHED, StreamStatus.DELETED];

/** Operations that create an object in their first call and modify it in later ones. The contract names the first. */
const SAVES_AGAIN: readonly string[] = [
  'createCalendarFeed',
  'createPushSubscription',
  'editCommunityFollowing',
  'editNotificationPreferences',
  'visitCommunity',
];

/**
 * Returns objects, then events, changes and entries of the audit log.
 * @param id the operation
 * @param changes of objects, as their tables show them
 */
export function recordsOf(id: string, changes: readonly TableChange[], before: Dump, after: Dump): string[] {
  const rows = (table: string) => added(before, after, table);
  const records = [
    ...new Set(changes.map(({ entity, action }) => `${entity} ${action}`).sort()),
    ...rows('history_events').map((row) => `history ${nameOfEvent.get(row['type_id'])}`),
    ...rows('changes').map((row) => `stream ${statuses[Number(row['kind']) - 1]}`),
    ...rows('audit_entries').map((row) => `audit ${row['object']} ${row['action']}`),
  ];
  return SAVES_AGAIN.includes(id) ? records.map((record) => record.replace(' modified', ' created')) : records;
}
