import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test-order.ts';

const include = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'apps/*/test/**/*.test.ts',
  'acceptance/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'scripts/**/*.test.ts',
];
const LONG = 'PORTICO_TEST_FULL';

export default defineConfig({
  test: {
    // At full length only the files run that have a longer form: `npm test` has run the others as they are.
    include: process.env[LONG]
      ? globSync(include, { exclude: ['**/node_modules/**'] }).filter((file) =>
          /longForm|TEST_FULL/.test(readFileSync(file, 'utf8')),
        )
      : include,
    // Halves of long forms, whose short form is in another file.
    exclude: ['**/node_modules/**', ...(process.env[LONG] ? [] : ['**/*.long.db.test.ts'])],
    globalSetup: ['apps/server/test/support/global-setup.ts'],
    pool: 'forks',
    // A worker loads the server once for all its files, which saves a sixth of the time: module state outlives a file. Long
    // forms and clusters, which few files share, take a process per file.
    isolate: Boolean(process.env[LONG] || process.env['PORTICO_TEST_CITUS']),
    // Most of what tests make is thrown away at once: with room for it, collecting garbage takes half the time.
    execArgv: ['--max-semi-space-size=64'],
    // Tests that start processes often wait: a third worker uses what two leave of two cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Long forms run ten to a hundred times as many cases; all files on a cluster take twice as long, besides its own tests.
    testTimeout: process.env[LONG] || process.env['PORTICO_TEST_CITUS_COMPLETE'] ? 1_800_000 : 60_000,
    // The first that needs the demo makes it, while two other workers use the same two cores.
    hookTimeout: process.env['PORTICO_TEST_CITUS_COMPLETE'] ? 600_000 : 300_000,
    // The default of one second is short where three workers share two cores.
    expect: { poll: { timeout: 20_000 } },
  },
});
