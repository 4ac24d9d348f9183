/**
 * The layers of tests. `unit` needs no database and no server. `modules` are the database tests beside the code and the
 * cheap checks of all operations. `system` starts processes, browsers or clusters, or draws many random cases.
 */
import { globSync } from 'node:fs';

export type Layer = 'unit' | 'modules' | 'system';

const ALL = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'apps/*/test/**/*.test.ts',
  'acceptance/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'scripts/**/*.test.ts',
];

/** Checks of all operations that are cheap enough for every run, though they lie below a folder of the system layer. */
const GUARDS = [
  'apps/server/test/security/{permissions,foreign-ids,rights}.db.test.ts',
  'apps/server/test/query-budget/statements.db.test.ts',
];

/** Files that start servers, browsers or shells, build packages, or draw many random cases, wherever they lie. */
const SYSTEM = [
  'acceptance/**/*.test.ts',
  'apps/server/test/**/*.test.ts',
  'apps/web/test/**/*.test.ts',
  'apps/server/src/demo/**/*.test.ts',
  'apps/server/src/platform/embedded-postgres/**/*.test.ts',
  'apps/server/src/platform/log/output.test.ts',
  'apps/server/src/kernel/access/visibility.db.test.ts',
  'apps/server/src/http/{outage,request-limits}.db.test.ts',
  'apps/server/src/operator/{advise,copy}/*.db.test.ts',
  'apps/server/src/process/{tenant-settings,audit-commands,measure-files}.db.test.ts',
  'apps/server/src/modules/posts/reading/list/{random-lists-*,plans}.db.test.ts',
  'apps/server/src/modules/posts/writing/{capabilities,restore-post}.db.test.ts',
  'apps/server/src/modules/posts/values/values.db.test.ts',
  'apps/server/src/modules/imports/import-speed.db.test.ts',
  'apps/server/src/modules/files/{make-previews,upload-kill}.db.test.ts',
  'apps/server/src/modules/definition-changes/value-limit.db.test.ts',
  'apps/server/src/modules/people/{list-users,required-second-factor}.db.test.ts',
  'apps/server/src/modules/workflow/announced.db.test.ts',
  'apps/server/src/modules/explain/explain.db.test.ts',
  'bench/src/dataset/*.db.test.ts',
  'packages/cli/src/{completion,portal}.test.ts',
  'packages/cli/src/commands/{community-types,storage}.test.ts',
  'packages/sdk/src/examples.test.ts',
  'scripts/{browser,package,passkeys.browser}.test.ts',
];

const files = (patterns: readonly string[]): Set<string> =>
  new Set(globSync([...patterns], { exclude: ['**/node_modules/**'] }));

/** Returns the test files of each layer, as paths from the root of the repository. Every file is in exactly one. */
export function testLayers(): Record<Layer, string[]> {
  const guards = files(GUARDS);
  const system = files(SYSTEM);
  const layers: Record<Layer, string[]> = { unit: [], modules: [], system: [] };
  for (const file of [...files(ALL)].sort()) {
    if (system.has(file) && !guards.has(file)) layers.system.push(file);
    else if (file.endsWith('.db.test.ts')) layers.modules.push(file);
    else layers.unit.push(file);
  }
  return layers;
}
