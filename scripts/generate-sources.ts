/**
 * Writes the sources that follow from the contract and are not kept in git: the TypeScript interfaces of the contract, the
 * methods and types of the client library, and the tables of the command line (its nouns, and its flags, which are the
 * fields of the bodies). `npm ci` runs it, before
 * any package is needed: it imports nothing but the contract, which imports no package.
 */
import { fileURLToPath } from 'node:url';
import {
  exportMethod,
  formerMethods,
  isExported,
  nounOf,
  operationList,
  parts,
  verbOf,
} from '../packages/contract/src/index.ts';
import { declarations } from '../packages/contract/src/schemas/declarations.ts';
import type { Declaration, FieldSchema } from '../packages/contract/src/schemas/fields.ts';
import { printClient } from '../packages/contract/src/typegen/print-methods.ts';
import { printTypes } from '../packages/contract/src/typegen/print-types.ts';
import { deleteFormer, updateFiles } from './generated-files.ts';

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

const wordsOf = (part: string, method: string) => `${nounOf(part)} ${verbOf(method)}`;

/** Present words of commands by their former words, of exports too. */
function formerCommands(): [string, string][] {
  return formerMethods().flatMap(({ part, method, present }) => {
    const { domain, clientMethod } = present;
    const pairs: [string, string][] = [[wordsOf(part, method), wordsOf(domain, clientMethod)]];
    if (isExported(present))
      pairs.push([wordsOf(part, exportMethod({ clientMethod: method })), wordsOf(domain, exportMethod(present))]);
    return pairs.filter(([former, now]) => former !== now);
  });
}

/** The file of the nouns, which every start of the program reads: the contract itself takes longer to load. */
function nouns(): string {
  const rows = Object.entries(parts).map(([domain, { command }]) => `  ${domain}: ${JSON.stringify(command)},\n`);
  const former = formerCommands().map(([before, now]) => `  '${before}': '${now}',\n`);
  return `// Generated from the parts of the contract by \`npm run generate\`. Do not edit.\nimport type { Domain } from '@portico/contract';\n\n/** One line for the noun of each part of the product. */\nexport const nounDescriptions: Readonly<Record<Domain, string>> = {\n${rows.join('')}};\n\n/** Present words of commands by their former words. */
export const formerCommands: Readonly<Record<string, string>> = {\n${former.join('')}};\n`;
}

/**
 * Brings the generated sources up to date.
 * @param check when true nothing is written
 * @returns paths, below the root of the project, of the files that were stale
 */
export async function generateSources(check: boolean): Promise<string[]> {
  const files = new Map([
    ['packages/cli/src/client/body-fields.generated.ts', flags()],
    ['packages/cli/src/client/nouns.generated.ts', nouns()],
  ]);
  for (const [name, text] of printTypes()) files.set(`packages/contract/src/types/${name}`, text);
  for (const [name, text] of printClient()) files.set(`packages/sdk/src/${name}`, text);
  const stale = await updateFiles(files, check);
  if (!check) await deleteFormer(files);
  return stale;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateSources(false);
