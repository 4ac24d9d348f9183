/** Support for tests, benches and generators: a database, an application and people in it. */

export { ScopedPool } from '@portico/platform/db/scoped-pool';
export { countView } from '../../src/modules/posts/reading/count-views.ts';
export { tenantScope } from '../../src/modules/tenants/index.ts';
export { readConfig } from '../../src/process/config/config.ts';
export { openDatabase } from '../../src/process/database.ts';
export { createServices } from '../../src/process/services.ts';
export type { TestDatabase } from './cluster.ts';
export {
  configOf,
  createDatabaseOnOwnCluster,
  createTestDatabase,
  createTestTenantRows,
  currentCluster,
} from './cluster.ts';
export { TEST_ENCRYPTION_KEY, testSealer } from './encryption.ts';
export type { NeighboursBench } from './neighbours-bench.ts';
export { type PlanNode, shorten } from './plans.ts';
export type { TestAnswer, TestPortal, TestPortalOptions, TestTenant } from './portal.ts';
export { createTestPortal, settingsReadAnew } from './portal.ts';
export { startTestCluster } from './start-cluster.ts';
export { TcpProxy } from './tcp-proxy.ts';

/** See neighbours-bench.ts. */
export async function prepareNeighboursBench(
  env: NodeJS.ProcessEnv,
  posts: number,
): Promise<import('./neighbours-bench.ts').NeighboursBench> {
  return (await import('./neighbours-bench.ts')).prepareNeighboursBench(env, posts);
}

/** See neighbours-bench.ts. */
export async function prepareLiveBench(
  env: NodeJS.ProcessEnv,
  people: number,
): Promise<import('./neighbours-bench.ts').LiveBench> {
  return (await import('./neighbours-bench.ts')).prepareLiveBench(env, people);
}

/** See neighbours-bench.ts. */
export async function preparePageBench(
  env: NodeJS.ProcessEnv,
  posts: number,
): Promise<{ readonly communityId: number; readonly authorization: string }> {
  return (await import('./neighbours-bench.ts')).preparePageBench(env, posts);
}

/** See write-bench.ts. */
export async function prepareBulkBench(env: NodeJS.ProcessEnv): Promise<import('./write-bench.ts').WriteBench> {
  return (await import('./write-bench.ts')).prepareBulkBench(env);
}

/** See write-bench.ts, which is loaded when it is asked for: it brings the operator's whole half along. */
export async function prepareWriteBench(env: NodeJS.ProcessEnv): Promise<import('./write-bench.ts').WriteBench> {
  return (await import('./write-bench.ts')).prepareWriteBench(env);
}

/** See write-bench.ts. */
export async function prepareDefinitionsBench(
  env: NodeJS.ProcessEnv,
  posts: number,
): Promise<import('./write-bench.ts').WriteBench & { fieldId: number }> {
  return (await import('./write-bench.ts')).prepareDefinitionsBench(env, posts);
}
