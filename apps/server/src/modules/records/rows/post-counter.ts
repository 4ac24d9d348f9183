import type { TenantTx } from '@portico/platform/db/tenant-db';

/** Starts the numbers of the posts of a new community. */
export async function insertPostCounter(tx: TenantTx, communityId: number): Promise<void> {
  await tx.send('INSERT INTO community_counters (tenant_id, community_id) VALUES ($1, $2)', [tx.tenantId, communityId]);
}
