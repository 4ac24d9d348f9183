/**
 * The number of posts on all pages of a list, in one statement. A total reads the index ranges of its filters and
 * subtracts the posts that the list omits: drafts, deleted posts and private ones that the caller does not see. Rows of
 * posts are read only where a filter has few candidates, or where no index decides whether a post matches.
 */
import { hasPermission, hiddenFromRoleSql } from '../../../../kernel/access/index.ts';
import {
  conditionsSql,
  draftCandidates,
  intersection,
  type ListQuery,
  type PageStatement,
  planOption,
  postsById,
} from './page-query.ts';
import { type Condition, LIVE_POSTS, Statement } from './statement.ts';

/**
 * Returns SQL of the posts of the community that the list omits. @param published true includes
 * unpublished posts
 */
function hiddenPosts({ actor, communityId }: ListQuery, sql: Statement, published: boolean): string[] {
  const unpublished =
    'SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND NOT x.live';
  const unseen = () =>
    `SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND ${hiddenFromRoleSql('x', sql.bigints(actor.principals), false)}`;
  // Where the role does not see public posts, the list has the condition that a post was granted.
  const only =
    hasPermission(actor, communityId, 'readPublicPosts') && !hasPermission(actor, communityId, 'readAllPosts');
  return [...(published ? [unpublished] : []), ...(only ? [unseen()] : [])];
}

/** Returns the candidates in the community, if no other condition ensures that. */
function inCommunity(condition: Condition, sql: Statement): string {
  return `SELECT c.post_id FROM (${condition.candidates?.(sql)}) c WHERE EXISTS (${LIVE_POSTS} AND x.id = c.post_id OFFSET 0)`;
}

/**
 * Returns the statement of a total.
 * @param few a condition that is known to have few candidates: their rows are read
 * @returns SQL with one row and the column `total`
 */
export function totalStatement(query: ListQuery, few: Condition | undefined): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const { conditions } = query;
  const tested = (candidates: string, scanned: readonly Condition[]) =>
    `WITH found AS MATERIALIZED (${candidates}) SELECT count(*)::float8 AS total FROM ${postsById('SELECT post_id FROM found')} WHERE ${conditionsSql(query, sql, scanned)}`;
  const statement = (text: string, scanned: readonly Condition[] = []) => ({
    text,
    values: sql.values,
    ...planOption(scanned),
  });

  if (query.drafts) return statement(tested(draftCandidates(query, sql), []));
  if (few) return statement(tested(intersection([few], sql), [few]));
  const indexed = conditions.filter((condition) => condition.candidates);
  if (conditions.some((condition) => !condition.exact && !condition.excluded)) {
    const candidates = indexed.length > 0 ? intersection(indexed, sql) : LIVE_POSTS;
    return statement(tested(candidates, indexed), indexed);
  }
  if (conditions.length === 0) {
    // Here all hidden posts are published, so they can be subtracted.
    const hidden = hiddenPosts(query, sql, false).map((posts) => ` - (SELECT count(*) FROM (${posts}) h)`);
    return statement(`SELECT ((SELECT count(*) FROM (${LIVE_POSTS}) l)${hidden.join('')})::float8 AS total`);
  }
  const excluded = conditions.flatMap((condition) => condition.excluded?.(sql) ?? []);
  const hidden = [...excluded, ...hiddenPosts(query, sql, indexed.length > 0)].join(' UNION ALL ');
  return statement(
    `WITH hidden AS MATERIALIZED (${hidden}) SELECT count(*)::float8 AS total FROM (${matchingPosts(indexed, sql)} UNION ALL ${ESTIMATED_MILLION}) c
      WHERE NOT EXISTS (SELECT FROM hidden h WHERE h.post_id = c.post_id)`,
    indexed,
  );
}

/**
 * Returns no rows, but PostgreSQL estimates a million. It cannot estimate how many posts have a
 * value given as a parameter; this estimate leads it to hash the hidden posts, which are few, and
 * probe with the range, instead of hashing the range.
 */
const ESTIMATED_MILLION =
  'SELECT a::bigint AS post_id FROM generate_series(1, (SELECT 0)) a CROSS JOIN generate_series(1, (SELECT 0)) b';

/** The intersected candidates of the conditions, each once, published or not. @param indexed empty: all published posts */
function matchingPosts(indexed: readonly Condition[], sql: Statement): string {
  const [first, ...others] = indexed;
  if (!first) return LIVE_POSTS;
  const start = indexed.some((condition) => condition.ownCommunity) ? first.candidates?.(sql) : inCommunity(first, sql);
  if (others.length > 0) return `(${[`(${start})`, intersection(others, sql)].join(' INTERSECT ')})`;
  return first.distinct ? `(${start})` : `(SELECT DISTINCT d.post_id FROM (${start}) d)`;
}
