/** Groups that rows name. Imports create no groups. */

import { normaliseText } from '@portico/platform/text';
import { knownGroupSql, Parameters } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import { deletedName } from '../fields/index.ts';
import { shortened } from './report.ts';

const g = sqlColumns('groups', 'g');

const keyOf = (name: string, deleted: boolean) => `${deleted} ${normaliseText(name).trim()}`;

/**
 * Returns the key of a group within an import: its name without case and accents, and whether it is
 * marked as a deleted group.
 */
export function groupKey(told: string): string {
  const deleted = deletedName(told);
  return keyOf(deleted ?? told, deleted !== undefined);
}

/**
 * Finds the groups that rows name, among the groups that the actor knows.
 * @param named names by {@link groupKey}
 * @returns by key: the id, or the reason why the group cannot be named
 */
export async function findGroups(
  scope: Scope,
  named: ReadonlyMap<string, string>,
): Promise<Iterable<[string, number | string]>> {
  if (named.size === 0) return [];
  const db = scope.db;
  const parameters = new Parameters([db.tenantId]);
  const rows = await db.query<{ id: number; name: string; deleted: boolean }>(
    `SELECT ${g.id}, ${g.name}, ${g.deleted_at} IS NOT NULL AS deleted FROM groups g
      WHERE g.tenant_id = $1 AND ${knownGroupSql('g', scope.actor, parameters)} ORDER BY ${g.id}`,
    parameters.values,
  );
  const byKey = Map.groupBy(rows, ({ name, deleted }) => keyOf(name, deleted));
  return [...named].map(([key, told]) => {
    const found = byKey.get(key) ?? [];
    return [key, found.length === 1 ? found[0]!.id : reasonOf(told, found.length)];
  });
}

function reasonOf(told: string, count: number): string {
  const deleted = deletedName(told);
  const kind = deleted === undefined ? 'group' : 'deleted group';
  const called = `called "${shortened(deleted ?? told)}"; name a group that is there, or leave it out, by "map"`;
  return count === 0 ? `no ${kind} is ${called}` : `${count} ${kind}s are ${called}`;
}
