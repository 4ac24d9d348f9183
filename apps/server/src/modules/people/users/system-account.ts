import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { sortKey } from '@portico/platform/text';

/** Inserts the system account of a new tenant. @returns its id */
export async function insertSystemAccount(db: Pick<TenantExecutor, 'tenantId' | 'query'>): Promise<number> {
  const [row] = await db.query<{ id: number | string }>(
    `INSERT INTO users (tenant_id, first_name, last_name, first_key, last_key, system_account, manages_users,
                        manages_workplace, visible_in_people_section, email_notifications)
     VALUES ($1, 'Portico', 'System', $2, $3, true, true, true, false, false) RETURNING id`,
    [db.tenantId, sortKey('Portico'), sortKey('System')],
  );
  return Number(row!.id);
}
