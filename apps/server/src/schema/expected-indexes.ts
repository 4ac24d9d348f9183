/** The indexes that the migrations create and keep, besides those of constraints. */
const STATEMENT =
  /\bCREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+)|\bDROP INDEX (?:CONCURRENTLY )?(?:IF EXISTS )?(\w+)/g;

/** @param migrations texts of the migrations, in order @returns names of indexes */
export function expectedIndexes(migrations: readonly { readonly sql: string }[]): Set<string> {
  const names = new Set<string>();
  for (const { sql } of migrations) {
    for (const [, created, dropped] of sql.replaceAll(/--.*$/gm, '').matchAll(STATEMENT)) {
      if (created) names.add(created);
      if (dropped) names.delete(dropped);
    }
  }
  return names;
}
