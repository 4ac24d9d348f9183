/**
 * Checks that the registry of tables holds every table and column of the database once, and
 * describes them correctly.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/cluster.ts';
import type { Table } from '../kernel/tables/define-tables.ts';
import { assembleTables, tablesBelow } from '../kernel/tables/registry.ts';
import { tables } from './tables.ts';

let database: TestDatabase;
let columns: Map<string, string[]>;
let foreignKeys: { child: string; parent: string; columns: string[] }[];
let constraintNames: { table: string; name: string }[];
/** Indexes by the columns that they sort by; `among` is the condition of one that holds only some rows. */
let indexes: { table: string; columns: string[]; among: string | null }[];

/**
 * Foreign keys without an index, by `table.column`, and `* → table` for all references to a table,
 * with the reason. When a referenced row is deleted, PostgreSQL reads all rows of the tenant.
 */
const WITHOUT_INDEX: Readonly<Record<string, string>> = {
  '* → users': 'rows of users are not deleted: a person who is erased keeps an empty one',
  'community_relations.view_id': 'a tenant has few relations',
  'fields.parent_id': 'a tenant has few fields',
  'posts.state_id':
    'a state is deleted with its community, once that has no posts; lists have indexes with the state of their own',
  'task_hashtags.hashtag_id': 'a hashtag is deleted with its community, once that has no posts',
  'workflow_screen_fields.field_id': 'a tenant has few screens',
  'workflow_states.screen_id': 'a tenant has few states',
  'workflow_transitions.from_state_id': 'a tenant has few transitions',
  'workflow_transitions.screen_id': 'a tenant has few transitions',
  'workflow_transitions.to_state_id': 'a tenant has few transitions',
};

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = new pg.Client(database.owner);
  await owner.connect();
  const read = async <R extends pg.QueryResultRow>(sql: string) => (await owner.query<R>(sql)).rows;
  const found = await read<{ table: string; columns: string[] }>(
    `SELECT c.relname AS table, array_agg(a.attname::text) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace GROUP BY 1`,
  );
  columns = new Map(found.map((row) => [row.table, row.columns]));
  foreignKeys = await read(
    `SELECT k.conrelid::regclass::text AS child, k.confrelid::regclass::text AS parent,
            ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)) AS columns
       FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace`,
  );
  constraintNames = await read(
    `SELECT i.indrelid::regclass::text AS table, c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace
     UNION SELECT k.conrelid::regclass::text, k.conname FROM pg_constraint k WHERE k.contype = 'f'`,
  );
  indexes = await read(
    `SELECT i.indrelid::regclass::text AS table, pg_get_expr(i.indpred, i.indrelid) AS among,
            ARRAY(SELECT pg_get_indexdef(i.indexrelid, n, false) FROM generate_series(1, i.indnkeyatts) n ORDER BY n) AS columns
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
      WHERE c.relnamespace = 'public'::regnamespace`,
  );
  await owner.end();
});
afterAll(() => database.drop());

describe('the registry of tables', () => {
  it('holds every table and every column, and no other', () => {
    expect([...tables.keys()].sort(), 'each table is in the tables.ts of its module').toEqual(
      [...columns.keys()].sort(),
    );
    for (const { name, columns: described } of tables.values())
      expect(Object.keys(described).sort(), name).toEqual([...columns.get(name)!].sort());
  });

  it('distributes the tables with a tenant, but for those that lead to one', () => {
    const others = [...tables.values()].filter(({ distribution }) => distribution !== 'distributed');
    expect(others.map(({ name, distribution }) => `${name} ${distribution}`).sort()).toEqual([
      'portico_backups local',
      'portico_deleted_tenants local',
      'portico_migrations local',
      'portico_owner_secrets local',
      'tenant_hosts reference',
      'tenant_work local',
      'tenants reference',
    ]);
    for (const { name, distribution } of tables.values())
      if (distribution === 'distributed') expect(columns.get(name), name).toContain('tenant_id');
  });

  it('names parents that a foreign key leads to, and fields only of objects', () => {
    for (const { name, parent, field } of tables.values()) {
      // A positive principal is a user, a negative one a group, which no foreign key can express.
      if (parent && !(parent.table === 'users' && parent.column === 'principal')) {
        const keys = foreignKeys.filter((key) => key.child === name && key.parent === parent.table);
        expect(
          keys.flatMap((key) => key.columns),
          name,
        ).toContain(parent.column);
      }
      if (field) expect(tables.get(parent!.table)?.entity, name).toBeDefined();
    }
  });

  it('erases rows before those that they refer to', () => {
    const order = [...tablesBelow(tables, 'posts').map(({ name }) => name), 'posts'];
    const between = foreignKeys.filter(({ child, parent }) => order.includes(child) && order.includes(parent));
    expect(between.length).toBeGreaterThan(20);
    for (const { child, parent } of between) {
      if (child === parent) expect(tables.get(child)?.eraseOrder, child).toBeDefined();
      else expect(order.indexOf(child), `${child} → ${parent}`).toBeLessThan(order.indexOf(parent));
    }
  });

  it('lets no table refer to a post by a foreign key that is not erased with it', () => {
    const below = tablesBelow(tables, 'posts').map(({ name }) => name);
    for (const { child, parent } of foreignKeys)
      if (parent === 'posts' || below.includes(parent))
        expect(
          [...below, 'posts'],
          `${child} refers to ${parent} and needs \`parent\` in the tables.ts of its module`,
        ).toContain(child);
  });

  it('finds the rows that belong or refer to an object by an index', () => {
    const parents = [...tables.values()].flatMap(({ name, parent }) =>
      parent ? [{ child: name, parent: parent.table, columns: ['tenant_id', parent.column] }] : [],
    );
    const missing = new Map<string, string>();
    const excepted = new Set<string>();
    for (const { child, parent, columns: names } of [...foreignKeys, ...parents]) {
      // An index that omits rows without a value suffices, too: such rows are never searched for.
      const own = names.filter((name) => name !== 'tenant_id');
      const whole = [null, ...own.map((name) => `(${name} IS NOT NULL)`)];
      const served = indexes.some(
        ({ table, columns: sorted, among }) =>
          table === child &&
          names.every((name) => sorted.slice(0, names.length).includes(name)) &&
          whole.includes(among),
      );
      const reason = [`${child}.${own.join(',')}`, `* → ${parent}`].find((key) => key in WITHOUT_INDEX);
      if (!served && reason !== undefined) excepted.add(reason);
      else if (!served)
        missing.set(
          `${child} (${own.join(', ')}) → ${parent}`,
          `its migration needs CREATE INDEX ON ${child} (${['tenant_id', ...own].join(', ')})`,
        );
    }
    expect(Object.fromEntries(missing)).toEqual({});
    expect([...excepted].sort(), 'an entry of WITHOUT_INDEX that nothing needs').toEqual(
      Object.keys(WITHOUT_INDEX).sort(),
    );
  });

  it('names every column that holds the reference of a stored file', () => {
    for (const { name, files = [] } of tables.values()) {
      // The files themselves, and the text that is already indexed.
      const own = ['file_contents', 'file_previews', 'file_texts'].includes(name) ? ['content_ref'] : [];
      const named = columns.get(name)!.filter((column) => column.endsWith('content_ref') && !own.includes(column));
      expect([...files].sort(), name).toEqual(named.sort());
    }
  });

  it('says of every row that names a person what becomes of it when they are erased', () => {
    for (const { name, people = {} } of tables.values()) {
      const naming = columns.get(name)!.filter((column) => ['user_id', 'principal'].includes(column));
      expect(Object.keys(people).sort(), `\`people\` of ${name} in the tables.ts of its module`).toEqual(naming.sort());
    }
  });

  it('names unique indexes and foreign keys of the table', () => {
    for (const { name, constraints = {} } of tables.values())
      for (const constraint of Object.keys(constraints))
        expect(constraintNames, constraint).toContainEqual({ table: name, name: constraint });
  });

  it('refuses a table of two owners and a child before its parent', () => {
    const table: Table = { distribution: 'local', columns: {} };
    expect(() => assembleTables({ a: { t: table }, b: { t: table } })).toThrow('The table t is described by a and b.');
    expect(() => assembleTables({ a: { t: { ...table, parent: { table: 'u', column: 'x' } } } })).toThrow(
      'The table t comes before its parent u.',
    );
  });
});
