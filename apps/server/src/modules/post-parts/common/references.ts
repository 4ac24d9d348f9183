/**
 * Finds the existing people, groups and hashtags among the names in an input, with one statement
 * each.
 */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { sortKey } from '@portico/platform/text';
import { knownGroupSql, Parameters, type WriteScope } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';

const g = sqlColumns('groups', 'g');
const hashtags = sqlColumns('hashtags');
const usersColumns = sqlColumns('users');

/** Users and groups that exist, are not deleted and may be named. */
export interface ExistingPrincipals {
  users: ReadonlySet<number>;
  groups: ReadonlySet<number>;
}

/**
 * Returns the given users and groups (positive ids) that exist, are not deleted and are known to
 * the writer.
 * @param keptGroupIds groups already named in the content, which need not be known
 */
export async function findPrincipals(
  { tx, actor }: Pick<WriteScope, 'tx' | 'actor'>,
  userIds: readonly number[],
  groupIds: readonly number[],
  keptGroupIds: Iterable<number> = [],
): Promise<ExistingPrincipals> {
  if (userIds.length === 0 && groupIds.length === 0) return { users: new Set(), groups: new Set() };
  const parameters = new Parameters([tx.tenantId, [...new Set(userIds)], [...new Set(groupIds)], [...keptGroupIds]]);
  const rows = await tx.query<{ id: number; user: boolean }>(
    `SELECT id, true AS user FROM users WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL
     UNION ALL
     SELECT ${g.id}, false FROM groups g WHERE g.tenant_id = $1 AND ${g.id} = ANY ($3::bigint[]) AND ${g.deleted_at} IS NULL
        AND (${g.id} = ANY ($4::bigint[]) OR ${knownGroupSql('g', actor, parameters)})`,
    parameters.values,
  );
  return {
    users: new Set(rows.filter((row) => row.user).map((row) => row.id)),
    groups: new Set(rows.filter((row) => !row.user).map((row) => row.id)),
  };
}

/**
 * Returns the given users who exist and are not deleted, in the given order; a mention of any other
 * user remains text.
 */
export async function findUsers(db: TenantExecutor, userIds: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(userIds)];
  if (wanted.length === 0) return [];
  const rows = await db.query<{ id: number }>(
    `SELECT ${usersColumns.id} FROM users WHERE tenant_id = $1 AND ${usersColumns.id} = ANY ($2::bigint[]) AND ${usersColumns.deleted_at} IS NULL`,
    [db.tenantId, wanted],
  );
  const found = new Set(rows.map(({ id }) => id));
  return wanted.filter((id) => found.has(id));
}

/**
 * Returns the ids of the community's hashtags with these names that are not deleted, ascending.
 * Names are compared regardless of case and accents; an unknown hashtag remains text
 * (docs/decisions/writes.md).
 */
export async function findHashtags(
  db: TenantExecutor,
  communityId: number,
  names: readonly string[],
): Promise<number[]> {
  if (names.length === 0) return [];
  const rows = await db.query<{ id: number }>(
    `SELECT ${hashtags.id} FROM hashtags WHERE tenant_id = $1 AND ${hashtags.community_id} = $2 AND ${hashtags.name_key} = ANY ($3::text[]) AND NOT ${hashtags.deleted}
      ORDER BY ${hashtags.id}`,
    [db.tenantId, communityId, [...new Set(names.map(sortKey))]],
  );
  return rows.map((row) => row.id);
}
