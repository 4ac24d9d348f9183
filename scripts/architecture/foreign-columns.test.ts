// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources hold templates.
/** A statement that names a column of another domain by its text is found; `npm run check` looks through the repository. */
import { describe, expect, it } from 'vitest';
import { checkForeignColumns } from './foreign-columns.ts';

const plant = (text: string, file = 'posts/a.ts') =>
  checkForeignColumns([{ path: `apps/server/src/modules/${file}`, text }]);

describe('a column of a table of another domain', () => {
  it.each([
    ['with an alias', 'db.query(`SELECT 1 FROM posts p JOIN users u ON u.id = p.author_id`);'],
    ['of the only table', "db.query('SELECT id FROM users WHERE tenant_id = $1');"],
    ['in a template within', 'db.query(`SELECT 1 FROM users u WHERE ${some ? `u.blocked` : `true`}`);'],
    ['in a string within', "db.query(`SELECT 1 FROM users u WHERE ${some ? 'u.blocked' : 'true'}`);"],
  ])('%s is refused', (_, text) => {
    expect(plant(text)).toEqual([expect.stringMatching(/^apps.*:1 names users\.\w+ by its text/)]);
  });

  it.each([
    ['named by sqlColumns', 'db.query(`SELECT 1 FROM users u WHERE ${u.id} = $1`);'],
    ['of the tenant', 'db.query(`SELECT 1 FROM posts p JOIN users u ON u.tenant_id = p.tenant_id`);'],
    ['of its own table', 'db.query(`SELECT p.id FROM posts p`);'],
    ['of the result of a subquery', 'db.query(`SELECT x.id FROM (SELECT 1 AS id) x`);'],
  ])('%s may stay', (_, text) => {
    expect(plant(text)).toEqual([]);
  });

  it('may be named in its own domain', () => {
    expect(plant('db.query(`SELECT u.id FROM users u`);', 'people/users/a.ts')).toEqual([]);
  });
});
