/** Catalogs, kept in memory until the tenant's definitions version changes. */

import type { WriteScope } from '../../kernel/access/index.ts';
import type { TenantScope } from '../../kernel/scope.ts';
import { VersionedStore } from '../../kernel/versioned-store.ts';
import type { Catalog } from './catalog-types.ts';
import { loadCatalogs } from './catalogs.repository.ts';

/** With 500 entries each this is some 60 MB; most have a few dozen. */
const MAX_KEPT = 400;

const store = new VersionedStore<Catalog>(loadCatalogs, MAX_KEPT);

/**
 * Catalogs by id, deleted ones included, with the entries of the small ones: none or two statements. Unknown ids are
 * missing. Inside a write pass its {@link WriteScope}.
 */
export async function getCatalogs(
  scope: TenantScope | WriteScope,
  ids: readonly number[],
): Promise<Map<number, Catalog>> {
  return store.get(scope, ids);
}
