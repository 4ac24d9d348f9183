/** Counts the objects of a tenant before and after an import. */
import type { Scope } from '../../kernel/scope.ts';
import type { Made } from './report.ts';

/** Counts the things that an import may create. */
export async function countThings(scope: Scope): Promise<Made> {
  const db = scope.db;
  const tables: Record<keyof Made, string> = {
    workspaces: 'workspaces',
    communities: 'communities',
    people: 'users',
    catalogs: 'catalogs',
    entries: 'catalog_entries',
    fields: 'fields',
    states: 'workflow_states',
    hashtags: 'hashtags',
  };
  const columns = Object.entries(tables).map(
    ([name, table]) => `(SELECT count(*) FROM ${table} WHERE tenant_id = $1) AS "${name}"`,
  );
  const [row] = await db.query<Made & { values: number }>(
    `SELECT ${columns.join(', ')}, (SELECT count(*) FROM field_enum_values WHERE tenant_id = $1) AS "values"`,
    [db.tenantId],
  );
  const { values, ...counts } = row!;
  return { ...counts, entries: counts.entries + values };
}
