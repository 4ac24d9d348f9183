/** SQL of areas and business units. */
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';

export type UnitTable = 'areas' | 'business_units';

/**
 * Locks the creation and edits of units until the transaction ends: of two concurrent units with
 * one name, the second is rejected.
 */
export async function lockUnits(tx: TenantTx): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.units.' || $1, 0))`, [tx.tenantId]);
}

/** New unit. */
interface NewUnit {
  name: string;
  /** Normalised. */
  nameKey: string;
  externalId: string | null;
  description: string | null;
}

/**
 * Creates units.
 * @param who the user who creates them and the time in epoch milliseconds; omitted if no user
 * creates them
 * @returns their ids, in the order given
 */
export async function insertUnits(
  tx: TenantTx,
  table: UnitTable,
  units: readonly NewUnit[],
  who?: { by: number; at: number },
): Promise<number[]> {
  const ids = await takeIds(tx, table, units.length);
  await tx.createAs(
    table,
    ids,
    `INSERT INTO ${table} (tenant_id, id, name, name_key, external_id, description, modifier_id, modified_at)
     SELECT a.tenant_id, r.id, r.name, r."nameKey", r."externalId", r.description, $3, $4
       FROM tenant_versions a, jsonb_to_recordset($2::jsonb) AS r(id bigint, name text, "nameKey" text, "externalId" text, description text)
      WHERE a.tenant_id = $1`,
    [
      tx.tenantId,
      JSON.stringify(units.map((unit, index) => ({ ...unit, id: ids[index] }))),
      who?.by ?? null,
      who === undefined ? null : new Date(who.at),
    ],
  );
  return ids;
}

/** Replaces the fields of a unit and raises its token. */
export async function updateUnit(
  tx: TenantTx,
  table: UnitTable,
  id: number,
  { name, nameKey, externalId, description }: NewUnit,
  who: { by: number; at: number },
): Promise<void> {
  await tx.sendChange(
    table,
    [id],
    `UPDATE ${table} SET version = version + 1, name = $3, name_key = $4, external_id = $5, description = $6, modifier_id = $7,
            modified_at = $8 WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, id, name, nameKey, externalId, description, who.by, new Date(who.at)],
  );
}

/** Deletes a unit, and removes deleted users from it. @param column of the users in it */
export async function removeUnit(
  tx: TenantTx,
  table: UnitTable,
  column: 'area_id' | 'business_unit_id',
  id: number,
): Promise<void> {
  await tx.beginChange(table, [id]);
  await tx.send(
    `UPDATE users SET ${column} = NULL WHERE tenant_id = $1 AND ${column} = $2 AND deleted_at IS NOT NULL`,
    [tx.tenantId, id],
  );
  await tx.sendChange(table, [id], `DELETE FROM ${table} WHERE tenant_id = $1 AND id = $2`, [tx.tenantId, id]);
}

/** Returns whether another unit has the name, and whether another has the external id. */
export async function unitWith(
  tx: TenantExecutor,
  table: UnitTable,
  { nameKey, externalId }: Pick<NewUnit, 'nameKey' | 'externalId'>,
  except: number | null,
): Promise<{ name: boolean; externalId: boolean }> {
  const [row] = await tx.query<{ name: boolean | null; externalId: boolean | null }>(
    `SELECT bool_or(name_key = $2) AS name, bool_or(external_id = $3) AS "externalId"
       FROM ${table} WHERE tenant_id = $1 AND id IS DISTINCT FROM $4 AND (name_key = $2 OR external_id = $3)`,
    [tx.tenantId, nameKey, externalId, except],
  );
  return { name: row?.name === true && nameKey !== '', externalId: row?.externalId === true };
}
