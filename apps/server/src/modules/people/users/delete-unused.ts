/** Deletes people that an import created and nobody has used since. */
import { writeTransaction } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { deleteUser } from './delete-user.ts';

const c = sqlColumns('comments', 'c');
const f = sqlColumns('fields', 'f');
const w = sqlColumns('post_watchers', 'w');
const p = sqlColumns('posts', 'p');

/** Person who stays, and the reason, as a phrase. */
interface KeptPerson {
  readonly name: string;
  readonly reason: string;
}

/**
 * Deletes the people who never signed in, were not edited, and occur only in deleted posts.
 * @returns the number of deleted people, and the people who stay
 */
export async function deleteUnusedPeople(
  scope: Scope,
  userIds: readonly number[],
): Promise<{ deleted: number; kept: KeptPerson[] }> {
  return writeTransaction(scope, 'access', async (write) => {
    const { tx } = write;
    const people = await tx.query<{ id: number; name: string; reason: string | null }>(
      `SELECT u.id, trim(u.first_name || ' ' || u.last_name) AS name,
              CASE WHEN u.last_access_at IS NOT NULL THEN 'they signed in'
                   WHEN u.version > 1 OR u.credentials_version > 1 THEN 'they were edited since'
                   WHEN EXISTS (SELECT FROM group_members m WHERE m.tenant_id = $1 AND m.user_id = u.id) THEN 'they are in a group'
                   WHEN EXISTS (SELECT FROM posts p WHERE p.tenant_id = $1 AND ${p.deleted_at} IS NULL
                                  AND u.id IN (${p.creator_id}, ${p.modifier_id})) THEN 'they wrote or changed a post'
                   WHEN EXISTS (SELECT FROM comments c JOIN posts p ON p.tenant_id = $1 AND ${p.id} = ${c.post_id}
                                 WHERE c.tenant_id = $1 AND ${c.creator_id} = u.id AND ${p.deleted_at} IS NULL) THEN 'they wrote a comment'
                   WHEN EXISTS (SELECT FROM posts p JOIN fields f ON f.tenant_id = $1 AND ${f.community_id} = ${p.community_id} AND ${f.type} = 15
                                       AND ${f.metadata} ->> 'generic_entity_list_config_id' = 'core.user'
                                 WHERE p.tenant_id = $1 AND ${p.deleted_at} IS NULL AND ${p.custom_data} -> ${f.id}::text @> to_jsonb(u.id))
                     THEN 'a field of a post names them'
                   WHEN EXISTS (SELECT FROM post_watchers w JOIN posts p ON p.tenant_id = $1 AND ${p.id} = ${w.post_id}
                                 WHERE w.tenant_id = $1 AND ${w.principal} = u.id AND ${p.deleted_at} IS NULL) THEN 'they watch a post' END AS reason
         FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2::bigint[]) AND u.deleted_at IS NULL ORDER BY u.id`,
      [tx.tenantId, userIds],
    );
    const kept: KeptPerson[] = [];
    for (const { id, name, reason } of people) {
      if (reason === null) await deleteUser({ ...scope, db: tx }, id);
      else kept.push({ name, reason });
    }
    return { deleted: people.length - kept.length, kept };
  });
}
