/** Test files that run on Citus (test-citus.ts). */

/**
 * Test files of `npm run test:citus`, also in continuous integration: with the cluster and the
 * rehearsal ten minutes at most.
 */
export const LISTED: readonly string[] = [
  'apps/server/src/jobs/erase-command.db.test.ts',
  'apps/server/src/jobs/erase-posts.db.test.ts',
  'apps/server/src/jobs/work-on-files.db.test.ts',
  'apps/server/src/modules/files/store/serve.db.test.ts',
  'apps/server/src/modules/files/store/upload.db.test.ts',
  'apps/server/src/modules/imports/import.db.test.ts',
  'apps/server/src/modules/people/users/photos.db.test.ts',
  'apps/server/src/modules/posts/writing/create-post.db.test.ts',
  'apps/server/src/modules/notifications/stream/stream.db.test.ts',
  'apps/server/src/modules/notifications/stream/stream-followers.db.test.ts',
  'apps/server/src/modules/post-parts/tasks/tasks.db.test.ts',
  'apps/server/src/modules/posts/workflow/workflow.db.test.ts',
  'apps/server/src/operator/nodes/nodes.db.test.ts',
  'apps/server/src/schema/isolation.db.test.ts',
  'apps/server/src/schema/scope.db.test.ts',
  'apps/server/test/security/permissions.db.test.ts',
  'apps/server/test/write-matrix/dry-run.db.test.ts',
  'apps/server/test/write-matrix/matrix.db.test.ts',
];

/**
 * Test files that use a server whose database is on the cluster: it creates the demo there, which
 * takes minutes. Run by `--all`.
 */
export const WALKS: readonly string[] = ['acceptance/organisation.test.ts', 'acceptance/portal.test.ts'];

/**
 * Test files known to fail on Citus, by the end of their path, each with a reason: `--all` skips
 * them.
 */
export const NOT_ON_CITUS: Readonly<Record<string, string>> = {
  'embedded-postgres/src/*.db.test.ts': 'is of the embedded PostgreSQL, which has no Citus',
  'jobs/erase-people.db.test.ts': 'looks for a statement that waits, which is on a worker',
  'kernel/timelines.db.test.ts': 'replaces the function that names the timeline, which is on a worker',
  'definitions/changes/concurrent-changes.db.test.ts': 'looks for statements that wait, which are on a worker',
  'notifications/order-of-ids.db.test.ts': 'looks for statements that wait, which are on a worker',
  'moving/read-while-moving.db.test.ts': 'looks for statements that wait, which are on a worker',
  'list/plans.db.test.ts': 'compares plans of PostgreSQL alone',
  'people/users/uniqueness.db.test.ts': 'looks at plans of PostgreSQL alone',
  'people/users/list-users.db.test.ts': 'looks at plans of PostgreSQL alone',
  'schema/connection-pool.db.test.ts': 'looks at statements of the service as the owner, a superuser elsewhere',
  'schema/id-reserve.db.test.ts': 'ends connections of the service as the owner, a superuser elsewhere',
  'test/process/*.db.test.ts':
    'starts servers on the embedded PostgreSQL or on databases that it makes; on Citus the rehearsal does',
};
