/** `npm run generate` writes every generated file that is checked in; with `--check` it only names the stale ones. */
import { generateCliFlags } from './generate-cli-flags.ts';
import { generateCliReference } from './generate-cli-reference.ts';
import { generateOpenApi } from './generate-openapi.ts';

const check = process.argv.includes('--check');
const changed = [
  ...(await generateOpenApi(check)),
  ...(await generateCliFlags(check)),
  ...(await generateCliReference(check)),
];
for (const file of changed) process.stdout.write(`${check ? 'stale' : 'written'}: ${file}\n`);
if (check && changed.length > 0) {
  process.stdout.write('Run `npm run generate` and commit the result.\n');
  process.exitCode = 1;
}
