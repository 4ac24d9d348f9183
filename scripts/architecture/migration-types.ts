/**
 * Finds migrations that change the type of a column. Nodes of the version before serve while a
 * migration runs: each of their prepared statements on the column would fail once, and their code
 * would read values of the new type. A migration adds a column instead, and a later version deletes
 * the old one.
 */
import type { MigrationText } from './migration-updates.ts';

const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g;
const NAME = String.raw`(?:"[^"]+"|[\w%.]+)`;
/** Also within DO and EXECUTE. The second form is of composite types. */
const CHANGE = new RegExp(
  String.raw`\bALTER\s+(?:COLUMN\s+|ATTRIBUTE\s+)?(?!(?:COLUMN|ATTRIBUTE)\b)(${NAME})\s+(?:SET\s+DATA\s+)?TYPE\b`,
  'gi',
);
const TABLE = new RegExp(String.raw`\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?(${NAME})([^;]*)`, 'gi');
const DROP = new RegExp(String.raw`\bDROP\s+(?:COLUMN\s+)?(?:IF\s+EXISTS\s+)?(${NAME})`, 'gi');
const ADD = new RegExp(String.raw`\bADD\s+(?:COLUMN\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(${NAME})`, 'gi');
const NO_COLUMN = /^(constraint|default|not|identity|expression|primary|foreign|unique|check|exclude|if|column)$/;

const bare = (name: string) => name.replaceAll('"', '').toLowerCase();

/** Columns that a part of ALTER TABLE names after a verb. */
const columnsOf = (part: string, verb: RegExp) =>
  [...part.matchAll(verb)].map(([, name]) => bare(name!)).filter((name) => !NO_COLUMN.test(name));

/** Columns that a migration drops and adds again under their names. */
function exchangedIn(text: string): string[] {
  const dropped = new Set<string>();
  const exchanged: string[] = [];
  for (const [, table, part] of text.matchAll(TABLE)) {
    for (const column of columnsOf(part!, DROP)) dropped.add(`${bare(table!)}.${column}`);
    for (const column of columnsOf(part!, ADD)) if (dropped.has(`${bare(table!)}.${column}`)) exchanged.push(column);
  }
  return exchanged;
}

/** @returns one sentence per breach */
export function checkMigrationTypes(migrations: readonly MigrationText[]): string[] {
  return migrations.flatMap(({ name, text }) => {
    const statements = text.replaceAll(COMMENT, '');
    const changed = [...statements.matchAll(CHANGE)].map(([, column]) => bare(column!));
    return [...new Set([...changed, ...exchangedIn(statements)])].map(
      (column) =>
        `apps/server/migrations/${name} changes the type of ${column}, which nodes of the version before read; ` +
        'add a column under another name, write both, and read the new one',
    );
  });
}
