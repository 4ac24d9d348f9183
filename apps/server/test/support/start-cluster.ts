/**
 * The PostgreSQL that tests run on: the one that `DATABASE_URL` names, a Citus cluster, else an embedded cluster of the run
 * without fsync. An embedded cluster starts on a copy of a data directory that an earlier run migrated, as long as the
 * migrations are the same.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestCluster as startEmbedded } from '@portico/embedded-postgres';
import type { ServiceLogin } from '../../src/schema/migrate.ts';
import {
  type CitusCluster,
  closeCitusDatabase,
  createCitusDatabase,
  dropCitusDatabase,
  SHARDS,
  startCitus,
} from './citus.ts';
import { asOwner, configOf, createTestDatabase, type TestCluster } from './cluster.ts';

const ROLE = 'portico_test_service';
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/portico-tests');
/** Sources that decide the contents of a migrated database. */
const SCHEMA = [
  'apps/server/migrations/**/*.sql',
  'apps/server/src/**/tables.ts',
  'apps/server/src/schema/*.ts',
  'packages/platform/src/db/*.ts',
  'packages/embedded-postgres/src/*.ts',
  'package-lock.json',
];
/** File of a prepared directory that names its template and the login of the service. */
const PREPARED = 'test-cluster.json';

type Template = Pick<TestCluster, 'template' | 'service'>;

interface StartedCluster {
  cluster: TestCluster;
  stop: () => Promise<void>;
}

/** Starts (or finds) the cluster and creates the template. @returns the cluster, and how to end it */
export async function startTestCluster(): Promise<StartedCluster> {
  const citus = process.env['PORTICO_TEST_CITUS'];
  if (citus) return prepareCitus(citus);
  const external = process.env['DATABASE_URL'];
  if (!external) return startPrepared();
  const template = await migrateTemplate(external);
  const drop = `DROP DATABASE IF EXISTS ${template.template} WITH (FORCE)`;
  return {
    cluster: { ownerUrl: external, ...template },
    stop: () => asOwner(external, undefined, async (client) => void (await client.query(drop))),
  };
}

async function startPrepared(): Promise<StartedCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-test-'));
  const prepared = join(CACHE, `cluster-${await schemaDigest()}`);
  const start = () => startEmbedded({ dataDir, log: () => undefined, settings: { max_connections: '200' } });
  let template: Template;
  if (existsSync(prepared)) {
    await copy(prepared, dataDir);
    template = JSON.parse(await readFile(join(dataDir, PREPARED), 'utf8')) as Template;
  } else {
    const first = await start();
    template = await migrateTemplate(first.adminUrl);
    await first.stop();
    await keep(dataDir, prepared, template);
  }
  const embedded = await start();
  return {
    cluster: { ownerUrl: embedded.adminUrl, ...template },
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function schemaDigest(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(SCHEMA, { cwd: ROOT }).sort())
    hash.update(`${file}\0`).update(await readFile(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

/** Stores a migrated data directory for later runs, in place of directories of other migrations. */
async function keep(dataDir: string, prepared: string, template: Template): Promise<void> {
  // The data lie elsewhere where the account of the database does not reach the directory.
  if (existsSync(join(dataDir, 'postgres-location.json'))) return;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${prepared}.`);
  try {
    await copy(dataDir, draft);
    await writeFile(join(draft, PREPARED), JSON.stringify(template), { mode: 0o600 });
    for (const name of await readdir(CACHE))
      if (name.startsWith('cluster-') && !name.startsWith(basename(prepared)))
        await rm(join(CACHE, name), { recursive: true, force: true });
    await rename(draft, prepared);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another run was faster.
    if (!existsSync(prepared)) throw error;
  }
}

async function migrateTemplate(ownerUrl: string): Promise<Template> {
  const template = `portico_test_${randomBytes(6).toString('hex')}`;
  await asOwner(ownerUrl, undefined, (client) =>
    client.query(`CREATE DATABASE ${template} ENCODING 'UTF8' TEMPLATE template0`),
  );
  return { template, service: await migrateDatabase(configOf(ownerUrl, template)) };
}

/** Loads the tables of the server, which a prepared cluster does without. */
async function migrateDatabase(owner: ReturnType<typeof configOf>): Promise<ServiceLogin> {
  const { migrate } = await import('../../src/schema/migrate.ts');
  const { tables } = await import('../../src/modules/tables.ts');
  return migrate({ owner, role: ROLE, tables });
}

async function prepareCitus(directory: string): Promise<StartedCluster> {
  const { logStatements } = await import('./citus-statements.ts');
  const { citus, stop } = await startCitus(directory);
  const template = `portico_test_${randomBytes(6).toString('hex')}`;
  const url = await createCitusDatabase(directory, template);
  const owner = { ...configOf(url, template), options: `-c citus.shard_count=${SHARDS}` };
  const service = await migrateDatabase(owner);
  await closeCitusDatabase(citus, template);
  await logStatements(directory, citus, ROLE);
  const cluster = { ownerUrl: `postgres://portico@127.0.0.1:${citus.ports[0]}/postgres`, template, service, citus };
  return {
    cluster,
    stop: async () => {
      await reportStatements(directory, cluster);
      await dropCitusDatabase(citus, template);
      await stop();
    },
  };
}

/** Fails the run where a statement leaves the node of its tenant. */
async function reportStatements(directory: string, cluster: TestCluster & { citus: CitusCluster }): Promise<void> {
  const { explainLogged } = await import('./citus-statements.ts');
  const complete = process.env['PORTICO_TEST_CITUS_COMPLETE'] !== undefined;
  const database = await createTestDatabase(cluster);
  const { count, problems } = await explainLogged(
    directory,
    cluster.citus,
    cluster.template,
    database.service,
    complete,
  );
  await database.drop();
  console.log(`Statements explained on Citus: ${count}; wrong: ${problems.length}`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
