/** A statement that changes objects without naming them is found; `npm run check` looks through the repository itself. */
import { describe, expect, it } from 'vitest';
import { checkNamedWrites } from './named-writes.ts';

const plant = (text: string, file = 'a.ts') =>
  checkNamedWrites([{ path: `apps/server/src/modules/people/${file}`, text }]);

describe('a statement of a transaction', () => {
  it.each([
    ['on objects', "tx.execute('UPDATE groups SET name = $2 WHERE tenant_id = $1');"],
    ['on rows that belong to objects', "write.tx.execute('DELETE FROM group_members WHERE tenant_id = $1');"],
    [
      'on rows of a list of the audit log',
      "tx.query('INSERT INTO tenant_secrets (tenant_id) VALUES ($1) RETURNING id');",
    ],
    ['within WITH', 'tx.query(`WITH made AS (INSERT INTO tasks (tenant_id) VALUES ($1)) SELECT 1`);'],
  ])('%s names the objects', (_, text) => {
    expect(plant(text)).toHaveLength(1);
  });

  it.each([
    ['that names them', "tx.change('groups', [1], 'UPDATE groups SET name = $2 WHERE tenant_id = $1');"],
    ['that reads', "tx.query('SELECT FROM users WHERE tenant_id = $1 FOR NO KEY UPDATE');"],
    ['on rows that are no objects', "tx.execute('DELETE FROM user_search WHERE tenant_id = $1');"],
    ['on a post, which recordPost records', "tx.execute('UPDATE posts SET pinned = true WHERE tenant_id = $1');"],
    ['outside a transaction', "db.execute('UPDATE users SET last_access_at = $2 WHERE tenant_id = $1');"],
  ])('%s may stay', (_, text) => {
    expect(plant(text)).toEqual([]);
  });
});
