/** `npm run bench [-- lists | writes | isolation]`: figures beside the limit that bounds them, in one run. */
import { measureIsolation } from './isolation.ts';
import { measureLists } from './lists.ts';
import { measureWrites } from './writes.ts';

const measures: Readonly<Record<string, () => Promise<void>>> = {
  lists: measureLists,
  writes: measureWrites,
  isolation: measureIsolation,
};
const [what = 'lists'] = process.argv.slice(2);
const measure = measures[what];
if (measure) {
  await measure();
} else {
  process.stderr.write(`There is no measure "${what}"; there are: ${Object.keys(measures).join(', ')}.\n`);
  process.exitCode = 2;
}
