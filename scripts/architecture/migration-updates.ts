/**
 * A cluster (Citus) refuses an UPDATE of distributed rows that calls a volatile function: it would be called on the coordinator,
 * once. Until a database has rows nothing tells, so the texts of migrations are looked at.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readMigrationNames } from './migration-numbers.ts';

const DIRECTORY = fileURLToPath(new URL('../../apps/server/migrations/', import.meta.url));

/** Migrations that may, with the reason. */
export const MAY_CALL_VOLATILE: Readonly<Record<string, string>> = {
  '0032-all-day-events.sql': 'is older than the support of Citus: no cluster had rows when it ran',
};

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

/** @param name of the file, such as `0001-tenants.sql` */
export interface MigrationText {
  readonly name: string;
  readonly text: string;
}

/** The files of migrations. */
export async function readMigrationTexts(): Promise<MigrationText[]> {
  const names = (await readMigrationNames()).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(`${DIRECTORY}${name}`, 'utf8') })));
}

/**
 * @param allowed names of files that may call volatile functions; each must do so
 * @returns one sentence per breach
 */
export function checkMigrationUpdates(
  migrations: readonly MigrationText[],
  allowed: Readonly<Record<string, string>> = MAY_CALL_VOLATILE,
): string[] {
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
    const found = [...new Set(called)].filter(isVolatile);
    const path = `apps/server/migrations/${name}`;
    if (name in allowed) {
      if (found.length === 0)
        problems.push(`${path} calls no volatile function in UPDATE; take it off the list in migration-updates.ts`);
    } else
      for (const one of found)
        problems.push(
          `${path} calls the volatile function ${one} in UPDATE, which Citus refuses; read its value first, or mark it STABLE where it is`,
        );
  }
  return problems;
}
