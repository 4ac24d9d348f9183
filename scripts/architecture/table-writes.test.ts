/** Each form of a write on a table of others is refused; `npm run check` looks for them in the repository itself. */
import { describe, expect, it } from 'vitest';
import { readSources } from './check.ts';
import { isTest } from './imports.ts';
import { checkTableWrites } from './table-writes.ts';

const S = 'apps/server/src';
const plant = (path: string, text: string) => checkTableWrites([{ path: `${S}/${path}`, text }]);

describe('tables', () => {
  it.each([
    ['an INSERT', "db.execute('INSERT INTO posts (tenant_id) VALUES ($1)');"],
    ['an INSERT within a WITH', 'db.query(`WITH a AS (\n  INSERT INTO attachments (id) VALUES (1)) SELECT`);'],
    ['an UPDATE', "db.execute('UPDATE posts SET draft = true');"],
    ['an UPDATE with an alias', "db.execute('UPDATE posts AS p SET draft = true');"],
    ['a DELETE', "db.execute('DELETE FROM post_grants WHERE tenant_id = $1');"],
    ['a MERGE', "db.execute('MERGE INTO comments c USING x ON true');"],
    ['a TRUNCATE', "db.execute('TRUNCATE TABLE changes');"],
    ['a COPY', "db.execute('COPY tasks (tenant_id, id) FROM STDIN');"],
    ['lower case', "db.execute('delete from workflow_states');"],
    ['a quoted name with its schema', `db.execute('UPDATE "public"."catalogs" SET name = $1');`],
    ['a text that is put together', "db.execute('UPDATE tasks ' + 'SET state = 1');"],
    ['an expression before the table', `db.execute(\`\${a} INSERT INTO post_texts (id) \${b}\`);`],
    ['a constant in another file of SQL', "export const REMOVE = 'DELETE FROM comment_likes';"],
    ['a table that is named at run time', `db.execute(\`DELETE FROM \${table} WHERE true\`);`],
    ['a name that is appended', "db.execute('INSERT INTO ' + table);"],
  ])('%s: refused', (_, text) => {
    expect(plant('modules/people/a.ts', text)).toHaveLength(1);
  });

  it('are refused to jobs, operator commands, imports, the demo and other parts of the kernel', () => {
    const text = "db.execute('UPDATE users SET blocked = true');";
    for (const folder of ['jobs', 'operator', 'import', 'demo', 'http', 'process', 'kernel', 'platform/db'])
      expect(plant(`${folder}/a.ts`, text), folder).toHaveLength(1);
  });

  it('may be written by their owner, and read by everybody', () => {
    expect(plant('modules/people/users/a.ts', "db.execute('UPDATE users SET blocked = true');")).toEqual([]);
    expect(plant('modules/records/rows/a.ts', "db.execute('INSERT INTO post_grants (id) VALUES (1)');")).toEqual([]);
    expect(plant('jobs/a.ts', "db.query('SELECT FROM posts WHERE id = 1 FOR NO KEY UPDATE OF posts');")).toEqual([]);
    expect(plant('jobs/a.ts', '// UPDATE posts SET draft = true\nexport {};')).toEqual([]);
    expect(
      plant('modules/people/users/a.ts', "f('INSERT INTO users (id) VALUES (1) ON CONFLICT DO UPDATE SET id = 2');"),
    ).toEqual([]);
  });

  it('names the line of a statement in a long text', () => {
    expect(plant('jobs/a.ts', 'f(`\n  SELECT\n  UPDATE posts SET draft = true`);')).toEqual([
      `${S}/jobs/a.ts:3 writes posts, which modules/posts owns; call a function that modules/posts exports`,
    ]);
  });
});

describe('grants', () => {
  it('are read where visibility is said, and by the statements that start from them', async () => {
    const product = (await readSources()).filter(({ path }) => path.startsWith(`${S}/`) && !isTest(path));
    const naming = product
      .filter(({ text }) => /\bpost_grants\b/.test(text))
      .map(({ path }) => path.slice(S.length + 1));
    expect(naming).toEqual([
      'kernel/access/grants.ts',
      // Tells which of them let a person see a post.
      'modules/administration/explain/sources.repository.ts',
      'modules/notifications/stream/stream.repository.ts',
      'modules/posts/reading/list/post-filters.ts',
      'modules/posts/tables.ts',
      // Takes back what a removed field gave.
      'modules/posts/writing/change-data.ts',
      'modules/posts/writing/post-rows.ts',
      'modules/records/rows/grants.ts',
    ]);
  });
});
