/**
 * The order in which test files start: the longest first, so that none of them is left for the end,
 * when the other workers are idle. Vitest knows durations only if it ran before.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Ends of the paths of the longest files, the longest first. An unlisted file starts after them.
 */
const LONGEST = [
  'acceptance/portal.test.ts',
  'write-matrix/matrix.db.test.ts',
  'load/event-loop.db.test.ts',
  'process/two-nodes.db.test.ts',
  'acceptance/peps.test.ts',
  'acceptance/organisation.test.ts',
  'process/start-and-stop.db.test.ts',
  'list/plans.db.test.ts',
  'process/several.db.test.ts',
  'security/silent-clients.db.test.ts',
  'scripts/package.test.ts',
  'web/test/calm.test.ts',
  'web/test/write.test.ts',
  'demo/demo.db.test.ts',
  'write-matrix/openapi.db.test.ts',
  'scripts/browser.test.ts',
  'web/test/few-actions.test.ts',
  'process/refusals.db.test.ts',
  'hostile-files/hostile-files.db.test.ts',
  'embedded-postgres/embedded-postgres.db.test.ts',
  'access/visibility.db.test.ts',
  'write-matrix/interleaving.db.test.ts',
  'web/test/work.test.ts',
  'web/test/kept-edits.test.ts',
  'process/log-output.db.test.ts',
  'write-matrix/kill.db.test.ts',
  'process/decoders.db.test.ts',
  'cli/src/portal.test.ts',
  'process/surface.db.test.ts',
  'acceptance/guide.test.ts',
  'security/hostile-input.db.test.ts',
  'security/foreign-ids.db.test.ts',
  'security/hidden-fields.db.test.ts',
  'process/kill.db.test.ts',
  'dataset/dataset.db.test.ts',
  'web/test/steady.test.ts',
  'process/encryption.db.test.ts',
  'process/tenant-settings.db.test.ts',
  'notifications/live/live.db.test.ts',
  'security/permissions.db.test.ts',
  'imports/undo.db.test.ts',
  'write-matrix/random.db.test.ts',
  'administration/explain/explain.db.test.ts',
  'web/test/reading.test.ts',
  'http/outage.db.test.ts',
  'files/store/make-previews.db.test.ts',
  'embedded-postgres/placement.db.test.ts',
  'notifications/stream/stream-followers.db.test.ts',
  'security/transport.db.test.ts',
  'definitions/changes/definition-changes.db.test.ts',
  'query-budget/statements.db.test.ts',
  'people/users/list-users.db.test.ts',
  'security/passwords.db.test.ts',
  'files/store/upload.db.test.ts',
  'people/users/passkeys.db.test.ts',
] as const;

/** The same at full length (`npm run test:full`), where other files take longest. */
const LONGEST_AT_FULL_LENGTH = [
  'acceptance/peps.test.ts',
  'list/random-lists-first.db.test.ts',
  'list/random-lists-second.db.test.ts',
  'write-matrix/kill.db.test.ts',
  'access/visibility.db.test.ts',
  'write-matrix/random.db.test.ts',
  'write-matrix/random-second.long.db.test.ts',
  'security/rights-sequences.db.test.ts',
  'notifications/stream/stream.db.test.ts',
  'files/store/upload.db.test.ts',
] as const;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest: readonly string[] = process.env['PORTICO_TEST_FULL'] ? LONGEST_AT_FULL_LENGTH : LONGEST;
    const place = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((end) => moduleId.endsWith(`/${end}`));
      return index < 0 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
