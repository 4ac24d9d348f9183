import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type pg from 'pg';

/**
 * Reads and writes rows of one tenant over a connection of the owner, to whom row security applies
 * too (FORCE).
 * @param client within a transaction that has set app.tenant_id
 */
export function ownerExecutor(
  client: pg.ClientBase,
  tenantId: number,
): Pick<TenantExecutor, 'tenantId' | 'query' | 'execute'> {
  return {
    tenantId,
    query: async <R>(text: string, values?: readonly unknown[]) =>
      (await client.query(text, values && [...values])).rows as R[],
    execute: async (text: string, values?: readonly unknown[]) =>
      (await client.query(text, values && [...values])).rowCount ?? 0,
  };
}
