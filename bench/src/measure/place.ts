/** Location of the data: a given database, or an embedded one, persistent or for this run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@portico/embedded-postgres';
import pg from 'pg';
import { buildDataset, openDataset } from '../dataset/build.ts';
import type { Dataset } from '../dataset/dataset.ts';

/** Data that is ready. */
export interface Place {
  readonly ownerUrl: string;
  readonly dataset: Dataset;
  close(): Promise<void>;
}

interface PlaceOptions {
  readonly posts: number | undefined;
  readonly data?: string | undefined;
  readonly database?: string | undefined;
  readonly log: (line: string) => void;
}

/** The settings of an embedded database: the product's, with memory for a million posts. */
const SETTINGS = {
  max_connections: '150',
  shared_buffers: '2GB',
  effective_cache_size: '8GB',
  maintenance_work_mem: '512MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  autovacuum_naptime: '10s',
};

/** Finds the data, or builds it. */
export async function openPlace(options: PlaceOptions): Promise<Place> {
  if (options.database !== undefined)
    return { ...(await dataAt(options.database, options)), close: async () => undefined };
  const kept = options.data;
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'portico-bench-data-')));
  const small = options.posts !== undefined && options.posts <= 100_000;
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: ({ level, msg }) => {
      if (level === 'error') options.log(msg);
    },
    settings: { ...SETTINGS, ...(small && { shared_buffers: '256MB', max_wal_size: '2GB' }) },
  });
  const close = async () => {
    await postgres.stop();
    if (kept === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { ...(await dataAt(postgres.adminUrl, options)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function dataAt(ownerUrl: string, { posts, log }: PlaceOptions): Promise<Omit<Place, 'close'>> {
  const known = await describedAt(ownerUrl);
  if (!known) {
    if (posts === undefined) throw new Error('The database holds no data yet: say how many posts to build (--posts).');
    log(`building ${posts} posts`);
    return { ownerUrl, dataset: await buildDataset({ ownerUrl, posts, log }) };
  }
  const dataset = await openDataset(ownerUrl);
  if (posts !== undefined && dataset.posts !== posts)
    throw new Error(
      `The data was built with ${dataset.posts} posts, not ${posts}: use another place, or leave --posts out.`,
    );
  return { ownerUrl, dataset };
}

/** Whether data was built in a database. */
async function describedAt(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('public.posts') IS NOT NULL AS there`);
    if (!rows[0]?.there) return false;
    const posts = await client.query<{ any: boolean }>('SELECT EXISTS (SELECT FROM posts) AS any');
    return posts.rows[0]?.any === true;
  } finally {
    await client.end();
  }
}
