/** Which files of tests run on Citus (test-citus.ts). */

/** What `npm run test:citus` runs, in continuous integration as well: five minutes at most on two cores. */
export const LISTED: readonly string[] = [
  'apps/server/src/modules/tasks/tasks.db.test.ts',
  'apps/server/src/modules/workflow/workflow.db.test.ts',
  'apps/server/src/operator/nodes/nodes.db.test.ts',
  'apps/server/src/modules/posts/writing/create-post.db.test.ts',
  'apps/server/src/modules/posts/writing/edit-post.db.test.ts',
  'apps/server/src/modules/posts/writing/event-post.db.test.ts',
  'apps/server/src/platform/db/isolation.db.test.ts',
  'apps/server/src/platform/db/scope.db.test.ts',
  'apps/server/src/modules/stream/stream.db.test.ts',
  'apps/server/src/modules/files/upload.db.test.ts',
  'apps/server/src/modules/files/serve.db.test.ts',
  'apps/server/src/modules/people/photos.db.test.ts',
];

/** What cannot hold there, by the end of its path: `--all` leaves it out. A reason each. */
export const NOT_ON_CITUS: Readonly<Record<string, string>> = {
  'platform/embedded-postgres/*.db.test.ts': 'is of the embedded PostgreSQL, which has no Citus',
  'list/plans.db.test.ts': 'compares plans of PostgreSQL alone',
  'people/uniqueness.db.test.ts': 'looks at plans of PostgreSQL alone',
  'people/list-users.db.test.ts': 'looks at plans of PostgreSQL alone',
  'operator/advise/advise-indexes.db.test.ts': 'the index adviser refuses on Citus',
};
