import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { type Layer, testLayers } from './scripts/test-layers.ts';
import { LongestFirst } from './scripts/test-order.ts';

const long = Boolean(process.env['PORTICO_TEST_FULL']);
const citus = Boolean(process.env['PORTICO_TEST_CITUS']);
const complete = Boolean(process.env['PORTICO_TEST_CITUS_COMPLETE']);

// Workers and the servers that tests start load the same modules, compiled once.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/portico-tests', import.meta.url));

const layers = testLayers();

/** Returns the files of a layer; at full length only those that have a longer form, else all but halves of long forms. */
function filesOf(layer: Layer): string[] {
  if (long) return layers[layer].filter((file) => /longForm|TEST_FULL/.test(readFileSync(file, 'utf8')));
  return layers[layer].filter((file) => !file.endsWith('.long.db.test.ts'));
}

const ofPage = (file: string) => file.startsWith('apps/web/src/');
const globalSetup = ['apps/server/test/support/global-setup.ts'];

/** Unit tests of the page render components, which Vite compiles. */
const projects: Record<string, TestProjectInlineConfiguration['test']> = {
  unit: { include: filesOf('unit').filter((file) => !ofPage(file)) },
  'unit-page': { include: filesOf('unit').filter(ofPage), experimental: { viteModuleRunner: true } },
  modules: { include: filesOf('modules'), globalSetup },
  system: { include: filesOf('system'), globalSetup },
};

export default defineConfig({
  test: {
    projects: Object.entries(projects).map(([name, test]) => ({ extends: true, test: { name, ...test } })),
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    // Node.js strips the types itself and keeps compiled code, so no module is transformed for a run.
    experimental: { viteModuleRunner: false },
    // A worker loads the server once for all its files: module state outlives a file. Long forms and clusters, which few
    // files share, take a process per file.
    isolate: long || citus,
    // Most of what tests make is thrown away at once: with room for it, collecting garbage takes half the time.
    execArgv: ['--max-semi-space-size=64'],
    // Tests that start processes often wait: a third worker uses what two leave of two cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Long forms run ten to a hundred times as many cases; all files on a cluster take twice as long, besides its own tests.
    testTimeout: long || complete ? 1_800_000 : 60_000,
    // The first that needs the demo makes it, while two other workers use the same two cores.
    hookTimeout: complete ? 600_000 : 300_000,
    // The default of one second is short where three workers share two cores.
    expect: { poll: { timeout: 20_000 } },
  },
});
