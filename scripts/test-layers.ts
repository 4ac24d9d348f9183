/**
 * The layers of tests. `unit` needs no database and no server. `modules` are the database tests beside the code and the
 * cheap checks of all operations. `system` starts processes, browsers or clusters, or draws many random cases.
 */

export type Layer = 'unit' | 'modules' | 'system';

/** Patterns of file names, from the root of the repository. */
interface Patterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const BESIDE_CODE = ['packages/*/src', 'apps/*/src', 'bench/src', 'scripts'];

/** Checks of all operations that are cheap enough for every run, though they lie in a folder of the system layer. */
const GUARDS = [
  'apps/server/test/security/permissions.db.test.ts',
  'apps/server/test/security/foreign-ids.db.test.ts',
  'apps/server/test/security/rights.db.test.ts',
  'apps/server/test/query-budget/statements.db.test.ts',
];

/** Folders that hold tests of the system layer alone, but for the guards. */
const SYSTEM_FOLDERS = ['acceptance', 'apps/server/test', 'apps/web/test'];

/**
 * Files beside the code that start servers, browsers or shells, build packages, read large exports, or
 * draw many random cases.
 */
const SYSTEM_FILES = [
  'apps/server/src/demo/*.test.ts',
  'packages/embedded-postgres/src/*.test.ts',
  'packages/platform/src/log/output.test.ts',
  'apps/server/src/kernel/access/visibility.db.test.ts',
  'apps/server/src/http/{outage,outdated-statements,request-limits,standby}.db.test.ts',
  'apps/server/src/jobs/erase-command.db.test.ts',
  'apps/server/src/operator/copy/*.db.test.ts',
  'apps/server/src/process/{tenant-settings,audit-commands,measure-files,worker}.db.test.ts',
  'apps/server/src/schema/connection-pool.db.test.ts',
  'apps/server/src/modules/posts/reading/list/{random-lists-*,plans}.db.test.ts',
  'apps/server/src/modules/posts/writing/{capabilities,restore-post}.db.test.ts',
  'apps/server/src/modules/post-parts/values/values.db.test.ts',
  'apps/server/src/modules/imports/{exports-in,import-speed,import-trial,imports,undo}.db.test.ts',
  'apps/server/src/modules/imports/exports/*.db.test.ts',
  'apps/server/src/modules/files/store/{make-previews,upload-kill}.db.test.ts',
  'apps/server/src/modules/definitions/changes/{definition-size,many-writers,value-limit.long}.db.test.ts',
  'apps/server/src/modules/definitions/files/{community-files,plan-pairs}.db.test.ts',
  'apps/server/src/modules/notifications/stream/stream-followers.db.test.ts',
  'apps/server/src/modules/people/users/{list-users,required-second-factor}.db.test.ts',
  'apps/server/src/modules/posts/workflow/announced.db.test.ts',
  'apps/server/src/modules/administration/{explain/explain,leaving/interrupted-leaving}.db.test.ts',
  'bench/src/dataset/*.db.test.ts',
  'packages/cli/src/{completion,portal}.test.ts',
  'packages/cli/src/commands/{community-types,storage}.test.ts',
  'packages/sdk/src/examples.test.ts',
  'scripts/{browser,docs,package,passkeys.browser,sdk-hover,service-package}.test.ts',
];

/** Files of the system layer whose tests follow one installation in order: `npm run test:stress` does not shuffle their tests. */
export const IN_ORDER = [
  // A demo or an import takes most of a minute: the tests go on from what those before them did.
  'acceptance/*.test.ts',
  'apps/server/test/process/start-and-stop.db.test.ts',
  // Commands that make, edit and delete the same objects.
  'packages/cli/src/portal.test.ts',
];

const NEVER = '**/node_modules/**';
const endingIn = (folders: readonly string[], end: string) => folders.map((folder) => `${folder}/**/*${end}`);

/** The files of each layer. Every test file is in exactly one. */
export const layers: Readonly<Record<Layer, Patterns>> = {
  unit: {
    include: endingIn(BESIDE_CODE, '.test.ts'),
    exclude: [NEVER, '**/*.db.test.ts', ...SYSTEM_FILES],
  },
  modules: {
    include: [...endingIn(BESIDE_CODE, '.db.test.ts'), ...GUARDS],
    exclude: [NEVER, ...SYSTEM_FILES],
  },
  system: {
    include: [...endingIn(SYSTEM_FOLDERS, '.test.ts'), ...SYSTEM_FILES],
    exclude: [NEVER, ...GUARDS],
  },
};
