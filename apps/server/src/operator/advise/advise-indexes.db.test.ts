/**
 * Advice is held against PostgreSQL: slow shapes are listed through the product, the advice is taken, and the very
 * statements of those lists then read fewer pages, with known parameters (custom plans) and with unknown ones (generic).
 */
import { FilterType } from '@portico/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../test/support/index.ts';
import { type GeneratedCommunity, generateCommunity } from '../../../test/support/post-generator.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { ListInput } from '../../modules/posts/reading/list/list-input.ts';
import { listPostIds } from '../../modules/posts/reading/list/list-posts.ts';
import type { TenantTx } from '../../platform/db/tenant-db.ts';
import { OperatorSession } from '../session.ts';
import { nameOf } from './index-spec.ts';

const POSTS = 20_000;
const WAIT = { lockTimeoutMs: 60_000 };

let portal: TestPortal;
let tenant: TestTenant;
let made: GeneratedCommunity;
let reader: Scope;
let session: OperatorSession;

beforeAll(async () => {
  portal = await createTestPortal({});
  tenant = await portal.createTenant();
  made = await generateCommunity(portal.owner, tenant.tenant.id, POSTS);
  await portal.owner.query(
    'UPDATE posts SET visibility = 1 WHERE tenant_id = $1 AND custom_no % 10 < 8 AND custom_no > $2',
    [tenant.tenant.id, POSTS * 0.9],
  );
  // Rows as wide as in a community with forty fields.
  await portal.owner.query(
    `UPDATE posts SET custom_data = (SELECT jsonb_object_agg(f, md5(f::text || id)) FROM generate_series(1, 40) f) WHERE tenant_id = $1`,
    [tenant.tenant.id],
  );
  await portal.owner.query('VACUUM FULL posts');
  await portal.owner.query('VACUUM (ANALYZE) posts');
  reader = await tenant.scope(made.readerId);
  session = new OperatorSession(portal.services, portal.owner, portal.database.owner);
}, 300_000);
afterAll(() => portal.close());

interface Sent {
  text: string;
  values: readonly unknown[];
}

/** Lists as a request does, several times as a portal in use does. @returns the statements of the first time */
async function list(input: ListInput): Promise<Sent[]> {
  const sent: Sent[] = [];
  const db = {
    ...reader.db,
    query: <R>(text: string, values: readonly unknown[] = []) => {
      sent.push({ text, values });
      return reader.db.query<R>(text, values);
    },
  };
  await listPostIds({ ...reader, db }, 'listCommunityPostsFiltered', made.communityId, input);
  await portal.services.listShapes.flush();
  return sent.filter(({ text }) => /^(?:WITH (?:w0|found)|SELECT \()/.test(text));
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

interface Pages {
  pages: number;
  plan: string;
}

/** Pages that statements read, as the service's role. */
async function pagesOf(sent: readonly Sent[], mode: 'custom' | 'generic'): Promise<Pages> {
  const all: Pages = { pages: 0, plan: '' };
  for (const { text, values } of sent) {
    await reader.db.transaction(async (tx: TenantTx) => {
      await tx.query(`SET LOCAL plan_cache_mode = force_${mode}_plan`);
      await tx.query(`PREPARE shape AS ${text}`);
      const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, FORMAT JSON) EXECUTE shape${values.length > 0 ? `(${values.map(literal).join(', ')})` : ''}`,
      );
      await tx.query('DEALLOCATE shape');
      const { Plan } = row!['QUERY PLAN'][0];
      all.pages += (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0);
      all.plan += JSON.stringify(Plan);
    });
  }
  return all;
}

const advise = () => session.adviseIndexes({ tenant: tenant.tenant.name, minMs: 0, days: 7 });
const forget = () => reader.db.execute('DELETE FROM list_shapes WHERE tenant_id = $1', [reader.db.tenantId]);

async function dropAll(): Promise<void> {
  const { advised } = await advise();
  await session.dropIndexes(
    advised.map((index) => index.name),
    WAIT.lockTimeoutMs,
  );
}

describe('what is advised is used and reads fewer pages', () => {
  const field = (name: keyof GeneratedCommunity['fields'], typeId: FilterType, parameters: unknown[]) => ({
    columnId: made.fields[name],
    typeId,
    parameters: parameters as never,
  });
  const shapes: Record<string, { input: () => ListInput; gain: 'large' | 'some'; most: number; built: RegExp[] }> = {
    'an order, with public posts only': {
      input: () => ({ visibility: 2, orderBy: 'postTitle', pageSize: 200 }),
      gain: 'large',
      most: 0.3,
      built: [/^advised_posts__title_key__[0-9a-f]{8}$/],
    },
    'an order, with ordinary posts and no other filter': {
      input: () => ({ postTypes: [1, 3], orderBy: 'postCreationTimestamp', pageSize: 500 }),
      gain: 'large',
      most: 0.8,
      built: [/^advised_posts__created_at__/],
    },
    'an order alone, of a community with many private posts': {
      input: () => ({ orderBy: 'postRecency', pageSize: 20 }),
      gain: 'large',
      most: 0.8,
      built: [/^advised_posts__recent_at__/],
    },
    'names of attachments': {
      input: () => ({ communityAttachmentFilters: { name: 'file 432' } }),
      gain: 'large',
      most: 0.7,
      built: [/^advised_attachments__post_id__/],
    },
    'intervals and lists of values along a title': {
      input: () => ({
        orderBy: 'postTitle',
        postFieldFilters: [
          field('list', FilterType.IN, made.listIds.slice(0, 6)),
          field('enum', FilterType.IN, made.enumIds.slice(3, 8)),
          field('int', FilterType.INTERVAL, [0, 3_000]),
        ],
      }),
      gain: 'some',
      most: 0.9,
      built: [/^advised_post_values__field_id_post_id_ord__/],
    },
  };
  for (const [name, { input, gain, most, built }] of Object.entries(shapes)) {
    test(name, async () => {
      await forget();
      const sent = await list(input());
      const before = { custom: await pagesOf(sent, 'custom'), generic: await pagesOf(sent, 'generic') };
      const { recommended } = await advise();
      const names = recommended.map((index) => index.name);
      expect(names).toHaveLength(built.length);
      for (const pattern of built) expect(names).toContainEqual(expect.stringMatching(pattern));
      expect(recommended.map((index) => index.gain)).toContain(gain);
      expect(await session.buildIndexes(recommended, WAIT)).toEqual(names);
      for (const mode of ['custom', 'generic'] as const) {
        const after = await pagesOf(sent, mode);
        for (const index of names) expect(after.plan, mode).toContain(index);
        expect(after.pages, `${mode}, before ${before[mode].pages}`).toBeLessThanOrEqual(before[mode].pages * most);
      }
      const later = await advise();
      expect(later.recommended).toEqual([]);
      expect(later.shapes.flatMap((shape) => shape.served).sort()).toEqual(expect.arrayContaining(names));
      await dropAll();
    });
  }
});

describe('advice', () => {
  test('tells slow shapes by community and labels, and why none helps', async () => {
    await forget();
    await list({ createdByUserIds: [made.userIds.at(-1)!] });
    await list({
      orderBy: `postCustomField-${made.fields.int}`,
      postFieldFilters: [{ columnId: made.fields.text, typeId: FilterType.LIKE, parameters: ['ge'] }],
    });
    const { shapes, recommended } = await advise();
    expect(recommended).toEqual([]);
    expect(shapes).toHaveLength(2);
    for (const shape of shapes)
      expect(shape).toMatchObject({ tenant: tenant.tenant.name, community: 'generated', lists: 1, build: [] });
    expect(shapes.map((shape) => [shape.filters, shape.order, shape.plan])).toContainEqual([
      'f LIKE, short',
      'f',
      'index scan',
    ]);
    expect(shapes.find((shape) => shape.plan === 'index scan')?.why).toContain('one or two letters');
    expect(shapes.find((shape) => shape.plan === 'candidate set')?.why).toContain('no further index helps');
  });

  test('merges what shapes want into one index, which supersedes a smaller one', async () => {
    await forget();
    await list({ visibility: 2, orderBy: 'postTitle' });
    const first = await advise();
    await session.buildIndexes(first.recommended, WAIT);
    await forget();
    await list({ postTypes: [1], orderBy: 'postTitle' });
    const second = await advise();
    expect(second.recommended.map((index) => index.spec.include)).toEqual([['live', 'pinned', 'type', 'visibility']]);
    await session.buildIndexes(second.recommended, WAIT);
    const { advised } = await advise();
    const state = new Map(advised.map((index) => [index.name, index.state]));
    expect(state.get(first.recommended[0]!.name)).toBe('superseded');
    expect(state.get(second.recommended[0]!.name)).not.toBe('superseded');
    await dropAll();
  });

  test('knows an index that nobody has used for a week', async () => {
    await forget();
    await list({ visibility: 2, orderBy: 'postRecency' });
    const { recommended } = await advise();
    await session.buildIndexes(recommended, WAIT);
    const [name] = recommended.map((index) => index.name);
    expect((await advise()).advised).toMatchObject([{ name, scans: 0, state: 'young' }]);
    await portal.owner.query(`COMMENT ON INDEX ${name} IS 'portico db advise 2020-01-01T00:00:00.000Z'`);
    const reset = await portal.owner.query<{ since: Date | null }>(
      'SELECT stats_reset AS since FROM pg_stat_database WHERE datname = current_database()',
    );
    expect((await advise()).advised).toMatchObject([{ name, state: reset.rows[0]?.since ? 'young' : 'unused' }]);
    await dropAll();
    expect((await advise()).advised).toEqual([]);
  });
});

describe('building and dropping', () => {
  const wanted = async () => {
    await forget();
    await list({ visibility: 2, orderBy: 'postRecency' });
    const { recommended } = await advise();
    return recommended;
  };

  test('a leftover of an interrupted build is built anew', async () => {
    const recommended = await wanted();
    const name = nameOf(recommended[0]!.spec);
    // A unique index that cannot be: PostgreSQL leaves it behind, INVALID.
    await expect(
      portal.owner.query(`CREATE UNIQUE INDEX CONCURRENTLY ${name} ON posts (tenant_id, community_id)`),
    ).rejects.toThrow();
    const before = await advise();
    expect(before.advised).toMatchObject([{ name, state: 'invalid' }]);
    expect(before.recommended.map((index) => index.name)).toEqual([name]);
    expect(await session.buildIndexes(recommended, WAIT)).toEqual([name]);
    expect((await advise()).advised[0]?.state).not.toBe('invalid');
    // A repeated call keeps the existing indexes.
    expect(await session.buildIndexes(recommended, WAIT)).toEqual([]);
    await dropAll();
  });

  test('a build that waits too long leaves nothing that passes for an index, and the next one gets over it', async () => {
    const recommended = await wanted();
    const other = new pg.Client(portal.database.owner);
    await other.connect();
    await other.query('BEGIN');
    await other.query('LOCK TABLE posts IN ROW EXCLUSIVE MODE');
    await expect(session.buildIndexes(recommended, { lockTimeoutMs: 100 })).rejects.toThrow(/timed out waiting/);
    await other.query('ROLLBACK');
    await other.end();
    expect((await advise()).advised.filter((index) => index.state !== 'invalid')).toEqual([]);
    expect(await session.buildIndexes(recommended, WAIT)).toHaveLength(1);
    expect((await advise()).advised).toMatchObject([{ state: 'young' }]);
    await dropAll();
  });

  test('only one builds at a time, and progress is told', async () => {
    const recommended = await wanted();
    const other = new pg.Client(portal.database.owner);
    await other.connect();
    // Holds the build back, so that there is something to tell.
    await other.query('BEGIN');
    await other.query('LOCK TABLE posts IN ROW EXCLUSIVE MODE');
    const phases = new Set<string>();
    const { promise: told, resolve } = Promise.withResolvers<void>();
    const building = session.buildIndexes(recommended, {
      ...WAIT,
      onProgress: (_name, phase) => {
        phases.add(phase);
        resolve();
      },
    });
    await told;
    await expect(session.buildIndexes(recommended, WAIT)).rejects.toThrow(/only one can run at a time/);
    await other.query('COMMIT');
    await other.end();
    await building;
    expect([...phases]).toEqual(expect.arrayContaining([expect.stringContaining('waiting'), 'vacuuming']));
    await dropAll();
  });

  test('nothing but advised indexes is dropped', async () => {
    for (const name of ['posts__title_key', 'advised_x; DROP TABLE posts', 'Advised_x'])
      await expect(session.dropIndexes([name], 1_000)).rejects.toThrow(/only they are dropped/);
    await expect(session.dropIndexes(['advised_none'], 1_000)).rejects.toThrow('There is no index advised_none.');
  });

  test('an unknown tenant is said', async () => {
    await expect(session.adviseIndexes({ tenant: 'nobody', minMs: 0, days: 7 })).rejects.toThrow(
      'There is no tenant "nobody"',
    );
  });
});
