/**
 * How many posts all pages of a list hold together, in one statement. A total reads the index ranges of its filters and
 * what is not in the list although it is in them: drafts, deleted posts and private ones that the caller does not see.
 * Rows of posts are looked at only where a filter leads to few of them, or where no index says whether a post fits.
 */
import { allSql, draftCandidates, intersection, type ListQuery, type PageStatement, postsAt } from './page-query.ts';
import { type Condition, Statement } from './statement.ts';

const LIVE = 'FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND x.live';

/** Posts of the community that the list leaves out. @param published true leaves out those that are not published */
function hiddenPosts({ actor, communityId }: ListQuery, sql: Statement, published: boolean): string[] {
  const unpublished =
    'SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND NOT x.live';
  const unseen = () =>
    `SELECT x.id AS post_id ${LIVE} AND x.visibility = 1 AND NOT EXISTS (SELECT FROM post_grants g WHERE g.tenant_id = $1 AND g.post_id = x.id AND g.principal = ANY (${sql.bigints(actor.principals)}))`;
  return [...(published ? [unpublished] : []), ...(actor.roles.get(communityId) === 1 ? [] : [unseen()])];
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
  const tested = (candidates: string, known: readonly Condition[]) =>
    `WITH found AS MATERIALIZED (${candidates}) SELECT count(*)::float8 AS total FROM ${postsAt('SELECT post_id FROM found')} WHERE ${allSql(query, sql, known)}`;
  const done = (text: string) => ({ text, values: sql.values });

  if (query.drafts) return done(tested(draftCandidates(query, sql), []));
  if (few) return done(tested(intersection([few], sql), few.exact ? [few] : []));
  const indexed = conditions.filter((condition) => condition.candidates);
  if (conditions.some((condition) => !condition.exact && !condition.refused)) {
    const all = () => `SELECT x.id AS post_id ${LIVE}`;
    return done(
      tested(
        indexed.length > 0 ? intersection(indexed, sql) : all(),
        conditions.filter((condition) => condition.exact),
      ),
    );
  }
  const here = indexed.some((condition) => condition.here);
  const sets =
    indexed.length === 0
      ? `SELECT x.id AS post_id ${LIVE}`
      : here
        ? intersection(indexed, sql)
        : [
            `(${inCommunity(indexed[0]!, sql)})`,
            ...indexed.slice(1).map((other) => `(${other.candidates?.(sql)})`),
          ].join(' INTERSECT ');
  const refused = conditions.flatMap((condition) => condition.refused?.(sql) ?? []);
  const hidden = [...refused, ...hiddenPosts(query, sql, indexed.length > 0)];
  const once = indexed.length === 0 || (indexed.length === 1 && indexed[0]?.once === true);
  if (hidden.length === 0) return done(`SELECT count(*)::float8 AS total FROM (${sets}) c`);
  const left = `hidden AS MATERIALIZED (${hidden.join(' UNION ALL ')})`;
  return done(
    once
      ? `WITH ${left} SELECT count(*)::float8 AS total FROM (${sets}) c WHERE NOT EXISTS (SELECT FROM hidden h WHERE h.post_id = c.post_id)`
      : `WITH ${left} SELECT count(*)::float8 AS total FROM (${sets} EXCEPT SELECT h.post_id FROM hidden h) c`,
  );
}
