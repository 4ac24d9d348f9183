/** `npm run generate` writes every generated file that is checked in; with `--check` it only names the stale ones. */

import { generateCliTables } from './generate-cli-tables.ts';
import { generateOpenApi } from './generate-openapi.ts';

const check = process.argv.includes('--check');
const tables = await generateCliTables(check);
// Loads the command line, and with it the tables as they are now.
const { generateCliReference } = await import('./generate-cli-reference.ts');
const changed = [...tables, ...(await generateOpenApi(check)), ...(await generateCliReference(check))];
for (const file of changed) process.stdout.write(`${check ? 'stale' : 'written'}: ${file}\n`);
if (check && changed.length > 0) {
  process.stdout.write('Run `npm run generate` and commit the result.\n');
  process.exitCode = 1;
}
