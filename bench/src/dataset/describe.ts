/** Describes the built data for the measurements. */
import { writeFile } from 'node:fs/promises';
import {
  keepReach,
  listPosts,
  reachOf,
  type Services,
  signPosition,
  systemScope,
} from '@portico/server/testing/dataset';
import type pg from 'pg';
import { withDatabase } from './connect.ts';
import {
  DATASET_VERSION,
  type Dataset,
  type DatasetCommunity,
  type DatasetPerson,
  type DatasetStream,
  type NumberRange,
  type PersonKind,
  type SmallTenant,
} from './dataset.ts';
import type { Everybody, MadeTenant } from './define.ts';
import { describeFields } from './describe-fields.ts';
import { BUSY_POST, busyComments, type CommunitySource } from './post-plan.ts';
import { countWords, ends, numbers, rangeOf, SHARES } from './queries.ts';

interface Built {
  readonly owner: pg.Client;
  readonly services: Services;
  readonly tenant: MadeTenant;
  readonly people: Everybody;
  readonly big: CommunitySource;
  readonly others: readonly CommunitySource[];
  readonly smallTenants: readonly SmallTenant[];
  readonly rows: Readonly<Record<string, number>>;
  readonly posts: number;
  readonly seconds: number;
}

/** Posts for writes. */
const POST_IDS = 2_000;
/**
 * Distance of the recent position, in changes; the old position is before nine tenths of the
 * remembered changes.
 */
const RECENT_CHANGES = 50;

export async function describeDataset(built: Built): Promise<Dataset> {
  const { owner, tenant, people, others } = built;
  const { rows } = await owner.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  return {
    version: DATASET_VERSION,
    posts: built.posts,
    tenant: { id: tenant.id, name: tenant.name, host: tenant.host },
    people: people.measured,
    community: await describeCommunity(built),
    otherCommunities: others.map(({ definition, posts }) => ({
      id: definition.id,
      name: definition.community.name,
      posts,
    })),
    userIds: people.userIds,
    groups: people.groups,
    stream: await describeStream(owner, built.services, tenant, people.measured),
    smallTenants: built.smallTenants,
    counts: built.rows,
    build: { seconds: Math.round(built.seconds), bytes: Number(rows[0]!.bytes) },
  };
}

async function describeCommunity(built: Built): Promise<DatasetCommunity> {
  const { owner, big } = built;
  const { definition, tenantId, posts, firstPostId } = big;
  const ids = [tenantId, definition.id];
  const read = <T extends object>(sql: string) => numbers<T>(owner, sql, ids);
  const live = 'posts p WHERE p.tenant_id = $1 AND p.community_id = $2 AND p.live';
  const [counts] = await read<DatasetCommunity['counts'] & { events: number }>(
    `SELECT count(*) AS posts, count(*) FILTER (WHERE live) AS live,
            count(*) FILTER (WHERE live AND visibility = 1) AS private, count(*) FILTER (WHERE draft) AS drafts,
            count(*) FILTER (WHERE live AND pinned) AS pinned, count(*) FILTER (WHERE live AND type = 2) AS events,
            sum(comments_count) AS comments, sum(attachments_count) AS attachments,
            (SELECT count(*) FROM tasks t JOIN posts p ON p.tenant_id = t.tenant_id AND p.id = t.post_id
              WHERE t.tenant_id = $1 AND p.community_id = $2 AND t.closed_at IS NULL) AS "openTasks"
       FROM posts WHERE tenant_id = $1 AND community_id = $2`,
  );
  const { events, ...rest } = counts!;
  const hashtags = await read<{ id: number; count: number }>(
    `SELECT t.id, count(p.id) AS count FROM hashtags t
       LEFT JOIN post_hashtags h ON h.tenant_id = t.tenant_id AND h.hashtag_id = t.id
       LEFT JOIN posts p ON p.tenant_id = h.tenant_id AND p.id = h.post_id AND p.live
      WHERE t.tenant_id = $1 AND t.community_id = $2 GROUP BY t.id ORDER BY 2 DESC, 1`,
  );
  const states = await read<{ id: number; count: number }>(
    `SELECT state_id AS id, count(*) AS count FROM ${live} AND state_id IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`,
  );
  const creators = await read<{ id: number; count: number }>(
    `SELECT creator_id AS id, count(*) AS count FROM ${live} GROUP BY 1 ORDER BY 2 DESC, 1`,
  );
  const workflow = definition.workflow!;
  const free = await read<{ id: number }>(
    `SELECT id FROM ${live} AND visibility = 2 AND type = 1 AND NOT pinned AND state_id = ${big.states[0]} AND tasks_count = 0
      ORDER BY id DESC LIMIT ${POST_IDS}`,
  );
  const files = await read<{ id: number; attachments: number }>(
    `SELECT id, attachments_count AS attachments FROM ${live} AND visibility = 2 ORDER BY attachments_count DESC, id LIMIT 1`,
  );
  const hidden = await read<{ id: number }>(`SELECT id FROM ${live} AND visibility = 1 ORDER BY id LIMIT 1`);
  const typical = await read<{ id: number }>(
    `SELECT id FROM ${live} AND visibility = 2 AND type = 1 AND comments_count = 5 ORDER BY id DESC LIMIT 1`,
  );
  return {
    id: definition.id,
    name: definition.community.name,
    workspaceId: definition.community.workspaceId,
    counts: rest,
    fields: await describeFields(owner, big),
    hashtags,
    states: states.map((state) => {
      const { name, initial } = workflow.states.find((one) => one.id === state.id)!;
      return { ...state, name, initial };
    }),
    operations: workflow.transitions.map(({ id, name, fromStateId, toStateId, roles }) => ({
      id,
      name,
      fromStateId,
      toStateId,
      roles,
    })),
    creators: ends(creators),
    createdAt: await momentRange(owner, 'created_at', ids),
    activeAt: await momentRange(owner, 'active_at', ids),
    words: await countWords(
      owner,
      `post_search s JOIN posts p ON p.tenant_id = s.tenant_id AND p.id = s.post_id
        WHERE p.tenant_id = $1 AND p.community_id = $2 AND p.live`,
      's.doc',
      ids,
    ),
    events,
    postIds: free.map((post) => post.id),
    specialPosts: {
      manyComments: { id: firstPostId + BUSY_POST, comments: busyComments(posts) },
      manyAttachments: files[0]!,
      private: { id: hidden[0]!.id },
      typical: { id: typical[0]!.id },
    },
    marks: await countMarks(built),
  };
}

async function momentRange(owner: pg.Client, column: string, ids: unknown[]): Promise<NumberRange> {
  const ms = `(extract(epoch FROM ${column}) * 1000)::bigint`;
  const [row] = await numbers<{ min: number; max: number; quantiles: (number | string)[] }>(
    owner,
    `SELECT min(${ms}) AS min, max(${ms}) AS max, percentile_disc($3::float8[]) WITHIN GROUP (ORDER BY ${ms}) AS quantiles
       FROM posts WHERE tenant_id = $1 AND community_id = $2 AND live`,
    [...ids, SHARES],
  );
  return rangeOf(row!);
}

/** Totals from the list itself. */
async function countMarks({ services, tenant, people, big }: Built): Promise<DatasetCommunity['marks']> {
  const marks = {} as Record<PersonKind, { toManage: number; mentioned: number; followedByMe: number }>;
  for (const [kind, { userId }] of Object.entries(people.measured) as [PersonKind, DatasetPerson][]) {
    const scope = await systemScope(services, { id: tenant.id, name: tenant.name, displayName: tenant.name }, userId);
    const count = async (filter: object) => {
      if (!scope.actor.roles.has(big.definition.id)) return 0;
      const body = { ...filter, calculateTotalItemsCount: true, pageSize: 1 };
      const page = await listPosts(scope, 'listCommunityPostsFiltered', big.definition.id, body, {});
      return page.totalItemsCount ?? 0;
    };
    marks[kind] = {
      toManage: await count({ toManage: true }),
      mentioned: await count({ mentioned: true }),
      followedByMe: await count({ followedByMe: true }),
    };
  }
  return marks;
}

async function describeStream(
  owner: pg.Client,
  services: Services,
  tenant: Dataset['tenant'],
  people: Readonly<Record<PersonKind, DatasetPerson>>,
): Promise<DatasetStream> {
  const [state] = await numbers<{ generation: number; lastSeq: number; remembered: number }>(
    owner,
    `SELECT generation, last_seq AS "lastSeq", (SELECT count(*) FROM changes WHERE tenant_id = $1) AS remembered
       FROM stream_state WHERE tenant_id = $1`,
    [tenant.id],
  );
  const { generation, lastSeq, remembered } = state!;
  const oldSeq = lastSeq - Math.floor(remembered * 0.9);
  const recentSeq = lastSeq - Math.min(RECENT_CHANGES, Math.floor(remembered / 2));
  const tokens = {} as Record<PersonKind, { old: string; recent: string }>;
  for (const [kind, { userId }] of Object.entries(people) as [PersonKind, DatasetPerson][]) {
    const scope = await systemScope(services, { ...tenant, displayName: tenant.name }, userId);
    const reachId = await keepReach(scope.db, reachOf(scope.actor), scope.clock.now());
    const token = (seq: number) => signPosition(scope, { generation, seq, change: null, reachId });
    tokens[kind] = { old: token(oldSeq), recent: token(recentSeq) };
  }
  return { generation, lastSeq, oldSeq, recentSeq, tokens };
}

/** Keeps the description in the database, outside the product's schema, and in a file if one is named. */
export async function keepDescription(owner: pg.Client, dataset: Dataset, file: string | undefined): Promise<void> {
  await owner.query('CREATE SCHEMA IF NOT EXISTS bench');
  await owner.query('CREATE TABLE bench.dataset (description jsonb NOT NULL)');
  await owner.query('INSERT INTO bench.dataset VALUES ($1)', [JSON.stringify(dataset)]);
  if (file !== undefined) await writeFile(file, `${JSON.stringify(dataset, null, 1)}\n`, { mode: 0o600 });
}

/**
 * Reads the description of a database that was built before, with fresh tokens of the stream.
 * @param ownerUrl connection string of the database's owner
 * @throws Error if there is none, or one of an older form: build it again
 */
export function openDataset(ownerUrl: string): Promise<Dataset> {
  return withDatabase(ownerUrl, undefined, async ({ owner, services }) => {
    const { rows: known } = await owner.query<{ known: boolean }>(
      `SELECT to_regclass('bench.dataset') IS NOT NULL AS known`,
    );
    const { rows } = known[0]!.known
      ? await owner.query<{ description: Dataset }>('SELECT description FROM bench.dataset')
      : { rows: [] };
    const dataset = rows[0]?.description;
    if (dataset?.version !== DATASET_VERSION)
      throw new Error('The database holds no data for the bench, or data of another version; build it anew.');
    return { ...dataset, stream: await describeStream(owner, services, dataset.tenant, dataset.people) };
  });
}
