/**
 * Data of earlier versions, made by their own first start with its demo (examples/upgrade/dump.mjs), upgraded by this
 * version: no row is lost, and every read and a write answer as the contract says.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { tenantScope } from '../../src/modules/tenants/index.ts';
import { readConfig } from '../../src/process/config/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import { Surroundings } from '../process/process.fixture.ts';
import { TEST_ENCRYPTION_KEY } from '../support/encryption.ts';
import { createTestPortal, currentCluster, type TestPortal } from '../support/index.ts';

const FOLDER = new URL('./', import.meta.url);
const HOST = 'localhost';
const API = '/portal/api/external/v2/communication';
/** Tables that a start writes to by itself. */
const OWN = ['portico_migrations', 'portico_owner_secrets', 'portico_backups', 'tenant_work'];
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const surroundings = new Surroundings();

afterAll(() => surroundings.clean());

async function asOwner<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Numbers of rows of all tables, whose owner row security binds. */
async function countRows(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; forced: boolean }>(
    `SELECT c.relname AS name, c.relforcerowsecurity AS forced FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  await client.query('BEGIN');
  for (const { name, forced } of rows)
    if (forced) await client.query(`ALTER TABLE public.${name} NO FORCE ROW LEVEL SECURITY`);
  const counts = new Map<string, number>();
  for (const { name } of rows) {
    const { rows: counted } = await client.query<{ n: string }>(`SELECT count(*) AS n FROM public.${name}`);
    counts.set(name, Number(counted[0]!.n));
  }
  await client.query('ROLLBACK');
  return counts;
}

/** Upgrades the data of a version. @returns a portal on it, and the numbers of rows before and after */
async function upgraded(file: string) {
  const { url, owner } = await surroundings.database();
  const sql = gunzipSync(readFileSync(new URL(file, FOLDER))).toString();
  await asOwner(owner, (client) => client.query(sql));
  const before = await asOwner(owner, countRows);
  const config = readConfig({
    DATABASE_URL: url,
    PORTICO_DATA_DIR: await surroundings.directory(),
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
  });
  const { service, close } = await openDatabase(config, quiet, 'command');
  await close();
  const after = await asOwner(owner, countRows);
  const database = { name: String(owner.database), owner, service, drop: async () => undefined };
  const portal = await createTestPortal({ database, bystander: false });
  return { portal, before, after };
}

/** Sends requests as the author of most posts of the demo. */
async function asAuthor({ services, app }: TestPortal) {
  const tenant = { id: 1, name: 'demo', displayName: 'Portico demo' };
  const [author] = await services.databases.for(tenant.id).query<{ id: number; version: number }>(
    `SELECT u.id, u.credentials_version AS version FROM users u
         JOIN (SELECT tenant_id, creator_id, count(*) AS posts FROM posts WHERE tenant_id = $1 GROUP BY 1, 2) p
           ON p.tenant_id = u.tenant_id AND p.creator_id = u.id
        WHERE u.tenant_id = $1 ORDER BY p.posts DESC, u.id LIMIT 1`,
    [tenant.id],
  );
  const token = await services.tokens.issue(await tenantScope(services, tenant, `http://${HOST}`), {
    userId: author!.id,
    keyId: null,
    sessionVersion: author!.version,
  });
  return async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { host: HOST, authorization: `Bearer ${token}` };
    const answer = await app.inject({ method, url: API + path, headers, ...(payload && { payload }) });
    expect(answer.statusCode, `${method} ${path}: ${answer.body.slice(0, 300)}`).toBe(200);
    return answer.json();
  };
}

/** Reads every community with posts of it, each answer checked against the contract, and writes a comment. */
async function readAndWrite(send: Awaited<ReturnType<typeof asAuthor>>): Promise<void> {
  const { communities } = await send('GET', '/settings/communities');
  expect(communities.length).toBeGreaterThan(1);
  const posts: number[] = [];
  for (const { id } of communities) {
    await send('GET', `/settings/communities/${id}/post-definition`);
    await send('GET', `/posts/manage/post-data-for-create/${id}`);
    const page = { pageSize: 20, calculateTotalItemsCount: true };
    const { items: found } = await send('POST', `/posts/data/list/community/${id}`, page);
    posts.push(...found.slice(0, 3).map(({ id: post }: { id: number }) => post));
  }
  expect(posts.length).toBeGreaterThan(3);
  for (const post of posts) {
    await send('GET', `/posts/data/post-detail-by-id/${post}`);
    await send('POST', `/posts/data/comments-list/${post}`, { pageSize: 20 });
    await send('POST', `/posts/data/history-list/${post}`, { pageSize: 20 });
  }
  const comment = { comment: 'After the upgrade', commentFormat: 2 };
  await send('POST', `/posts/manage/create-comment/${posts[0]}`, comment);
  await send('POST', '/tasks/data/tasks', { pageSize: 20 });
  await send('POST', '/posts/data/global-stream', {});
}

// Earlier versions moved to a cluster by a copy of their data, which has tests of its own.
describe.skipIf(currentCluster().citus)('data of earlier versions', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql.gz'));

  test('the baseline and each release have some', () => {
    const log = readFileSync(new URL('../../../../CHANGELOG.md', import.meta.url), 'utf8');
    const released = [...log.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => `${version}.sql.gz`);
    expect(files.sort()).toEqual([...released, 'baseline.sql.gz'].sort());
  });

  test.each(files)('of %s are upgraded', async (file) => {
    const { portal, before, after } = await upgraded(file);
    try {
      expect(before.get('posts')).toBeGreaterThan(100);
      for (const [table, rows] of before) {
        if (OWN.includes(table) || !after.has(table)) continue;
        expect(after.get(table), table).toBe(rows);
      }
      const send = await asAuthor(portal);
      await readAndWrite(send);
    } finally {
      await portal.close();
    }
  });
});
