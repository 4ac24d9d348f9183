/**
 * Finds migrations with an UPDATE that calls a volatile function. A cluster (Citus) refuses such an
 * UPDATE of distributed rows, because the function would run once, on the coordinator. A test
 * database has no rows and does not show it, so the texts are checked.
 */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readMigrationNames } from './migration-numbers.ts';

const DIRECTORY = fileURLToPath(new URL('../../apps/server/migrations/', import.meta.url));

/** Volatile functions of PostgreSQL that an UPDATE could be tempted to call. */
const BUILT_IN = [
  ...['random', 'random_normal', 'gen_random_uuid', 'gen_random_bytes', 'uuidv4', 'uuidv7', 'setseed'],
  ...['clock_timestamp', 'timeofday', 'nextval', 'setval', 'currval', 'lastval', 'set_config'],
  ...['pg_current_xact_id', 'txid_current', 'pg_sleep'],
];
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g;
const TEXT = /'(?:[^']|'')*'/g;
const FUNCTION = /\bCREATE\s+(?:OR\s+REPLACE\s+)?FUNCTION\s+(\w+)([\s\S]*?)\bAS\s+(?:\$|')/gi;
const UPDATE = /\b(?:UPDATE\s+\w+(?:\s+(?:AS\s+)?\w+)?\s+SET|DO\s+UPDATE\s+SET)\b[^;]*/gi;

/** @param name of the file, such as `0104-tags.sql`, or of the folder of the baseline */
export interface MigrationText {
  readonly name: string;
  readonly text: string;
}

/** Reads the migrations. */
export async function readMigrationTexts(): Promise<MigrationText[]> {
  const names = (await readMigrationNames()).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readMigration(`${DIRECTORY}${name}`) })));
}

async function readMigration(path: string): Promise<string> {
  if (path.endsWith('.sql')) return readFile(path, 'utf8');
  const parts = (await readdir(path)).sort();
  return (await Promise.all(parts.map((part) => readFile(`${path}/${part}`, 'utf8')))).join('');
}

/** @returns one sentence per breach */
export function checkMigrationUpdates(migrations: readonly MigrationText[]): string[] {
  const bare = migrations.map(({ name, text }) => ({ name, text: text.replaceAll(COMMENT, '') }));
  // A function that says nothing is volatile. The last definition counts.
  const own = new Map<string, boolean>();
  for (const { text } of bare)
    for (const [, name, head] of text.matchAll(FUNCTION))
      own.set(name!.toLowerCase(), !/\b(?:STABLE|IMMUTABLE)\b/i.test(head!));
  const isVolatile = (name: string) => own.get(name) ?? BUILT_IN.includes(name);
  const problems: string[] = [];
  for (const { name, text } of bare) {
    const called = [...text.matchAll(UPDATE)].flatMap(([update]) =>
      [...update.replaceAll(TEXT, '').matchAll(/\b(\w+)\s*\(/g)].map((match) => match[1]!.toLowerCase()),
    );
    for (const one of new Set(called.filter(isVolatile)))
      problems.push(
        `apps/server/migrations/${name} calls the volatile function ${one} in UPDATE, which Citus refuses; read its value first, or mark it STABLE where it is`,
      );
  }
  return problems;
}
