/**
 * Grants of the service's role, read from the catalog: nothing beyond the grants in this file, also
 * for later objects.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNRECORDED } from '../../test/support/citus-statements.ts';
import { createTestDatabase, currentCluster, type TestDatabase } from '../../test/support/cluster.ts';
import { testSealer } from '../../test/support/encryption.ts';
import { tables } from '../modules/tables.ts';
import { createTenant } from '../modules/tenants/index.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let owner: pg.Client;
let service: pg.Client;
let role: string;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.owner);
  // Attempts are no statements of the product.
  service = new pg.Client({ ...database.service, application_name: UNRECORDED });
  await Promise.all([owner.connect(), service.connect()]);
  role = (await service.query<{ name: string }>('SELECT current_user AS name')).rows[0]!.name;
});
afterAll(async () => {
  await Promise.all([owner.end(), service.end()]);
  await database.drop();
});

const READ_ONLY = ['portico_backups', 'portico_deleted_tenants', 'portico_migrations', 'tenant_hosts', 'tenants'];
/** Moments of tenants, which a node reads together. */
const WITHOUT_ROW_SECURITY = ['tenant_work'];
const APPEND_ONLY = ['audit_checkpoints', 'audit_entries', 'audit_links'];
const WRITE = ['DELETE', 'INSERT', 'SELECT', 'UPDATE'];

interface Relation {
  name: string;
  kind: string;
  secured: boolean;
  /** Privileges of the role and of PUBLIC; a grant option is marked `*`. */
  privileges: string[];
}

async function relations(): Promise<Relation[]> {
  const { rows } = await owner.query<Relation>(
    `SELECT c.relname AS name, c.relkind AS kind, c.relrowsecurity AS secured,
            ARRAY(SELECT DISTINCT a.privilege_type || CASE WHEN a.is_grantable THEN '*' ELSE '' END
               FROM aclexplode(coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner))) a
              WHERE a.grantee = 0 OR (a.grantee <> c.relowner AND pg_has_role($1, a.grantee, 'MEMBER')) ORDER BY 1) AS privileges
       FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') ORDER BY c.relname`,
    [role],
  );
  return rows;
}

function expected({ name, kind, secured }: Relation): string[] {
  if (kind === 'S') return ['USAGE'];
  if (kind === 'v') return ['SELECT'];
  if (name === 'portico_owner_secrets') return [];
  if (READ_ONLY.includes(name)) return ['SELECT'];
  if (APPEND_ONLY.includes(name)) return ['INSERT', 'SELECT'];
  return kind === 'r' && (secured || WITHOUT_ROW_SECURITY.includes(name)) ? WRITE : [];
}

describe('the grants of the service role', () => {
  it("are those of each relation's kind, and no more", async () => {
    const found = await relations();
    expect(found.filter(({ kind }) => kind === 'v').length).toBeGreaterThanOrEqual(4);
    expect(found.filter(({ kind }) => kind === 'r').length).toBeGreaterThan(50);
    for (const relation of found) expect(relation.privileges, relation.name).toEqual(expected(relation));
  });

  it('name no columns, no databases but this one, no schema to create in, and no other role', async () => {
    const one = async (sql: string) => (await owner.query(sql, [role])).rows;
    expect(
      await one(`SELECT attrelid::regclass::text, attname FROM pg_attribute, aclexplode(attacl) a
        WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
          AND (a.grantee = 0 OR pg_has_role($1, a.grantee, 'MEMBER'))`),
    ).toEqual([]);
    expect(
      await one(
        `SELECT nspname FROM pg_namespace WHERE has_schema_privilege($1, oid, 'CREATE') AND nspname NOT LIKE 'pg\\_temp%'`,
      ),
    ).toEqual([]);
    expect(await one(`SELECT FROM pg_database WHERE has_database_privilege($1, oid, 'CREATE')`)).toEqual([]);
    expect(await one(`SELECT roleid::regrole::text FROM pg_auth_members WHERE member = $1::regrole`)).toEqual([]);
    expect(
      await one(`SELECT defaclrole FROM pg_default_acl, aclexplode(defaclacl) a
        WHERE a.grantee = 0 OR pg_has_role($1, a.grantee, 'MEMBER')`),
    ).toEqual([]);
    // A function that works with its owner's rights would be a way around row security.
    expect(
      await one(`SELECT p.oid::regprocedure::text FROM pg_proc p
        WHERE p.prosecdef AND p.proowner <> $1::regrole AND has_function_privilege($1, p.oid, 'EXECUTE')
          AND p.pronamespace = 'public'::regnamespace`),
    ).toEqual([]);
    expect(await one(`SELECT FROM pg_largeobject_metadata WHERE lomowner = $1::regrole OR lomacl IS NOT NULL`)).toEqual(
      [],
    );
  });

  it('are taken away where an earlier version gave more', async () => {
    await owner.query(`GRANT ALL ON user_search_view, tenants, portico_owner_secrets, users TO ${role}`);
    await migrate({ owner: database.owner, role, tables });
    for (const relation of await relations()) expect(relation.privileges, relation.name).toEqual(expected(relation));
  });
});

describe('rows of another tenant', () => {
  it('cannot be written through a view, with the grants and without', async () => {
    const mine = await createTenant(owner, testSealer, { name: 'mine', hosts: ['mine.test'] });
    const theirs = await createTenant(owner, testSealer, { name: 'theirs', hosts: ['theirs.test'] });
    await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(theirs.id)]);
    await owner.query(`INSERT INTO groups (tenant_id, id, name, name_key) VALUES ($1, 77, 'g', 'g')`, [theirs.id]);
    await service.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(mine.id)]);
    const attempts: [string, number][] = [
      [`INSERT INTO user_search_view (tenant_id, user_id, doc) VALUES ($1, $2, 'forged')`, theirs.systemUserId],
      [`INSERT INTO group_search_view (tenant_id, group_id, doc) VALUES ($1, $2, 'forged')`, 77],
    ];
    const codes = async () => {
      const found: (string | undefined)[] = [];
      for (const [sql, id] of attempts) {
        const refusal = await service.query(sql, [theirs.id, id]).then(
          () => undefined,
          (error: { code?: string }) => error.code,
        );
        found.push(refusal);
      }
      return found;
    };
    // Citus writes through no view at all.
    const refused = (code: string) => Array(2).fill(currentCluster().citus ? '0A000' : code);
    expect(await codes()).toEqual(refused('42501'));
    const { rows: views } = await owner.query<{ name: string }>(
      `SELECT viewname AS name FROM pg_views WHERE schemaname = 'public'`,
    );
    await owner.query(`GRANT ALL ON ${views.map(({ name }) => name).join(', ')} TO ${role}`);
    // 44000: the check option of the view.
    expect(await codes()).toEqual(refused('44000'));
    const { rows: unchecked } = await owner.query(
      `SELECT table_name FROM information_schema.views
        WHERE table_schema = 'public' AND check_option = 'NONE' AND table_name NOT LIKE 'citus%'`,
    );
    expect(unchecked).toEqual([]);
  });
});
