/** `npm run bench [-- isolation]`: figures beside the limit that bounds them, in one run. */
import { measureIsolation } from './isolation.ts';

const [what = 'lists'] = process.argv.slice(2);
if (what === 'isolation') await measureIsolation();
else process.stdout.write(`unknown: ${what}; try isolation\n`);
