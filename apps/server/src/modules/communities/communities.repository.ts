/** SQL for members and hashtags of communities. */

import { RoleId } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { likePattern, normaliseText } from '@portico/platform/text';
import { Parameters, STANDING_ROLES } from '../../kernel/access/index.ts';
import { byExternalId, type PageRequest, readPage, type SortColumn, type SortKey } from '../../kernel/paging/index.ts';
import { sqlColumns } from '../columns.ts';

const g = sqlColumns('groups', 'g');
const u = sqlColumns('users', 'u');

/**
 * Counts the people with a role in each community, in one statement. A role counts if it is given
 * in the community, in every community or through the workspace, to the person or to a group of
 * theirs. Each person counts once; deleted accounts do not count.
 */
export async function countMembers(db: TenantExecutor, communityIds: readonly number[]): Promise<Map<number, number>> {
  if (communityIds.length === 0) return new Map();
  const rows = await db.query<{ id: number; members: number }>(
    `WITH given AS (
       SELECT r.community_id, r.principal FROM community_roles r
        WHERE r.tenant_id = $1 AND r.community_id = ANY ($2::bigint[])
       UNION
       SELECT c.id, s.principal FROM communities c JOIN (${STANDING_ROLES}) s ON s.tenant_id = c.tenant_id
        WHERE c.tenant_id = $1 AND c.id = ANY ($2::bigint[])
       UNION
       SELECT c.id, m.principal FROM communities c
         JOIN workspace_members m ON m.tenant_id = c.tenant_id AND m.workspace_id = c.workspace_id
        WHERE c.tenant_id = $1 AND c.id = ANY ($2::bigint[]) AND (m.role_id <> ${RoleId.WORKSPACE_ADMINISTRATOR} OR c.workspace_member_role IS NOT NULL)),
     people AS (
       SELECT community_id, principal AS user_id FROM given WHERE principal > 0
       UNION
       SELECT i.community_id, m.user_id FROM given i
         JOIN groups g ON g.tenant_id = $1 AND ${g.id} = -i.principal AND ${g.deleted_at} IS NULL
         JOIN group_members m ON m.tenant_id = $1 AND m.group_id = ${g.id}
        WHERE i.principal < 0)
     SELECT p.community_id AS id, count(*) AS members
       FROM people p JOIN users u ON u.tenant_id = $1 AND ${u.id} = p.user_id AND ${u.deleted_at} IS NULL
      GROUP BY p.community_id`,
    [db.tenantId, communityIds],
  );
  return new Map(rows.map((row) => [row.id, row.members]));
}

export interface HashtagRow {
  id: number;
  communityId: number;
  name: string;
  nameKey: string;
  externalId: string | null;
  deleted: boolean;
}

const HASHTAG_COLUMNS = `id, community_id AS "communityId", name, name_key AS "nameKey", external_id AS "externalId", deleted`;

/** Returns all hashtags of some communities by name, deleted ones included, in one statement. */
export async function loadHashtags(
  db: TenantExecutor,
  communityIds: readonly number[],
): Promise<Map<number, HashtagRow[]>> {
  const rows =
    communityIds.length === 0
      ? []
      : await db.query<HashtagRow>(
          `SELECT ${HASHTAG_COLUMNS} FROM hashtags
            WHERE tenant_id = $1 AND community_id = ANY ($2::bigint[]) ORDER BY name_key, id`,
          [db.tenantId, communityIds],
        );
  return Map.groupBy(rows, (row) => row.communityId);
}

/** Returns a page of the hashtags of a community. */
export async function listHashtagRows(
  db: TenantExecutor,
  communityId: number,
  filter: { name?: string | undefined; includeDeleted: boolean },
  order: { by: 'name' | 'externalId'; desc: boolean },
  page: PageRequest<SortKey>,
) {
  const parameters = new Parameters([db.tenantId, communityId]);
  const where = ['tenant_id = $1', 'community_id = $2'];
  if (!filter.includeDeleted) where.push('NOT deleted');
  const name = filter.name === undefined ? '' : normaliseText(filter.name);
  if (name !== '') where.push(`name_key LIKE ${parameters.add(likePattern(name))}`);
  const columns: readonly SortColumn[] =
    order.by === 'name'
      ? [{ sql: 'name_key', desc: order.desc, type: 'text' }]
      : byExternalId('external_id', order.desc);
  const sorted = [...columns, { sql: 'id', desc: order.desc, type: 'bigint' } as const];
  return readPage<HashtagRow>(
    db,
    page,
    { select: HASHTAG_COLUMNS, from: 'hashtags', where, order: sorted },
    parameters,
  );
}
