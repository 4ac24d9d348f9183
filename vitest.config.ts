import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { IN_ORDER, type Layer, layers } from './scripts/test-layers.ts';
import { LongestFirst } from './scripts/test-order.ts';

const long = Boolean(process.env['PORTICO_TEST_FULL']);
const citus = Boolean(process.env['PORTICO_TEST_CITUS']);
const complete = Boolean(process.env['PORTICO_TEST_CITUS_COMPLETE']);
/** The seed of a random order (`npm run test:stress`). */
const shuffle = process.env['PORTICO_TEST_SHUFFLE'];

// Workers and the servers that tests start load the same modules, compiled once.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/portico-tests', import.meta.url));

// Packages that were installed without scripts (`npm ci --ignore-scripts`) have no generated sources.
if (!existsSync(fileURLToPath(new URL('packages/cli/src/client/nouns.generated.ts', import.meta.url))))
  execFileSync(process.execPath, [fileURLToPath(new URL('scripts/generate-sources.ts', import.meta.url))]);

/** Returns the files of a layer: at full length those that have a longer form, else all but halves of long forms. */
function filesOf(layer: Layer): { include: string[]; exclude: string[] } {
  const include = [...layers[layer].include];
  const exclude = [...layers[layer].exclude];
  if (!long) return { include, exclude: [...exclude, '**/*.long.db.test.ts'] };
  const longer = globSync(include, { exclude }).filter((file) => /longForm|TEST_FULL/.test(readFileSync(file, 'utf8')));
  return { include: longer, exclude };
}

const PAGE = 'apps/web/src/**';
const globalSetup = ['apps/server/test/support/global-setup.ts'];
const unit = filesOf('unit');

/** Unit tests of the page render components, which Vite compiles. */
const projects: Record<string, TestProjectInlineConfiguration['test']> = {
  unit: { ...unit, exclude: [...unit.exclude, PAGE] },
  'unit-page': {
    include: [`${PAGE}/*.test.ts`],
    exclude: unit.exclude,
    experimental: { viteModuleRunner: true },
  },
  modules: { ...filesOf('modules'), globalSetup },
  system: { ...filesOf('system'), globalSetup },
};
if (shuffle) {
  const { include, exclude } = filesOf('system');
  projects['system'] = { include, exclude: [...exclude, ...IN_ORDER], globalSetup };
  projects['system-in-order'] = { include: IN_ORDER, exclude, globalSetup, sequence: { shuffle: false } };
}

export default defineConfig({
  test: {
    projects: Object.entries(projects).map(([name, test]) => ({
      extends: true,
      test: { name, ...test },
    })),
    pool: 'forks',
    // Node.js strips the types itself and keeps compiled code, so no module is transformed for a run.
    experimental: { viteModuleRunner: false },
    // A worker loads the server once for all its files: module state outlives a file. Long forms and
    // clusters, which few files share, take a process per file.
    isolate: long || citus,
    // Most of what tests create is deleted at once: with room for it, collecting garbage takes half the time.
    execArgv: ['--max-semi-space-size=64'],
    // Tests that start processes often wait: a third worker uses what two leave of two cores.
    maxWorkers: 3,
    sequence: shuffle ? { shuffle: { files: true, tests: true }, seed: Number(shuffle) } : { sequencer: LongestFirst },
    // Far more than any test takes, as a machine may be busy. Long forms run ten to a hundred times as many
    // cases; all files on a cluster take twice as long, besides its own tests.
    testTimeout: long || complete ? 1_800_000 : 240_000,
    // The first that needs the demo creates it, while two other workers use the same two cores.
    hookTimeout: complete ? 600_000 : 300_000,
    // The default of one second is short where three workers share two cores.
    expect: { poll: { timeout: 20_000 } },
  },
});
