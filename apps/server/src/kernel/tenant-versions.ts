/**
 * The versions of a tenant (tenant_versions): each is incremented when its data changes, so that other nodes reload.
 *
 * The table has one row per tenant. A statement that inserts rows of parameters reads that row: `INSERT INTO x (tenant_id, …)
 * SELECT a.tenant_id, … FROM tenant_versions a, unnest(…) WHERE a.tenant_id = $1`. A cluster (Citus) runs such a statement on
 * the node of the tenant; without a table of the tenant it would compute the rows elsewhere and send them there
 * (docs/adr/0014-citus.md; `npm run check` requires the form).
 */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';

/** Above every version of a timeline. With at most 8191 timelines versions stay safe integers. */
const TIMELINE_STEP = 2 ** 40;

/**
 * SQL of a version of tenant_versions `v` as caches compare it: a later timeline makes a later
 * version. A server that took over without the last commits counts the same versions again, and
 * values cached from lost commits must not pass for later ones.
 */
export const versionSql = (column: 'access_version' | 'definitions_version' | 'keys_version'): string =>
  `(v.${column} + portico_timeline(v.tenant_id) * ${TIMELINE_STEP})`;

/**
 * SQL of the generation of stream_state `s` for values that must not outlive a change of the
 * server, lossless or not.
 */
export const generationOfServerSql = `(s.generation + portico_timeline(s.tenant_id) * ${TIMELINE_STEP})`;

/**
 * Whether a value of one version is at least as new as another version. Versions of different
 * timelines do not show which is later: a tenant of a cluster (Citus) may move to a node with an
 * earlier timeline.
 */
export function isAtLeast(version: number, other: number): boolean {
  return version >= other && Math.floor(version / TIMELINE_STEP) === Math.floor(other / TIMELINE_STEP);
}

/** Starts the versions of a new tenant. */
export async function insertTenantVersions(db: Pick<TenantExecutor, 'tenantId' | 'execute'>): Promise<void> {
  await db.execute('INSERT INTO tenant_versions (tenant_id) VALUES ($1)', [db.tenantId]);
}

/** Raises the versions of access rules and of definitions; the row is then held until the transaction ends. */
export async function raiseVersions(
  tx: TenantExecutor,
  raised: { access?: boolean; definitions?: boolean },
): Promise<void> {
  await tx.execute(
    `UPDATE tenant_versions SET access_version = access_version + $2, definitions_version = definitions_version + $3
      WHERE tenant_id = $1`,
    [tx.tenantId, raised.access ? 1 : 0, raised.definitions ? 1 : 0],
  );
}

/**
 * Raises the version of the labels of catalog entries, from which the search index is built; the
 * row is then held until the transaction ends.
 */
export async function raiseLabelsVersion(tx: TenantExecutor): Promise<void> {
  await tx.execute('UPDATE tenant_versions SET labels_version = labels_version + 1 WHERE tenant_id = $1', [
    tx.tenantId,
  ]);
}

/** Raises the version of the signing keys; the row is then held until the transaction ends. */
export async function raiseKeysVersion(tx: TenantExecutor): Promise<void> {
  await tx.execute('UPDATE tenant_versions SET keys_version = keys_version + 1 WHERE tenant_id = $1', [tx.tenantId]);
}
