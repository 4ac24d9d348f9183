/** Two tenants on one node: one with many posts, whose reader asks for the worst list, and one whose reader opens a post. */
import pg from 'pg';
import type { Log } from '../../src/kernel/scope.ts';
import { createTenant, tenantScope } from '../../src/modules/tenants/index.ts';
import { readConfig } from '../../src/process/config/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import { createServices } from '../../src/process/services.ts';
import { testSealer } from './encryption.ts';
import { generateCommunity } from './post-generator.ts';

/** A request of one of the tenants. */
export interface NeighbourRequest {
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
}

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const POSTS_OF_NEIGHBOUR = 1_000;

/** Makes the tenants in the installation that the environment names. @param posts of the first tenant */
export async function prepareNeighboursBench(env: NodeJS.ProcessEnv, posts: number): Promise<NeighboursBench> {
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
    const make = async (name: string, count: number) => {
      const host = `${name}.test`;
      const { id } = await createTenant(owner, testSealer, { name, hosts: [host] });
      const made = await generateCommunity(owner, id, count);
      const scope = await tenantScope(services, { id, name, displayName: name }, `http://${host}`);
      const token = await services.tokens.issue(scope, { userId: made.readerId, keyId: null, sessionVersion: 1 });
      return { ...made, id, headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' } };
    };
    const heavy = await make('heavy', posts);
    const light = await make('light', POSTS_OF_NEIGHBOUR);
    const { rows } = await owner.query<{ id: string }>(
      'SELECT id FROM posts WHERE tenant_id = $1 AND community_id = $2 AND live AND visibility = 2 ORDER BY id LIMIT 1',
      [light.id, light.communityId],
    );
    return {
      list: {
        method: 'POST',
        path: `/portal/api/communication/posts/data/list/community/${heavy.communityId}?loadPostDetails=true`,
        headers: heavy.headers,
        body: JSON.stringify({ containsText: 'meeting', orderBy: 'postTitle', calculateTotalItemsCount: true }),
      },
      detail: {
        method: 'GET',
        path: `/portal/api/communication/posts/data/post-detail-by-id/${rows[0]?.id}`,
        headers: light.headers,
      },
    };
  } finally {
    await owner.end();
    await services.close();
    await database.close();
  }
}
