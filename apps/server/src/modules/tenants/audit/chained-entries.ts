/** Entries of the audit log as the chain hashes them. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { stableHash } from '@portico/platform/tokens';
import { auditEntryColumns } from '../../../kernel/tables/kernel-tables.ts';

/** A position in the chain and its hash, which covers everything up to it. */
export interface ChainHead {
  readonly position: number;
  readonly hash: string;
}

/** Before the first entry. */
export const CHAIN_BEGIN: ChainHead = { position: 0, hash: '' };

/**
 * Columns of an entry `e` for {@link chainHash}: all of them, so that every change of an entry is
 * detected.
 */
export const HASHED_SQL = auditEntryColumns.map((column) => `e.${column}`).join(', ');

export type HashedEntry = Readonly<Record<(typeof auditEntryColumns)[number], unknown>>;

/**
 * SQL of an id up to which every entry has its position: the last entry that was chained an hour
 * ago or longer. Ids are assigned in the order in which transactions ask for them, and no
 * transaction takes an hour.
 */
export const CHAINED_UP_TO = `coalesce((SELECT l.entry_id FROM audit_links l
  WHERE l.tenant_id = $1 AND l.at < now() - interval '1 hour' ORDER BY l.position DESC LIMIT 1), 0)`;

/** Returns the hash of the position after `head` for this entry. */
export function chainHash(head: ChainHead, entry: HashedEntry): string {
  return stableHash([head.hash, head.position + 1, ...auditEntryColumns.map((column) => entry[column])]);
}

/** Returns the last position of the chain. */
export async function readHead(db: TenantExecutor): Promise<ChainHead> {
  const [head] = await db.query<ChainHead>(
    `SELECT position, hash FROM audit_links WHERE tenant_id = $1 ORDER BY position DESC LIMIT 1`,
    [db.tenantId],
  );
  return head ?? (await readCheckpoint(db)) ?? CHAIN_BEGIN;
}

/** Returns the last position that was removed because of its age. */
async function readCheckpoint(db: TenantExecutor): Promise<ChainHead | undefined> {
  const [checkpoint] = await db.query<ChainHead>(
    `SELECT position, hash FROM audit_checkpoints WHERE tenant_id = $1 ORDER BY position DESC LIMIT 1`,
    [db.tenantId],
  );
  return checkpoint;
}
