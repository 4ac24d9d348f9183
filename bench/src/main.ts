/**
 * `npm run bench -- --posts N`: a tenant of that size beside the limit (measure/options.ts lists the options);
 * `npm run bench [-- isolation | files | memory | neighbours | event-loop | hostile | live | page | bulk | definitions | several]`: small measurements, without a word all of them.
 */
import { measureBulk } from './bulk.ts';
import { measureDefinitions } from './definitions.ts';
import { measureEventLoop } from './event-loop.ts';
import { measureFiles } from './files.ts';
import { measureHostile } from './hostile.ts';
import { measureIsolation } from './isolation.ts';
import { measureLive } from './live.ts';
import { runBench } from './measure/index.ts';
import { HELP, readOptions } from './measure/options.ts';
import { measureMemory } from './memory.ts';
import { measureNeighbours } from './neighbours.ts';
import { measurePage } from './page.ts';
import { measureSeveral } from './several.ts';

const measures: Readonly<Record<string, () => Promise<void>>> = {
  isolation: measureIsolation,
  files: measureFiles,
  memory: measureMemory,
  neighbours: measureNeighbours,
  'event-loop': measureEventLoop,
  hostile: measureHostile,
  live: measureLive,
  page: measurePage,
  bulk: () => measureBulk(),
  definitions: () => measureDefinitions(),
  several: measureSeveral,
};
const args = process.argv.slice(2);
const [what] = args;
const refuse = (sentence: string) => {
  process.stderr.write(`${sentence}\n\n${HELP}`);
  process.exitCode = 2;
};
if (what === '--help' || what === '-h') {
  process.stdout.write(HELP);
} else if (what?.startsWith('-')) {
  const options = await Promise.resolve(args)
    .then(readOptions)
    .catch((error: Error) => refuse(error.message));
  if (options) process.exitCode = await runBench(options);
} else if (what !== undefined && !(what in measures)) {
  refuse(`There is no measure "${what}".`);
} else {
  for (const [name, measure] of Object.entries(measures)) if (what === undefined || what === name) await measure();
}
