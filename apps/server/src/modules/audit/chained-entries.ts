/** Entries of the audit log as the chain takes them in. */
import { auditEntryColumns } from '../../kernel/tables/kernel-tables.ts';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';
import { stableHash } from '../../platform/tokens/index.ts';

/** A position in the chain and the hash there, which stands for everything up to it. */
export interface ChainHead {
  readonly position: number;
  readonly hash: string;
}

/** Before the first entry. */
export const CHAIN_BEGIN: ChainHead = { position: 0, hash: '' };

/** The columns of an entry `e`, as {@link chainHash} takes them: all, so that no change of an entry goes unnoticed. */
export const HASHED_SQL = auditEntryColumns.map((column) => `e.${column}`).join(', ');

export type HashedEntry = Readonly<Record<(typeof auditEntryColumns)[number], unknown>>;

/**
 * SQL of an id up to which every entry has its position: the entry that was chained last an hour ago or longer. Ids are given in the
 * order in which transactions ask for them, and no transaction takes that long.
 */
export const CHAINED_UP_TO = `coalesce((SELECT l.entry_id FROM audit_links l
  WHERE l.tenant_id = $1 AND l.at < now() - interval '1 hour' ORDER BY l.position DESC LIMIT 1), 0)`;

/** The hash of the position after `head` when this entry is there. */
export function chainHash(head: ChainHead, entry: HashedEntry): string {
  return stableHash([head.hash, head.position + 1, ...auditEntryColumns.map((column) => entry[column])]);
}

/** Where the chain ends. */
export async function readHead(db: TenantExecutor): Promise<ChainHead> {
  const [head] = await db.query<ChainHead>(
    `SELECT position, hash FROM audit_links WHERE tenant_id = $1 ORDER BY position DESC LIMIT 1`,
    [db.tenantId],
  );
  return head ?? (await readCheckpoint(db)) ?? CHAIN_BEGIN;
}

/** The last position that was removed because of its age. */
async function readCheckpoint(db: TenantExecutor): Promise<ChainHead | undefined> {
  const [checkpoint] = await db.query<ChainHead>(
    `SELECT position, hash FROM audit_checkpoints WHERE tenant_id = $1 ORDER BY position DESC LIMIT 1`,
    [db.tenantId],
  );
  return checkpoint;
}
