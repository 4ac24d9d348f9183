/** Lists the audit log by page (operation listAuditEntries). */

import type { AuditChange, AuditEntry, ListAuditEntriesRequest, ListAuditEntriesResponse } from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import { clampedDate } from '@portico/platform/time';
import { Parameters, requireRight } from '../../../kernel/access/index.ts';
import type { AuditValues } from '../../../kernel/audit/index.ts';
import { fullNameSql } from '../../../kernel/full-name.ts';
import { afterKeySql, orderBySql, readPaging, type SortColumn, toPage } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { nameRights, rightsIn } from './named-rights.ts';

const u = sqlColumns('users', 'u');

/** Time and id of an entry. */
type Key = readonly [at: number, id: number];

interface EntryRow {
  id: number;
  at: number;
  action: string;
  operation: string | null;
  actorId: number | null;
  actorName: string | null;
  operator: string | null;
  object: string;
  objectId: number | null;
  objectName: string | null;
  before: AuditValues | null;
  after: AuditValues | null;
  address: string | null;
  requestId: string | null;
  count: number;
}

const NAME = (alias: string) => `nullif(${fullNameSql(alias)}, '')`;

/** Objects with a name, by their kind in the log: table and SQL of the name. */
const NAMED: Readonly<Record<string, readonly [table: string, name: string]>> = {
  user: ['users', NAME('o')],
  group: ['groups', 'o.name'],
  workspace: ['workspaces', 'o.name'],
  community: ['communities', 'o.name'],
  area: ['areas', 'o.name'],
  businessUnit: ['business_units', 'o.name'],
  import: ['imports', 'o.file_name'],
};

const OBJECT_NAME = `CASE e.object ${Object.entries(NAMED)
  .map(
    ([kind, [table, name]]) =>
      `WHEN '${kind}' THEN (SELECT ${name} FROM ${table} o WHERE o.tenant_id = $1 AND o.id = e.object_id)`,
  )
  .join(' ')} END`;

const COLUMNS = `e.id, e.at, e.action, e.operation, e.actor_id AS "actorId",
  (SELECT ${NAME('u')} FROM users u WHERE u.tenant_id = $1 AND ${u.id} = e.actor_id) AS "actorName", e.operator, e.object,
  e.object_id AS "objectId", ${OBJECT_NAME} AS "objectName", 
  coalesce(e.before, v.before) AS before, coalesce(e.after, v.after) AS after, e.address, e.request_id AS "requestId", e.count`;

/**
 * Returns entries of the audit log, by default the newest first.
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listEntries(scope: Scope, input: ListAuditEntriesRequest): Promise<ListAuditEntriesResponse> {
  requireRight(scope.actor, 'manageUsers');
  const { pageToken, pageSize, calculateTotalItemsCount, orderDesc, ...filters } = input;
  const desc = orderDesc ?? true;
  const page = readPaging<Key>(scope, 'listAuditEntries', { pageToken, pageSize, calculateTotalItemsCount }, [
    filters,
    desc,
  ]);
  const parameters = new Parameters([scope.tenant.id]);
  const conditions = ['e.tenant_id = $1', ...filterSql(filters, parameters)];
  const counted = `audit_entries e WHERE ${conditions.join(' AND ')}`;
  const filterValues = [...parameters.values];
  const order: readonly SortColumn[] = [
    { sql: 'e.at', desc, type: 'timestamptz' },
    { sql: 'e.id', desc, type: 'bigint' },
  ];
  const after = afterKeySql(order, page.after, parameters);
  // Select the page before the names are looked up.
  const rows = await scope.db.query<EntryRow>(
    `SELECT ${COLUMNS} FROM (SELECT * FROM audit_entries e WHERE ${[...conditions, ...after].join(' AND ')}
        ORDER BY ${orderBySql(order)} LIMIT ${parameters.add(page.size + 1)}) e
       LEFT JOIN audit_values v ON v.tenant_id = $1 AND v.entry_id = e.id ORDER BY ${orderBySql(order)}`,
    parameters.values,
  );
  const shown = toPage(page, rows, ({ at, id }): Key => [at, id]);
  const items = shown.rows.map(presentEntry);
  const changes = items.flatMap((entry) => entry.changes ?? []);
  await nameRights(
    scope.db,
    changes.flatMap(({ beforeRights = [], afterRights = [] }) => [...beforeRights, ...afterRights]),
  );
  return {
    items,
    nextPageToken: shown.nextPageToken,
    totalItemsCount: page.withTotal ? await countRows(scope.db, counted, filterValues) : undefined,
  };
}

type Filters = Omit<ListAuditEntriesRequest, 'pageToken' | 'pageSize' | 'calculateTotalItemsCount' | 'orderDesc'>;

/** An empty list filters nothing. */
function filterSql(filters: Filters, parameters: Parameters): string[] {
  const { from, to, actions, actorIds, objectTypes, objectIds } = filters;
  const conditions: string[] = [];
  if (from !== undefined) conditions.push(`e.at >= ${parameters.add(clampedDate(from))}`);
  if (to !== undefined) conditions.push(`e.at < ${parameters.add(clampedDate(to))}`);
  if (actions?.length) conditions.push(`e.action = ANY (${parameters.add(actions)}::text[])`);
  if (actorIds?.length) conditions.push(`e.actor_id = ANY (${parameters.add(actorIds)}::bigint[])`);
  if (objectTypes?.length) conditions.push(`e.object = ANY (${parameters.add(objectTypes)}::text[])`);
  if (objectIds?.length) conditions.push(`e.object_id = ANY (${parameters.add(objectIds)}::bigint[])`);
  return conditions;
}

function presentEntry(row: EntryRow): AuditEntry {
  const fields = [...new Set([...Object.keys(row.before ?? {}), ...Object.keys(row.after ?? {})])].sort();
  return {
    id: row.id,
    timestamp: row.at,
    action: row.action,
    operation: row.operation ?? undefined,
    actorId: row.actorId ?? undefined,
    actorName: row.actorName ?? undefined,
    operator: row.operator ?? undefined,
    objectType: row.object,
    objectId: row.objectId ?? undefined,
    objectName: row.objectName ?? undefined,
    changes: fields.map((field) => presentChange(row.object, field, row.before?.[field], row.after?.[field])),
    address: row.address ?? undefined,
    requestId: row.requestId ?? undefined,
    count: row.count,
  };
}

function presentChange(object: string, field: string, before: unknown, after: unknown): AuditChange {
  const text = (value: unknown) => (value === undefined || value === null ? undefined : JSON.stringify(value));
  const [was, is] = [text(before), text(after)];
  return {
    field,
    before: was,
    after: is,
    beforeRights: rightsIn(object, field, before),
    afterRights: rightsIn(object, field, after),
  };
}
