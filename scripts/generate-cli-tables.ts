/** Writes the tables of the command line that follow from the contract: its nouns, and the flags, which are the fields of the bodies. */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationList, parts } from '../packages/contract/src/index.ts';
import { declarations } from '../packages/contract/src/schemas/declarations.ts';
import type { Declaration, FieldSchema } from '../packages/contract/src/schemas/fields.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function kindOf(schema: FieldSchema): string {
  if (schema.$ref) return 'json';
  switch (schema.type) {
    case 'integer':
      return 'integer';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'text';
    case 'array':
      if (schema.items?.type === 'integer') return 'integers';
      return schema.items?.type === 'string' ? 'texts' : 'json';
    default:
      return 'json';
  }
}

/** The file of the flags. */
function flags(): string {
  const names = [...new Set(operationList.map(({ body }) => body).filter((body) => body !== null))].sort();
  const types = names.map((name) => {
    const { fields } = declarations[name] as Declaration;
    const rows = Object.entries(fields).map(([field, schema]) => {
      const { description = '', 'x-codes': codes } = schema;
      return `    ${JSON.stringify([field, kindOf(schema), description, ...(codes ? [codes] : [])])},\n`;
    });
    return `  ${name}: [\n${rows.join('')}  ],\n`;
  });
  return `// Generated from the schemas of the contract by \`npm run generate\`. Do not edit.\nimport type { BodyField } from '../flags-source.ts';\n\n/** Fields of every body by the name of its type. */\nexport const bodyFields: Readonly<Record<string, readonly BodyField[]>> = {\n${types.join('')}};\n`;
}

/** The file of the nouns, which every start of the program reads: the contract itself takes longer to load. */
function nouns(): string {
  const rows = Object.entries(parts).map(([domain, { command }]) => `  ${domain}: ${JSON.stringify(command)},\n`);
  return `// Generated from the parts of the contract by \`npm run generate\`. Do not edit.\nimport type { Domain } from '@portico/contract';\n\n/** One line for the noun of each part of the product. */\nexport const nounDescriptions: Readonly<Record<Domain, string>> = {\n${rows.join('')}};\n`;
}

const targets: Readonly<Record<string, () => string>> = {
  'packages/cli/src/client/body-fields.generated.ts': flags,
  'packages/cli/src/client/nouns.generated.ts': nouns,
};

/**
 * Brings the tables of the command line up to date.
 * @param check when true nothing is written
 * @returns paths, below the root of the project, of the files that were stale
 */
export async function generateCliTables(check: boolean): Promise<string[]> {
  const stale: string[] = [];
  for (const [target, expected] of Object.entries(targets)) {
    const path = join(root, target);
    const text = expected();
    const present = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (present === text) continue;
    if (!check) await writeFile(path, text);
    stale.push(target);
  }
  return stale;
}
