/** SQL for the people able to read a post, for questions about many people instead of one actor. */
import { hasPermissionSql } from './permissions.ts';
import { heldPermissionsSql } from './roles.ts';
import { openToRoleSql } from './visibility.ts';

/**
 * SQL that adds to a statement the groups (`person.principals`) and the permissions (`role.permissions`) of a person, and the condition that
 * they can read a live post; `$1` is the tenant.
 * @param person SQL of the id of the person  @param post alias of `posts`
 */
export function readersSql(person: string, post: string): { joins: string; where: string } {
  return {
    joins: `CROSS JOIN LATERAL (
        SELECT ARRAY[${person}] || coalesce(array_agg(-o.group_id), '{}') AS principals
          FROM group_members o JOIN groups og ON og.tenant_id = $1 AND og.id = o.group_id AND og.deleted_at IS NULL
         WHERE o.tenant_id = $1 AND o.user_id = ${person}) person
      CROSS JOIN LATERAL (SELECT permissions FROM (${heldPermissionsSql('person.principals')}) r
         WHERE r.community_id = ${post}.community_id) role`,
    where: openToRoleSql(post, 'person.principals', {
      readsAll: hasPermissionSql('role.permissions', 'readAllPosts'),
      readsPublic: hasPermissionSql('role.permissions', 'readPublicPosts'),
    }),
  };
}
