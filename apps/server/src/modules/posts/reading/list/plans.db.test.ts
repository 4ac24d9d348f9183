/**
 * The plans of every shape of list at 100,000 generated posts, as the service's role: none reads the community. What each
 * statement did is kept as text in `../plans`, one file per major version of PostgreSQL: run with PORTICO_WRITE_PLANS=1
 * to write it anew.
 */
import { writeFile } from 'node:fs/promises';
import { FilterType, postOrders } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantTx } from '../../../../platform/db/tenant-db.ts';
import type { Scope } from '../../../../platform/scope.ts';
import { createTestPortal, type TestPortal } from '../../../../testing/index.ts';
import { type GeneratedCommunity, generateCommunity } from '../../../../testing/post-generator.ts';
import { WALK_BUDGET } from './find-page.ts';
import type { ListInput } from './list-input.ts';
import { listPostIds } from './list-posts.ts';

const POSTS = 100_000;

let portal: TestPortal;
let made: GeneratedCommunity;
let reader: Scope;
let contributor: Scope;
let major: number;
const report: string[] = [];

beforeAll(async () => {
  portal = await createTestPortal();
  const tenant = await portal.createTenant();
  made = await generateCommunity(portal.owner, tenant.tenant.id, POSTS);
  reader = await tenant.scope(made.readerId);
  contributor = await tenant.scope(made.contributorId);
  const version = await portal.owner.query<{ server_version_num: string }>('SHOW server_version_num');
  major = Math.floor(Number(version.rows[0]?.server_version_num) / 10_000);
}, 600_000);

afterAll(async () => {
  if (process.env.PORTICO_WRITE_PLANS === '1') {
    await writeFile(new URL(`../plans/list-plans-pg${major}.txt`, import.meta.url), `${report.join('\n\n')}\n`);
  }
  await portal.close();
});

interface Sent {
  text: string;
  values: readonly unknown[];
}

/** What a list sent to the database. */
async function statementsOf(scope: Scope, input: ListInput): Promise<Sent[]> {
  const sent: Sent[] = [];
  const db = {
    ...scope.db,
    query: <R>(text: string, values: readonly unknown[] = []) => {
      sent.push({ text, values });
      return scope.db.query<R>(text, values);
    },
  };
  await listPostIds({ ...scope, db }, 'listCommunityPostsFiltered', made.communityId, input);
  return sent;
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  if (typeof value === 'number') return String(value);
  return `'${String(value).replaceAll("'", "''")}'`;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

interface Cost {
  /** Rows that scans touched, by table. */
  rows: Map<string, number>;
  sequential: string[];
}

function costOf(node: PlanNode, cost: Cost = { rows: new Map(), sequential: [] }): Cost {
  const table = node['Relation Name'];
  if (table) {
    const each =
      node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    cost.rows.set(table, (cost.rows.get(table) ?? 0) + Math.round(each * node['Actual Loops']));
    if (node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0) cost.sequential.push(table);
  }
  for (const child of node.Plans ?? []) costOf(child, cost);
  return cost;
}

/** Lines that say how PostgreSQL went about it, and differ from run to run. */
const NOISE =
  /^\s*(?:(?:Index Searches|Storage|Heap Fetches|Heap Blocks|Sort Method|Full-sort Groups|Pre-sorted Groups|Batches|Buckets):|One-Time Filter: \(\(current_setting)/;

/** A plan without noise and without what was never executed. */
function shorten(lines: readonly string[]): string {
  const kept: string[] = [];
  let skipped = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const depth = line.search(/\S/);
    if (depth > skipped) continue;
    skipped = line.includes('(never executed)') ? depth : Number.POSITIVE_INFINITY;
    if (skipped === Number.POSITIVE_INFINITY && !NOISE.test(line)) kept.push(line);
  }
  return kept.join('\n');
}

/** Runs a statement as the service's role, prepared as the pool prepares it. @returns its plan as text and its cost */
async function explain(
  scope: Scope,
  { text, values }: Sent,
  generic: boolean,
): Promise<{ plan: string; cost: Cost; ms: number }> {
  return scope.db.transaction(async (tx: TenantTx) => {
    await tx.query(`SET LOCAL plan_cache_mode = ${generic ? 'force_generic_plan' : 'force_custom_plan'}`);
    await tx.query(`PREPARE shape AS ${text}`);
    try {
      const call = `EXECUTE shape${values.length > 0 ? `(${values.map(literal).join(', ')})` : ''}`;
      const [json] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) ${call}`,
      );
      const lines = await tx.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ${call}`,
      );
      return {
        plan: shorten(lines.map((line) => line['QUERY PLAN'])),
        cost: costOf(json!['QUERY PLAN'][0].Plan),
        ms: json!['QUERY PLAN'][0]['Execution Time'],
      };
    } finally {
      await tx.query('DEALLOCATE shape');
    }
  });
}

const BIG = new Set(['posts', 'post_values', 'post_texts', 'post_search', 'post_grants', 'post_user_state']);

/** Asserts that no statement of a list scans the community. @param most rows of any table that a statement may touch */
async function expectNarrow(name: string, scope: Scope, input: ListInput, most: number, kept = true): Promise<void> {
  const sent = await statementsOf(scope, input);
  for (const [index, statement] of sent.entries()) {
    for (const generic of [false, true]) {
      const { plan, cost, ms } = await explain(scope, statement, generic);
      const touched = Object.fromEntries(cost.rows);
      if (process.env.PORTICO_SHOW_PLANS) {
        console.log(
          `${name} #${index + 1}/${sent.length} ${generic ? 'generic' : 'custom'} ${ms} ms ${JSON.stringify(touched)}`,
        );
        if (process.env.PORTICO_SHOW_PLANS === name) console.log(statement.text, '\n', plan);
      }
      if (!generic && kept) report.push(`# ${name}, statement ${index + 1} of ${sent.length}\n${plan}`);
      const label = `${name} #${index + 1} ${generic ? 'generic' : 'custom'}\n${statement.text}\n${plan}`;
      expect
        .soft(
          cost.sequential.filter((table) => BIG.has(table)),
          label,
        )
        .toEqual([]);
      for (const [table, rows] of cost.rows) expect.soft(rows, `${table} in ${label}`).toBeLessThanOrEqual(most);
    }
  }
}

/** A page may look at as many rows as a walk is allowed: of each post its entry in the index of the order, and its row. */
const PAGE = 2 * WALK_BUDGET + 1_000;

describe('orders', () => {
  for (const desc of [true, false]) {
    for (const order of postOrders) {
      test(`${order} ${desc ? 'descending' : 'ascending'}`, async () => {
        await expectNarrow(`${order} ${desc ? 'desc' : 'asc'}`, reader, { orderBy: order, orderDesc: desc }, PAGE);
        const first = await listPostIds(reader, 'listCommunityPostsFiltered', made.communityId, {
          orderBy: order,
          orderDesc: desc,
          pageSize: 500,
        });
        await expectNarrow(
          `${order} ${desc ? 'desc' : 'asc'} page 2`,
          reader,
          { orderBy: order, orderDesc: desc, pageToken: first.nextPageToken! },
          PAGE,
        );
      });
    }
    for (const field of ['int', 'decimal', 'date', 'text', 'flag', 'enum', 'sparse'] as const) {
      test(`field ${field} ${desc ? 'descending' : 'ascending'}`, async () => {
        const orderBy = `postCustomField-${made.fields[field]}` as ListInput['orderBy'];
        await expectNarrow(`field ${field} ${desc ? 'desc' : 'asc'}`, reader, { orderBy, orderDesc: desc }, PAGE);
      });
    }
  }
});

describe('filters', () => {
  const filter = (
    field: keyof GeneratedCommunity['fields'],
    typeId: number,
    parameters: unknown[] = [],
  ): ListInput => ({
    postFieldFilters: [{ columnId: made.fields[field], typeId, parameters: parameters as never }],
  });
  const shapes: Record<string, () => ListInput> = {
    'enum common': () => filter('enum', FilterType.EQUAL, [made.enumIds[0]]),
    'enum rare': () => filter('enum', FilterType.EQUAL, [made.enumIds[19]]),
    'enum in': () => filter('enum', FilterType.IN, made.enumIds.slice(8, 11)),
    'enum empty or in': () => filter('enum', FilterType.IS_NULL_OR_IN, [made.enumIds[15]]),
    'enum empty': () => filter('enum', FilterType.IS_EMPTY),
    'list contains common': () => filter('list', FilterType.CONTAINS, [made.listIds[0]]),
    'list equal rare': () => filter('list', FilterType.EQUAL, [made.listIds[29]]),
    'user common': () => filter('users', FilterType.IN, [made.userIds[0]]),
    'user rare': () => filter('users', FilterType.IN, [made.userIds.at(-1)]),
    'int equal': () => filter('int', FilterType.EQUAL, [777]),
    'int interval wide': () => filter('int', FilterType.INTERVAL, [0, 15_000]),
    'int interval narrow': () => filter('int', FilterType.INTERVAL, [100, 110]),
    'decimal interval': () => filter('decimal', FilterType.INTERVAL, [900, null]),
    'date interval': () => filter('date', FilterType.INTERVAL, [1_577_836_800_000, 1_578_000_000_000]),
    'flag true': () => filter('flag', FilterType.EQUAL, [true]),
    'text equal': () => filter('text', FilterType.EQUAL, ['budget 5']),
    'text like rare': () => filter('text', FilterType.LIKE, ['get 123']),
    'text like common': () => filter('text', FilterType.LIKE, ['budget']),
    'sparse empty': () => filter('sparse', FilterType.IS_EMPTY),
    'sparse interval': () => filter('sparse', FilterType.INTERVAL, [1, 500]),
    'containsText rare': () => ({ containsText: 'budget 1234' }),
    'containsText common': () => ({ containsText: 'meeting' }),
    'title rare': () => ({ title: 'design 4321' }),
    'creator rare': () => ({ createdByUserIds: [made.userIds.at(-5)!] }),
    'creator common': () => ({ createdByUserIds: [made.userIds[0]!] }),
    group: () => ({ createdByGroupIds: [made.groupId] }),
    'created in an hour': () => ({
      creationTimestampFrom: Date.UTC(2020, 1, 1),
      creationTimestampTo: Date.UTC(2020, 1, 1, 1),
    }),
    'created since': () => ({ creationTimestampFrom: Date.UTC(2020, 0, 2) }),
    'hashtag common': () => ({ hashtagIds: [made.hashtagIds[0]!] }),
    'hashtags rare': () => ({ hashtagIds: made.hashtagIds.slice(-2) }),
    'state common': () => ({ currentWorkflowStatusIds: [made.stateIds[0]!] }),
    'state rare': () => ({ currentWorkflowStatusIds: [made.stateIds[4]!] }),
    private: () => ({ visibility: 1 }),
    events: () => ({ postTypes: [2] }),
    pinned: () => ({ onlyPinned: true }),
    followed: () => ({ followedByMe: true }),
    mentioned: () => ({ mentioned: true }),
    toManage: () => ({ toManage: true }),
    toManageStandardTasks: () => ({ toManageStandardTasks: true }),
    drafts: () => ({ draft: true }),
    'three common': () => ({
      postFieldFilters: [
        { columnId: made.fields.enum, typeId: FilterType.EQUAL, parameters: [made.enumIds[0]!] },
        { columnId: made.fields.flag, typeId: FilterType.EQUAL, parameters: [true] },
        { columnId: made.fields.list, typeId: FilterType.CONTAINS, parameters: [made.listIds[0]!] },
      ],
    }),
    'common with rare': () => ({
      containsText: 'meeting',
      postFieldFilters: [{ columnId: made.fields.enum, typeId: FilterType.EQUAL, parameters: [made.enumIds[19]!] }],
    }),
  };
  const orders = () => [
    undefined,
    'postTitle',
    'postCreatorUser',
    'postViewedByMeTimestamp',
    `postCustomField-${made.fields.int}`,
    `postCustomField-${made.fields.enum}`,
  ];
  for (const [name, shape] of Object.entries(shapes)) {
    test(name, async () => {
      for (const orderBy of orders()) {
        const input = { ...shape(), ...(orderBy && { orderBy: orderBy as ListInput['orderBy'] }) };
        await expectNarrow(
          `${name}${orderBy ? ` by ${orderBy}` : ''}`,
          contributor,
          input,
          PAGE,
          orderBy === undefined,
        );
      }
    });
  }
});
