/**
 * `npm run generate` writes every generated file. With `--check` it writes the sources that are not kept in git, and only
 * names the files that are kept and stale.
 */
import { generateOpenApi } from './generate-openapi.ts';
import { generateSources } from './generate-sources.ts';

const check = process.argv.includes('--check');
const written = await generateSources(false);
const kept = await generateOpenApi(check);
for (const file of written) process.stdout.write(`written: ${file}\n`);
for (const file of kept) process.stdout.write(`${check ? 'stale' : 'written'}: ${file}\n`);
if (check && kept.length > 0) {
  process.stdout.write('Run `npm run generate` and commit the result.\n');
  process.exitCode = 1;
}
