/**
 * Removes the rows of erased people that `people` of the table descriptions names (operation eraseUser has emptied their
 * profile). Transactions are small; a stop between two of them is made up for by the next run.
 */
import type { Tenant } from '../kernel/scope.ts';
import { eraseRowsOfPerson } from '../kernel/tables/erase-rows.ts';
import { columnsRemovedWithPeople } from '../kernel/tables/registry.ts';
import { finishErasure } from '../modules/people/index.ts';
import { tables } from '../modules/tables.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import { bodiesNaming, replaceBody, withoutPost } from '../modules/webhooks/index.ts';

const ROWS_AT_ONCE = 400;

const COLUMNS = columnsRemovedWithPeople(tables);

/** The worker's task. @returns how many rows were removed */
export async function eraseRowsOfPeople(services: TenantServices, tenant: Tenant): Promise<number> {
  const db = services.databases.for(tenant.id);
  let removed = 0;
  for (;;) {
    const count = await db.transaction(async (tx) => {
      // A person whose row another node has locked is skipped.
      const [user] = await tx.query<{ id: number }>(
        `SELECT id FROM users WHERE tenant_id = $1 AND erasure_pending ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [tenant.id],
      );
      if (!user) return undefined;
      let room = ROWS_AT_ONCE;
      for (const { table, column } of COLUMNS) {
        room -= await eraseRowsOfPerson(tx, table, column, user.id, room);
        if (room === 0) return ROWS_AT_ONCE;
      }
      const bodies = await bodiesNaming(tx, user.id, room);
      for (const { id, body } of bodies) await replaceBody(tx, id, withoutPost(body));
      room -= bodies.length;
      if (room === 0) return ROWS_AT_ONCE;
      await finishErasure(tx, user.id);
      return ROWS_AT_ONCE - room;
    });
    if (count === undefined) return removed;
    removed += count;
  }
}
