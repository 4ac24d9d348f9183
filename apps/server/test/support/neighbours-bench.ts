/**
 * Two tenants on one node: one with many posts, whose reader asks for the worst list, and one whose reader opens a post; and a
 * tenant whose people listen to changes.
 */
import { TextFormat } from '@portico/contract';
import pg from 'pg';
import type { Log } from '../../src/kernel/scope.ts';
import { createTenant, tenantScope } from '../../src/modules/tenants/index.ts';
import { readConfig } from '../../src/process/config/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import { createServices } from '../../src/process/services.ts';
import { testSealer } from './encryption.ts';
import { type GeneratedCommunity, generateCommunity } from './post-generator.ts';

/** A request of one of the tenants. */
interface NeighbourRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface NeighboursBench {
  /** A total and a page of a common word, in an order that has nothing to do with it. */
  readonly list: NeighbourRequest;
  /** The detail of a post of the other tenant. */
  readonly detail: NeighbourRequest;
  /** The largest pages of posts, with the reader's permissions for each. */
  readonly pages: NeighbourRequest;
  /** The whole list as a workbook. */
  readonly workbook: NeighbourRequest;
  /** Pages of the stream. */
  readonly stream: NeighbourRequest;
  /** Creates posts in one request. */
  readonly bulk: NeighbourRequest;
  /** Creates a post with texts that are as long as one request can send them. */
  readonly long: NeighbourRequest;
  /** Headers of requests of a manager of the first tenant, and the community. */
  readonly manager: Readonly<Record<string, string>>;
  readonly communityId: number;
}

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const POSTS_OF_NEIGHBOUR = 1_000;
/** The generator makes one person for so many posts. */
const POSTS_PER_PERSON = 60;

/** A tenant with generated posts, and the headers of requests of one of its people. */
interface BenchTenant extends GeneratedCommunity {
  readonly id: number;
  headersOf(userId: number): Promise<Record<string, string>>;
}

/** Works in the installation that the environment names. @param make makes a tenant with so many posts */
async function inInstallation<T>(
  env: NodeJS.ProcessEnv,
  work: (owner: pg.Client, make: (name: string, posts: number, host?: string) => Promise<BenchTenant>) => Promise<T>,
): Promise<T> {
  const config = readConfig(env);
  const database = await openDatabase(config, quiet, 'command');
  const services = await createServices({
    config,
    database: database.service,
    sealer: testSealer,
    log: quiet,
    statementMs: 0,
  });
  const owner = new pg.Client(database.owner);
  await owner.connect();
  try {
    return await work(owner, async (name, posts, host = `${name}.test`) => {
      const { id } = await createTenant(owner, testSealer, { name, hosts: [host] });
      const made = await generateCommunity(owner, id, posts);
      const scope = await tenantScope(services, { id, name, displayName: name }, `http://${host}`);
      const headersOf = async (userId: number) => {
        const token = await services.tokens.issue(scope, { userId, keyId: null, sessionVersion: 1 });
        return { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      };
      return { ...made, id, headersOf };
    });
  } finally {
    await owner.end();
    await services.close();
    await database.close();
  }
}

/** Makes the tenants in the installation that the environment names. @param posts of the first tenant */
export function prepareNeighboursBench(env: NodeJS.ProcessEnv, posts: number): Promise<NeighboursBench> {
  return inInstallation(env, async (owner, make) => {
    const heavy = await make('heavy', posts);
    const light = await make('light', POSTS_OF_NEIGHBOUR);
    const { rows } = await owner.query<{ id: string }>(
      'SELECT id FROM posts WHERE tenant_id = $1 AND community_id = $2 AND live AND visibility = 2 ORDER BY id LIMIT 1',
      [light.id, light.communityId],
    );
    const list = `/portal/api/communication/posts/data/list/community/${heavy.communityId}`;
    const reader = await heavy.headersOf(heavy.readerId);
    const contributor = await heavy.headersOf(heavy.contributorId);
    const { communityId } = heavy;
    return {
      manager: await heavy.headersOf(heavy.managerId),
      communityId,
      pages: {
        method: 'POST',
        path: `${list}?loadCapabilities=true`,
        headers: reader,
        body: JSON.stringify({ pageSize: 500 }),
      },
      workbook: { method: 'POST', path: `${list}/export?format=xlsx`, headers: reader, body: '{}' },
      stream: {
        method: 'POST',
        path: '/portal/api/communication/posts/data/global-stream?pageSize=500',
        headers: reader,
        body: '{}',
      },
      bulk: {
        method: 'POST',
        path: `/portal/api/communication/posts/manage/create-posts/${communityId}`,
        headers: contributor,
        body: JSON.stringify({
          posts: Array.from({ length: 200 }, () => ({ title: 'Made in bulk', announcement: false })),
        }),
      },
      long: {
        method: 'POST',
        path: `/portal/api/communication/posts/manage/create-post/${communityId}`,
        headers: contributor,
        body: JSON.stringify({
          title: 'Long',
          announcement: false,
          description: 'word '.repeat(180_000),
          descriptionFormat: TextFormat.PLAIN_TEXT,
        }),
      },
      list: {
        method: 'POST',
        path: `${list}?loadPostDetails=true`,
        headers: reader,
        body: JSON.stringify({ containsText: 'meeting', orderBy: 'postTitle', calculateTotalItemsCount: true }),
      },
      detail: {
        method: 'GET',
        path: `/portal/api/communication/posts/data/post-detail-by-id/${rows[0]?.id}`,
        headers: await light.headersOf(light.readerId),
      },
    };
  });
}

/** A community of so many posts at an address of this machine, which a browser reaches, and how its reader is known. */
export function preparePageBench(
  env: NodeJS.ProcessEnv,
  posts: number,
): Promise<{ readonly communityId: number; readonly authorization: string }> {
  return inInstallation(env, async (_owner, make) => {
    const tenant = await make('page', posts, '127.0.0.1');
    const { authorization } = await tenant.headersOf(tenant.readerId);
    return { communityId: tenant.communityId, authorization: authorization! };
  });
}

/** A tenant whose people listen to changes while one of them writes. */
export interface LiveBench {
  /** Connects a listener; one for each of the people. */
  readonly listens: readonly NeighbourRequest[];
  /** A comment on a post that all of them see; one for each of some posts. */
  readonly writes: readonly NeighbourRequest[];
  /** The detail of a post. */
  readonly detail: NeighbourRequest;
}

/** Makes the tenant in the installation that the environment names. @param people who listen */
export function prepareLiveBench(env: NodeJS.ProcessEnv, people: number): Promise<LiveBench> {
  return inInstallation(env, async (owner, make) => {
    const tenant = await make('live', people * POSTS_PER_PERSON);
    const readers = tenant.userIds.slice(-people);
    await owner.query(
      `INSERT INTO community_roles (tenant_id, community_id, principal, role_id) SELECT $1, $2, u, 3 FROM unnest($3::bigint[]) u
        ON CONFLICT DO NOTHING`,
      [tenant.id, tenant.communityId, readers],
    );
    const { rows } = await owner.query<{ id: string }>(
      'SELECT id FROM posts WHERE tenant_id = $1 AND community_id = $2 AND live AND visibility = 2 ORDER BY id LIMIT 50',
      [tenant.id, tenant.communityId],
    );
    const writer = await tenant.headersOf(tenant.contributorId);
    return {
      listens: await Promise.all(
        readers.map(async (userId) => ({
          method: 'GET',
          path: '/portal/api/communication/live',
          headers: await tenant.headersOf(userId),
        })),
      ),
      writes: rows.map(({ id }) => ({
        method: 'POST',
        path: `/portal/api/communication/posts/manage/create-comment/${id}`,
        headers: writer,
        body: JSON.stringify({ comment: 'A comment', commentFormat: 2 }),
      })),
      detail: {
        method: 'GET',
        path: `/portal/api/communication/posts/data/post-detail-by-id/${rows[0]?.id}`,
        headers: writer,
      },
    };
  });
}
