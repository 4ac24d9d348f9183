/** Catalogs, cached in memory until the tenant's definitions version changes. */

import type { WriteScope } from '../../../kernel/access/index.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import { VersionedStore } from '../../../kernel/versioned-store.ts';
import type { Catalog } from './catalog-types.ts';
import { loadCatalogs } from './catalogs.repository.ts';

/**
 * Maximum number of cached catalogs. With 500 entries each they take about 60 MB; most have a few
 * dozen.
 */
const MAX_KEPT = 400;

const store = new VersionedStore<Catalog>(loadCatalogs, MAX_KEPT);

/**
 * Returns catalogs by id, deleted ones included, with the entries of small ones, in two statements
 * or none. Unknown ids are missing. Inside a write pass its {@link WriteScope}.
 */
export async function getCatalogs(
  scope: TenantScope | WriteScope,
  ids: readonly number[],
): Promise<Map<number, Catalog>> {
  return store.get(scope, ids);
}
