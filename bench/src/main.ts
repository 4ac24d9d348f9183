/** `npm run bench [-- lists | writes | isolation]`: figures beside the limit that bounds them; without a word, all. */
import { measureIsolation } from './isolation.ts';
import { measureLists } from './lists.ts';
import { measureWrites } from './writes.ts';

const measures: Readonly<Record<string, () => Promise<void>>> = {
  lists: measureLists,
  writes: measureWrites,
  isolation: measureIsolation,
};
const [what] = process.argv.slice(2);
if (what !== undefined && !(what in measures)) {
  process.stderr.write(`There is no measure "${what}"; there are: ${Object.keys(measures).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  for (const [name, measure] of Object.entries(measures)) if (what === undefined || what === name) await measure();
}
