/** Why a principal sees a private post (post_grants.source). A grant's source id names the task or the field. */
export const GrantSource = {
  CREATOR: 1,
  WATCHER: 2,
  /** Assignee of a task; the source id is the task's. */
  ASSIGNEE: 3,
  INVITED: 4,
  /** Held in a field that extends visibility; the source id is the field's. */
  FIELD: 5,
} as const;
export type GrantSource = (typeof GrantSource)[keyof typeof GrantSource];

/**
 * SQL of a boolean: a grant names one of the principals.
 * @param post SQL of the post's id  @param principals SQL of a bigint[]
 * @param probe false lets PostgreSQL join the grants of many posts, instead of looking each post up
 */
export function grantedSql(post: string, principals: string, probe = true): string {
  return `EXISTS (SELECT FROM post_grants vg WHERE vg.tenant_id = $1 AND vg.post_id = ${post} AND vg.principal = ANY (${principals})${probe ? ' OFFSET 0' : ''})`;
}

/**
 * SQL of a statement: the posts (`post_id`) on which a grant names one of the principals for another reason than that they
 * wrote them.
 * @param principals SQL of a bigint[]
 */
export function postsNamingSql(principals: string): string {
  return `SELECT DISTINCT vg.post_id FROM post_grants vg WHERE vg.tenant_id = $1 AND vg.principal = ANY (${principals})
    AND vg.source <> ${GrantSource.CREATOR}`;
}

/**
 * SQL of a bigint[]: the principals that grants name, ascending, without duplicates.
 * @param post SQL of the post's id
 * @param among SQL of a bigint[]: limits the result to these principals
 */
export function grantedPrincipalsSql(post: string, among?: string): string {
  return `ARRAY(SELECT DISTINCT vg.principal FROM post_grants vg WHERE vg.tenant_id = $1 AND vg.post_id = ${post}${
    among === undefined ? '' : ` AND vg.principal = ANY (${among})`
  } ORDER BY vg.principal)`;
}
