/**
 * How many posts all pages of a list hold together, in one statement. A total reads the index ranges of its filters and
 * what is not in the list although it is in them: drafts, deleted posts and private ones that the caller does not see.
 * Rows of posts are looked at only where a filter leads to few of them, or where no index says whether a post fits.
 */
import { RoleId } from '@portico/contract';
import { hiddenFromRoleSql } from '../../../../kernel/access/index.ts';
import {
  allSql,
  draftCandidates,
  intersection,
  type ListQuery,
  type PageStatement,
  plannedBy,
  postsAt,
} from './page-query.ts';
import { type Condition, Statement } from './statement.ts';

const LIVE = 'FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND x.live';

/** Posts of the community that the list leaves out. @param published true leaves out those that are not published */
function hiddenPosts({ actor, communityId }: ListQuery, sql: Statement, published: boolean): string[] {
  const unpublished =
    'SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND NOT x.live';
  const unseen = () =>
    `SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND ${hiddenFromRoleSql('x', '$1', sql.bigints(actor.principals), false)}`;
  return [...(published ? [unpublished] : []), ...(actor.roles.get(communityId) === RoleId.MANAGER ? [] : [unseen()])];
}

/** Those of the candidates that are in the community, where no other condition sees to that. */
function inCommunity(condition: Condition, sql: Statement): string {
  return `SELECT c.post_id FROM (${condition.candidates?.(sql)}) c WHERE EXISTS (SELECT ${LIVE} AND x.id = c.post_id OFFSET 0)`;
}

/**
 * The statement of a total.
 * @param few a condition that is known to lead to few posts: they are looked at one by one
 * @returns SQL whose one row has the column `total`
 */
export function totalOf(query: ListQuery, few: Condition | undefined): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const { conditions } = query;
  const tested = (candidates: string, led: readonly Condition[]) =>
    `WITH found AS MATERIALIZED (${candidates}) SELECT count(*)::float8 AS total FROM ${postsAt('SELECT post_id FROM found')} WHERE ${allSql(query, sql, led)}`;
  const done = (text: string, led: readonly Condition[] = []) => ({ text, values: sql.values, ...plannedBy(led) });

  if (query.drafts) return done(tested(draftCandidates(query, sql), []));
  if (few) return done(tested(intersection([few], sql), [few]));
  const indexed = conditions.filter((condition) => condition.candidates);
  if (conditions.some((condition) => !condition.exact && !condition.refused)) {
    const candidates = indexed.length > 0 ? intersection(indexed, sql) : `SELECT x.id AS post_id ${LIVE}`;
    return done(tested(candidates, indexed), indexed);
  }
  if (conditions.length === 0) {
    // What is hidden is published here, so it is a part of the whole.
    const hidden = hiddenPosts(query, sql, false).map((posts) => ` - (SELECT count(*) FROM (${posts}) h)`);
    return done(`SELECT ((SELECT count(*) ${LIVE})${hidden.join('')})::float8 AS total`);
  }
  const refused = conditions.flatMap((condition) => condition.refused?.(sql) ?? []);
  const hidden = [...refused, ...hiddenPosts(query, sql, indexed.length > 0)].join(' UNION ALL ');
  return done(
    `WITH hidden AS MATERIALIZED (${hidden}) SELECT count(*)::float8 AS total FROM (${fitting(indexed, sql)} UNION ALL ${MANY}) c
      WHERE NOT EXISTS (SELECT FROM hidden h WHERE h.post_id = c.post_id)`,
    indexed,
  );
}

/**
 * No rows, of which PostgreSQL expects a million. It cannot know how many posts have a value that comes as a parameter; this
 * makes it hash what is hidden, which is little, and read the range past it, instead of hashing the range.
 */
const MANY =
  'SELECT a::bigint AS post_id FROM generate_series(1, (SELECT 0)) a CROSS JOIN generate_series(1, (SELECT 0)) b';

/** Posts that all conditions lead to, each once, published or not. @param indexed none means all published posts */
function fitting(indexed: readonly Condition[], sql: Statement): string {
  const [first, ...others] = indexed;
  if (!first) return `SELECT x.id AS post_id ${LIVE}`;
  const start = indexed.some((condition) => condition.here) ? first.candidates?.(sql) : inCommunity(first, sql);
  if (others.length > 0) return `(${[`(${start})`, intersection(others, sql)].join(' INTERSECT ')})`;
  return first.once ? `(${start})` : `(SELECT DISTINCT d.post_id FROM (${start}) d)`;
}
