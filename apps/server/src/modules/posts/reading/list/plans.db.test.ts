/**
 * The plans of every shape of list at 100,000 generated posts, as the service's role: no plan reads
 * the whole community. With PORTICO_WRITE_PLANS=1 the run writes the plan of each statement as text
 * to `bench/generated/plans`, one file per major version of PostgreSQL.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { FieldType, FilterType, operatorsByFieldType, postOrders } from '@portico/contract';
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../../test/support/index.ts';
import { longForm } from '../../../../../test/support/long-form.ts';
import { type PlanNode, shorten } from '../../../../../test/support/plans.ts';
import { type GeneratedCommunity, generateCommunity } from '../../../../../test/support/post-generator.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import { FEW, SCAN_BUDGET } from './find-page.ts';
import type { ListInput } from './list-input.ts';
import { listPostIds, listPosts } from './list-posts.ts';
import { type Cost, costOf, literal } from './plans.fixture.ts';

const POSTS = 100_000;
const OTHER_TENANTS = 30;
const POSTS_OF_OTHERS = 100;

let portal: TestPortal;
let made: GeneratedCommunity;
let reader: Scope;
let contributor: Scope;
let major: number;
/** Drafts and private posts of the community; grants of the contributor. */
let hidden: number;
let granted: number;
/** A post that others refer to. */
let target: number;
const report: string[] = [];
/** Directory of the plans written on request; not checked in. */
const PLANS_DIR = new URL('../../../../../../../bench/generated/plans/', import.meta.url);
/** Plans as text are created only to be written: that runs every statement once more. */
const WRITING = process.env.PORTICO_WRITE_PLANS === '1';

beforeAll(async () => {
  portal = await createTestPortal();
  const tenant = await portal.createTenant();
  made = await generateCommunity(portal.owner, tenant.tenant.id, POSTS, { analyze: false });
  // Beside many small tenants: PostgreSQL then estimates each tenant as one of many and small, this
  // one too.
  for (let others = 1; others <= OTHER_TENANTS; others++) {
    await generateCommunity(portal.owner, (await portal.createTenant()).tenant.id, POSTS_OF_OTHERS, {
      analyze: others === OTHER_TENANTS,
    });
  }
  reader = await tenant.scope(made.readerId);
  contributor = await tenant.scope(made.contributorId);
  const count = async (where: string) =>
    Number((await portal.owner.query<{ count: string }>(`SELECT count(*) FROM ${where}`)).rows[0]?.count);
  hidden = await count('posts WHERE NOT live OR visibility = 1');
  granted = await count(`post_grants WHERE principal = ANY ('{${contributor.actor.principals.join(',')}}')`);
  const referred = await portal.owner.query<{ ref: string }>(
    `SELECT v.ref FROM post_values v JOIN posts p ON p.tenant_id = v.tenant_id AND p.id = v.ref
      WHERE v.field_id = $1 AND p.live AND p.visibility = 2 ORDER BY v.post_id LIMIT 1`,
    [made.fields.related],
  );
  target = Number(referred.rows[0]?.ref);
  const version = await portal.owner.query<{ server_version_num: string }>('SHOW server_version_num');
  major = Math.floor(Number(version.rows[0]?.server_version_num) / 10_000);
}, 600_000);

afterAll(async () => {
  if (WRITING) {
    await mkdir(PLANS_DIR, { recursive: true });
    await writeFile(new URL(`list-plans-pg${major}.txt`, PLANS_DIR), `${report.join('\n\n')}\n`);
  }
  await portal.close();
});

interface Sent {
  text: string;
  values: readonly unknown[];
}

/** Returns the statements that some work sends to the database. */
async function sentBy(scope: Scope, work: (scope: Scope) => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const db: TenantDb = {
    ...scope.db,
    query: <R>(text: string, values: readonly unknown[] = []) => {
      sent.push({ text, values });
      return scope.db.query<R>(text, values);
    },
    pipeline: (together) => together(db),
  };
  await work({ ...scope, db });
  return sent;
}

/** Returns the statements that a list sends to find its page. */
async function statementsOf(scope: Scope, input: ListInput): Promise<Sent[]> {
  return sentBy(scope, (noted) => listPostIds(noted, 'listCommunityPostsFiltered', made.communityId, input));
}

/** Runs a statement as the service's role, prepared as the pool prepares it. @returns its plan as text and its cost */
async function explain(
  scope: Scope,
  { text, values }: Sent,
  generic: boolean,
  kept: boolean,
): Promise<{ plan: string; cost: Cost; pages: number; ms: number }> {
  return scope.db.transaction(async (tx: TenantTx) => {
    await tx.query(`SET LOCAL plan_cache_mode = ${generic ? 'force_generic_plan' : 'force_custom_plan'}`);
    await tx.query(`PREPARE shape AS ${text}`);
    try {
      const call = `EXECUTE shape${values.length > 0 ? `(${values.map(literal).join(', ')})` : ''}`;
      const [json] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, FORMAT JSON) ${call}`,
      );
      const lines = kept
        ? await tx.query<{ 'QUERY PLAN': string }>(
            `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ${call}`,
          )
        : [];
      return {
        plan: kept
          ? shorten(lines.map((line) => line['QUERY PLAN']))
          : JSON.stringify(json!['QUERY PLAN'][0].Plan, null, 1),
        cost: costOf(json!['QUERY PLAN'][0].Plan),
        pages:
          (json!['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? 0) +
          (json!['QUERY PLAN'][0].Plan['Shared Read Blocks'] ?? 0),
        ms: json!['QUERY PLAN'][0]['Execution Time'],
      };
    } finally {
      await tx.query('DEALLOCATE shape');
    }
  });
}

/**
 * A probe descends an index, four pages at most, and reads a row; texts have pages of their own.
 */
const PAGES_OF_A_ROW = 8;

const BIG = new Set(['posts', 'post_values', 'post_texts', 'post_search', 'post_grants', 'post_user_state']);

/** Asserts that no statement of a list scans the community. @param most rows of any table that a statement may touch */
async function expectNarrow(name: string, scope: Scope, input: ListInput, most: number, kept = true): Promise<void> {
  await expectNarrowStatements(name, scope, await statementsOf(scope, input), most, kept);
}

async function expectNarrowStatements(
  name: string,
  scope: Scope,
  sent: readonly Sent[],
  most: number,
  kept: boolean,
): Promise<void> {
  for (const [index, statement] of sent.entries()) {
    for (const generic of [false, true]) {
      const { plan, cost, pages, ms } = await explain(scope, statement, generic, WRITING && kept && !generic);
      show(`${name} #${index + 1}/${sent.length} ${generic ? 'generic' : 'custom'}`, statement, plan, cost, ms);
      if (!generic && kept) report.push(`# ${name}, statement ${index + 1} of ${sent.length}\n${plan}`);
      const label = `${name} #${index + 1} ${generic ? 'generic' : 'custom'}\n${statement.text}\n${plan}`;
      expectNoSequence(cost, label);
      for (const [table, rows] of cost.rows) expect.soft(rows, `${table} in ${label}`).toBeLessThanOrEqual(most);
      // Rows do not count entries that a scan skips within an index; pages do.
      expect.soft(pages, `pages of ${label}`).toBeLessThanOrEqual(PAGES_OF_A_ROW * cost.touched + 200);
    }
  }
}

function expectNoSequence(cost: Cost, label: string): void {
  const big = cost.sequential.filter((table) => BIG.has(table));
  expect.soft(big, label).toEqual([]);
}

function show(name: string, statement: Sent, plan: string, cost: Cost, ms: number): void {
  const wanted = process.env.PORTICO_SHOW_PLANS;
  if (!wanted) return;
  console.log(`${name} ${ms} ms ${JSON.stringify(Object.fromEntries(cost.rows))}`);
  if (name.startsWith(wanted)) console.log(statement.text, '\n', plan);
}

/**
 * Asserts that a total reads no more than the index ranges of its filters and the hidden rows:
 * drafts, private posts, and the grants of the caller. It rejects no value that it reads, except
 * where a filter leads to few posts, which are tested one by one.
 * @param ranges posts in the ranges of the filters; default: the matching posts and the hidden ones
 */
async function expectTotalOfRange(
  name: string,
  scope: Scope,
  input: ListInput,
  { ranges, kept = true }: { ranges?: number; kept?: boolean } = {},
): Promise<number> {
  const asked = { ...input, calculateTotalItemsCount: true, pageSize: 1 };
  const { totalItemsCount = 0 } = await listPostIds(scope, 'listCommunityPostsFiltered', made.communityId, asked);
  const statement = (await statementsOf(scope, asked)).at(-1) as Sent;
  for (const generic of [false, true]) {
    const { plan, cost, ms } = await explain(scope, statement, generic, WRITING && kept && !generic);
    show(`total of ${name} ${generic ? 'generic' : 'custom'}`, statement, plan, cost, ms);
    if (!generic && kept) report.push(`# total of ${name}\n${plan}`);
    const label = `total of ${name} ${generic ? 'generic' : 'custom'}\n${statement.text}\n${plan}`;
    expectNoSequence(cost, label);
    const range = ranges ?? totalItemsCount + hidden;
    for (const [table, rows] of cost.rows) {
      if (BIG.has(table)) expect.soft(rows, `${table} in ${label}`).toBeLessThanOrEqual(range + hidden + granted);
    }
    expect.soft(cost.refused.get('post_values') ?? 0, label).toBeLessThanOrEqual(totalItemsCount <= FEW ? FEW : 0);
  }
  return totalItemsCount;
}

/**
 * Maximum number of rows that a page reads, from the budget of an index scan: for each post its
 * entry in the index of the order, and its row.
 */
const PAGE = 2 * SCAN_BUDGET + 1_000;

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

test('filling a page reads a few rows of each post, however much the caller has read', async () => {
  const { rows } = await portal.owner.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM post_user_state WHERE user_id = $1 AND viewed_at IS NOT NULL',
    [reader.actor.userId],
  );
  expect(rows[0]?.count).toBeGreaterThan(1_000);
  const all = { loadPostDetails: true, loadMainAttachment: true, loadCapabilities: true };
  const page = (noted: Scope) => listPosts(noted, 'listCommunityPostsFiltered', made.communityId, {}, all);
  await page(reader);
  await expectNarrowStatements('filling a page', reader, await sentBy(reader, page), 500, false);
});

function filter(field: keyof GeneratedCommunity['fields'], typeId: FilterType, parameters: unknown[] = []): ListInput {
  return { postFieldFilters: [{ columnId: made.fields[field], typeId, parameters: parameters as never }] };
}

describe('filters', () => {
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
    'user equal': () => filter('users', FilterType.EQUAL, [made.userIds[0]]),
    'user empty': () => filter('users', FilterType.IS_EMPTY),
    'user empty or in': () => filter('users', FilterType.IS_NULL_OR_IN, [made.userIds[0], made.userIds.at(-1)]),
    'post rare': () => filter('related', FilterType.CONTAINS, [target]),
    'post equal': () => filter('related', FilterType.EQUAL, [target]),
    'post empty': () => filter('related', FilterType.IS_EMPTY),
    'post empty or in': () => filter('related', FilterType.IS_NULL_OR_IN, [target]),
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
    'hashtags, both of them': () => ({ hashtagIds: made.hashtagIds.slice(2, 4), hashtagsLogicalAnd: true }),
    'hashtags, all of ten': () => ({ hashtagIds: made.hashtagIds.slice(-10), hashtagsLogicalAnd: true }),
    'hashtags of attachments, both of them': () => ({
      communityAttachmentFilters: { hashtagIds: made.hashtagIds.slice(2, 4), hashtagsLogicalAnd: true },
    }),
    'state common': () => ({ currentWorkflowStatusIds: [made.stateIds[0]!] }),
    'state rare': () => ({ currentWorkflowStatusIds: [made.stateIds[4]!] }),
    private: () => ({ visibility: 1 }),
    events: () => ({ postTypes: [2] }),
    pinned: () => ({ onlyPinned: true }),
    'posts by their ids': () => ({ postIds: Array.from({ length: 500 }, (_, index) => 1 + index) }),
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
    'postTitle',
    'postCreatorUser',
    'postViewedByMeTimestamp',
    `postCustomField-${made.fields.int}`,
    `postCustomField-${made.fields.enum}`,
  ];
  for (const [index, [name, shape]] of Object.entries(shapes).entries()) {
    test(name, async () => {
      // Each at full length; else another one for each shape.
      const others = longForm ? orders() : [orders()[index % orders().length]];
      for (const orderBy of [undefined, ...others]) {
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

/** The generated field with values in the same column as a type: it has the same plans. */
const LIKE_FIELD: Record<FieldType, keyof GeneratedCommunity['fields']> = {
  [FieldType.INT]: 'int',
  [FieldType.BIGINT]: 'sparse',
  [FieldType.DECIMAL]: 'decimal',
  [FieldType.DATE]: 'date',
  [FieldType.DATETIME]: 'date',
  [FieldType.STRING]: 'text',
  [FieldType.TEXT_AREA]: 'text',
  [FieldType.LINK]: 'text',
  [FieldType.DELTA_AREA]: 'text',
  [FieldType.ENUM]: 'enum',
  [FieldType.HIERARCHICAL_ENUM]: 'enum',
  [FieldType.ENUM_LIST]: 'list',
  [FieldType.FLAG]: 'flag',
  [FieldType.FEEDBACK]: 'decimal',
  [FieldType.GENERIC_ENTITY_LIST]: 'users',
};

describe('every operator of every type, and its total', () => {
  const day = 1_577_836_800_000;
  /** A common value and a rare one, and an interval of each. */
  const samples = (): Record<keyof GeneratedCommunity['fields'], { values: unknown[]; intervals: unknown[][] }> => ({
    int: {
      values: [7, 777],
      intervals: [
        [0, 15_000],
        [100, 110],
      ],
    },
    sparse: {
      values: [1, 999],
      intervals: [
        [1, null],
        [5, 5],
      ],
    },
    decimal: {
      values: [0, 1],
      intervals: [
        [0, 900],
        [990, null],
      ],
    },
    date: {
      values: [day, day + 86_400_000],
      intervals: [
        [day, null],
        [day, day + 86_400_000],
      ],
    },
    text: { values: ['budget', 'get 123'], intervals: [] },
    enum: { values: [made.enumIds[0], made.enumIds[19]], intervals: [] },
    list: { values: [made.listIds[0], made.listIds[29]], intervals: [] },
    flag: { values: [true, false], intervals: [] },
    users: { values: [made.userIds[0], made.userIds.at(-1)], intervals: [] },
    related: { values: [target, target + 1], intervals: [] },
  });
  const asked = (field: keyof GeneratedCommunity['fields'], operator: FilterType): unknown[][] => {
    const { values, intervals } = samples()[field];
    if (operator === FilterType.IS_EMPTY) return [[]];
    if (operator === FilterType.INTERVAL) return intervals;
    if (operator === FilterType.IN || operator === FilterType.IS_NULL_OR_IN) return [values, values.slice(1)];
    return values.map((value) => [value]);
  };
  const cells = new Set([
    ...Object.values(FieldType).flatMap((type) =>
      operatorsByFieldType[type].map((code) => `${LIKE_FIELD[type]} ${code}`),
    ),
    // Lists of people and of posts have the same operators, but find hidden references differently.
    ...operatorsByFieldType[FieldType.GENERIC_ENTITY_LIST].map((code) => `related ${code}`),
  ]);
  for (const cell of cells) {
    const [field, code] = cell.split(' ') as [keyof GeneratedCommunity['fields'], string];
    const operator = Number(code) as FilterType;
    const name = Object.entries(FilterType).find(([, other]) => other === operator)?.[0];
    test(`${field} ${name}`, async () => {
      for (const parameters of asked(field, operator)) {
        const input = filter(field, operator, parameters);
        const label = `${field} ${name} ${JSON.stringify(parameters)}`;
        await expectNarrow(label, contributor, input, PAGE, false);
        await expectTotalOfRange(label, contributor, input, { kept: false });
      }
    });
  }
});

describe('totals', () => {
  const shapes: Record<string, () => ListInput> = {
    nothing: () => ({}),
    creator: () => ({ createdByUserIds: [made.userIds[0]!] }),
    group: () => ({ createdByGroupIds: [made.groupId] }),
    'created since': () => ({ creationTimestampFrom: Date.UTC(2020, 0, 2) }),
    hashtag: () => ({ hashtagIds: [made.hashtagIds[0]!] }),
    state: () => ({ currentWorkflowStatusIds: [made.stateIds[0]!] }),
    public: () => ({ visibility: 2 }),
    private: () => ({ visibility: 1 }),
    ordinary: () => ({ postTypes: [1] }),
    events: () => ({ postTypes: [2] }),
    followed: () => ({ followedByMe: true }),
    mentioned: () => ({ mentioned: true }),
    toManage: () => ({ toManage: true }),
    tasks: () => ({ toManageStandardTasks: true }),
    'containsText rare': () => ({ containsText: 'budget 1234' }),
  };
  for (const [name, shape] of Object.entries(shapes)) {
    test(name, async () => {
      await expectTotalOfRange(name, contributor, shape());
    });
  }
  test('three common values together read the range of each', async () => {
    const common = [
      filter('enum', FilterType.EQUAL, [made.enumIds[0]]),
      filter('flag', FilterType.EQUAL, [true]),
      filter('list', FilterType.CONTAINS, [made.listIds[0]]),
    ];
    let ranges = 0;
    for (const input of common)
      ranges += (await expectTotalOfRange('one of three', contributor, input, { kept: false })) + hidden;
    const together = { postFieldFilters: common.flatMap((input) => input.postFieldFilters ?? []) };
    await expectTotalOfRange('three common', contributor, together, { ranges });
  });
});
