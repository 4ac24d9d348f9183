/**
 * Each form of a statement that Citus refuses or answers wrongly is found; `npm run check` looks for them in the repository
 * itself.
 */
import { describe, expect, it } from 'vitest';
import { checkNodeStatements } from './node-statements.ts';

const PATH = 'apps/server/src/modules/posts/a.ts';
const plant = (sql: string) => checkNodeStatements([{ path: PATH, text: `db.execute(\`${sql}\`);` }]);
const ANCHORED = 'SELECT a.tenant_id, u FROM tenant_versions a, unnest($2::bigint[]) AS u WHERE a.tenant_id = $1';

describe('statements', () => {
  it.each([
    [
      'rows to take in a condition',
      'DELETE FROM tasks WHERE tenant_id = $1 AND id IN (SELECT t.id FROM tasks t WHERE t.tenant_id = $1 LIMIT 1 FOR UPDATE SKIP LOCKED)',
    ],
    ['rows of parameters', 'INSERT INTO post_grants (tenant_id, post_id) SELECT $1, u FROM unnest($2::bigint[]) AS u'],
    [
      'a tenant that is no parameter',
      'INSERT INTO post_grants (tenant_id, post_id) SELECT a.tenant_id, a.id FROM posts a WHERE a.id = $2',
    ],
    [
      'the tenant as a later parameter',
      'INSERT INTO post_grants (tenant_id, post_id) SELECT a.tenant_id, 1 FROM posts a WHERE a.tenant_id = $12',
    ],
    ['ids of a default', `INSERT INTO tasks (tenant_id, post_id) ${ANCHORED}`],
    ['values within WITH', 'WITH x AS (INSERT INTO post_likes (tenant_id) VALUES ($1)) SELECT 1'],
    [
      'a second INSERT after WITH',
      `WITH x AS (INSERT INTO post_mentions (tenant_id, user_id) ${ANCHORED})\n INSERT INTO post_hashtags (tenant_id, hashtag_id) ${ANCHORED}`,
    ],
    [
      'an UPDATE after WITH',
      `WITH x AS (INSERT INTO post_mentions (tenant_id, user_id) ${ANCHORED}) UPDATE posts SET draft = true WHERE tenant_id = $1`,
    ],
    [
      'a transaction of the coordinator',
      'INSERT INTO changes (tenant_id, id, xid) SELECT p.tenant_id, $2, pg_current_xact_id() FROM posts p WHERE p.tenant_id = $1',
    ],
    ['a transaction in UPDATE', 'UPDATE changes SET xid = pg_current_xact_id() WHERE tenant_id = $1'],
    ['the time of the server in UPDATE', 'UPDATE posts SET modified_at = now() WHERE tenant_id = $1'],
    ['an interval in UPDATE', `UPDATE posts SET active_at = active_at - interval '1 day' WHERE tenant_id = $1`],
    [
      'a number of intervals in UPDATE',
      `UPDATE posts SET draft = true WHERE tenant_id = $1 AND active_at < published_at - $2 * interval '1 day'`,
    ],
    [
      'the tenant of the outer query',
      'SELECT EXISTS (SELECT FROM tasks t WHERE t.tenant_id = p.tenant_id AND t.post_id = p.id) FROM posts p WHERE p.tenant_id = $1',
    ],
  ])('%s: refused', (_, sql) => {
    expect(plant(sql)).toHaveLength(1);
  });

  it.each([
    ['rows of the tenant', `INSERT INTO post_grants (tenant_id, post_id) ${ANCHORED}`],
    ['values', 'INSERT INTO tasks (tenant_id, post_id) VALUES ($1, $2) RETURNING id'],
    [
      'several within WITH before a SELECT',
      `WITH x AS (INSERT INTO post_mentions (tenant_id, user_id) ${ANCHORED}),\n  -- And these.\n  y AS (INSERT INTO post_hashtags (tenant_id, hashtag_id) ${ANCHORED}) SELECT 1`,
    ],
    [
      'ids that are given',
      'INSERT INTO changes (tenant_id, id, xid) SELECT p.tenant_id, $2, portico_transaction(p.tenant_id) FROM posts p WHERE p.tenant_id = $1',
    ],
    [
      'a join within a subquery',
      'SELECT (SELECT 1 FROM tasks t JOIN posts p ON p.tenant_id = t.tenant_id WHERE t.tenant_id = $1)',
    ],
    ['tables that are not distributed', 'INSERT INTO tenant_hosts (host, tenant_id) SELECT $2, $1'],
  ])('%s: taken', (_, sql) => {
    expect(plant(sql)).toEqual([]);
  });
});
