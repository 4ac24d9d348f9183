/** `npm run generate` writes every generated file that is checked in; with `--check` it only names the stale ones. */
import { generateEntities } from './generate-entities.ts';

const check = process.argv.includes('--check');
// Each is loaded when the files that it reads are written: schemas name the objects of tables, the command line has the schemas.
const changed = await generateEntities(check);
const { generateCliTables } = await import('./generate-cli-tables.ts');
changed.push(...(await generateCliTables(check)));
const { generateOpenApi } = await import('./generate-openapi.ts');
changed.push(...(await generateOpenApi(check)));
for (const file of changed) process.stdout.write(`${check ? 'stale' : 'written'}: ${file}\n`);
if (check && changed.length > 0) {
  process.stdout.write('Run `npm run generate` and commit the result.\n');
  process.exitCode = 1;
}
