/** Gives the entries of a catalog places, which forms and files of communities keep. */
import { writeTransaction } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { requireCatalogAdministrator } from './catalogs.policy.ts';
import { readCatalog } from './catalogs.repository.ts';

/**
 * Places entries in the given order, before all others.
 * @param entryIds entries of the catalog
 * @throws PorticoError FORBIDDEN, NOT_FOUND for the catalog
 */
export async function orderCatalogEntries(scope: Scope, catalogId: number, entryIds: readonly number[]): Promise<void> {
  await writeTransaction(scope, 'definitions', async ({ tx, actor, now }) => {
    requireCatalogAdministrator(actor);
    await readCatalog(tx, catalogId);
    await tx.change(
      'catalog_entries',
      [...entryIds],
      `UPDATE catalog_entries e SET position = o.place, version = e.version + 1, modified_at = $4, modified_by = $5
         FROM unnest($3::bigint[]) WITH ORDINALITY AS o (id, place)
        WHERE e.tenant_id = $1 AND e.catalog_id = $2 AND e.id = o.id AND e.position <> o.place`,
      [tx.tenantId, catalogId, entryIds, new Date(now), actor.userId],
    );
  });
}
