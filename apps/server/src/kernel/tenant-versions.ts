/** The versions of a tenant (tenant_versions): each is incremented when its data changes, so that other nodes reload. */
import type { TenantExecutor } from '../platform/db/tenant-db.ts';

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

/** Raises the version of the signing keys; the row is then held until the transaction ends. */
export async function raiseKeysVersion(tx: TenantExecutor): Promise<void> {
  await tx.execute('UPDATE tenant_versions SET keys_version = keys_version + 1 WHERE tenant_id = $1', [tx.tenantId]);
}
