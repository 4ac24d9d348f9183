/** Whether the index has all posts, and posts that it does not have yet. */
import { searchLimits } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { searchTerms } from '@portico/platform/text';
import { Parameters, visiblePostSql } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Candidate, Search } from './candidates.ts';
import { EntryKind } from './entries.repository.ts';
import type { ParsedQuery } from './parse-query.ts';

/** Whether every post was in the index once: it is false in a new installation or after an upgrade. */
export async function isIndexComplete(db: TenantExecutor): Promise<boolean> {
  const [state] = await db.query<{ complete: boolean }>('SELECT complete FROM search_state WHERE tenant_id = $1', [
    db.tenantId,
  ]);
  return state?.complete ?? false;
}

/**
 * Finds posts by the search rows of lists (ADR 2), which have parts of words in titles, texts and
 * files: while the index is built, they find what it does not have yet.
 */
export async function findUnindexed(scope: Scope, search: Search, query: ParsedQuery): Promise<Candidate[]> {
  const { restrictions, kinds } = search;
  const { communityIds, from, to, tests } = restrictions;
  if (query.groups.length === 0 || (kinds && !kinds.includes(EntryKind.POST))) return [];
  const parameters = new Parameters([scope.db.tenantId]);
  const docs = query.groups.map((group) => {
    const patterns = group.map(({ words }) =>
      searchTerms(words.map(({ word }) => word).join(' ')).map(({ pattern }) => pattern),
    );
    const any = patterns.map((all) =>
      all.map((pattern) => `s.doc LIKE ${parameters.add(pattern)} ESCAPE '\\'`).join(' AND '),
    );
    return `(${any.filter((test) => test !== '').join(' OR ') || 'false'})`;
  });
  const found = `SELECT s.post_id FROM post_search_view s WHERE s.tenant_id = $1
      AND s.community_id = ANY (${parameters.add(communityIds)}::bigint[]) AND ${docs.join(' AND ')} LIMIT 20000`;
  const times = [
    ...(from === undefined ? [] : [`p.modified_at >= ${parameters.add(new Date(from))}::timestamptz`]),
    ...(to === undefined ? [] : [`p.modified_at < ${parameters.add(new Date(to))}::timestamptz`]),
  ];
  const where = [visiblePostSql('p', scope.actor, parameters), ...times, ...tests.map((test) => test(parameters))];
  return scope.db.query<Candidate>(
    `WITH found AS MATERIALIZED (${found})
     SELECT ${EntryKind.POST} AS kind, e.id, e.id AS "postId", e.community_id AS "communityId", e.author_id AS "authorId", e.at,
            e.state_id AS "stateId", 0::float8 AS rank, false AS titled, false AS used
       FROM (SELECT p.*, p.creator_id AS author_id, p.modified_at AS at FROM found f
               JOIN posts p ON p.tenant_id = $1 AND p.id = f.post_id) e
       JOIN posts p ON p.tenant_id = $1 AND p.id = e.id
      WHERE ${where.join(' AND ')} ORDER BY e.at DESC LIMIT ${searchLimits.candidates}`,
    parameters.values,
    { planned: true },
  );
}
