/** What tests, benches and generators use to get a database, an application and people in it. */
export { configOf, createTestDatabase, currentCluster, startTestCluster, withFreshDatabase } from './cluster.ts';
export type { TestCluster, TestDatabase } from './cluster.ts';
