/**
 * Verifies the chain of the audit log: no entry was changed since it was chained, and none is
 * missing.
 */

import type { TenantDb } from '@portico/platform/db/tenant-db';
import { hashValues } from '../../../kernel/audit/index.ts';
import { auditEntryColumns } from '../../../kernel/tables/kernel-tables.ts';
import {
  CHAIN_BEGIN,
  CHAINED_UP_TO,
  type ChainHead,
  chainHash,
  HASHED_SQL,
  type HashedEntry,
  readHead,
} from './chained-entries.ts';

/** Number of positions that one statement reads. */
const BATCH = 1_000;

/** The first fault in the chain. */
interface ChainFault {
  /** Position in the chain; undefined for an entry without one. */
  readonly position: number | undefined;
  readonly entryId: number | undefined;
  /** Description, a full sentence. */
  readonly problem: string;
}

export interface ChainReport {
  /** Number of verified entries. */
  readonly entries: number;
  /** End of the verified chain. */
  readonly head: ChainHead;
  /** Beginning of the verified chain, if earlier entries were deleted because of their age. */
  readonly checkpoint: ChainHead | undefined;
  /** Number of entries not yet chained. */
  readonly waiting: number;
  /** Undefined: the log is whole. */
  readonly fault: ChainFault | undefined;
}

type LinkRow = Readonly<Record<`e_${(typeof auditEntryColumns)[number]}`, unknown>> & {
  position: number;
  entryId: number;
  hash: string;
  salt: string | null;
  before: unknown;
  after: unknown;
  userErased: boolean;
};

/**
 * Reads the whole chain.
 * @param kept head from an earlier verification: the chain must contain it
 */
export async function verifyChain(db: TenantDb, kept?: ChainHead): Promise<ChainReport> {
  const start = await readStart(db);
  const begin = start ?? CHAIN_BEGIN;
  let keptSeen = kept === undefined || same(kept, begin);
  const followed = await follow(db, begin, Number.POSITIVE_INFINITY, (at) => {
    keptSeen ||= same(kept as ChainHead, at);
  });
  const { head } = followed;
  const { waiting, forgotten } = await readUnchained(db);
  let { fault } = followed;
  if (!fault && !keptSeen) fault = keptFault(kept as ChainHead, begin, head);
  if (!fault && forgotten !== null) fault = forgottenFault(forgotten);
  return { entries: head.position - begin.position, head, checkpoint: start, waiting, fault };
}

/** A verified part of the chain. */
interface ChainPart {
  /** Number of verified entries. */
  readonly entries: number;
  readonly head: ChainHead;
  /** Number of entries not yet chained; undefined before the end of the chain. */
  readonly waiting: number | undefined;
  readonly fault: ChainFault | undefined;
  /** Whether the end of the chain was reached. */
  readonly ended: boolean;
}

/**
 * Verifies a part of the chain.
 * @param after head that an earlier part reached; undefined for the beginning
 * @param most number of entries, in whole thousands
 */
export async function verifyPart(db: TenantDb, after: ChainHead | undefined, most: number): Promise<ChainPart> {
  const begin = (await readStart(db)) ?? CHAIN_BEGIN;
  const from = after ?? begin;
  if (after && !(await isHead(db, after, begin)))
    return {
      entries: 0,
      head: from,
      waiting: undefined,
      ended: false,
      fault: keptFault(after, begin, await readHead(db)),
    };
  const { head, fault, ended } = await follow(db, from, most);
  const entries = head.position - from.position;
  if (fault || !ended) return { entries, head, waiting: undefined, fault, ended };
  const { waiting, forgotten } = await readUnchained(db);
  return { entries, head, waiting, ended, fault: forgotten === null ? undefined : forgottenFault(forgotten) };
}

/** Whether the chain has a position with this hash. */
async function isHead(db: TenantDb, head: ChainHead, begin: ChainHead): Promise<boolean> {
  if (same(head, begin)) return true;
  const rows = await db.query('SELECT FROM audit_links WHERE tenant_id = $1 AND position = $2 AND hash = $3', [
    db.tenantId,
    head.position,
    head.hash,
  ]);
  return rows.length > 0;
}

const forgottenFault = (entryId: number): ChainFault => ({
  position: undefined,
  entryId,
  problem: `The entry ${entryId} has no position in the chain.`,
});

/**
 * Verifies links after a head until the end, a fault, or a number of entries.
 * @param seen called with each verified head
 */
async function follow(
  db: TenantDb,
  begin: ChainHead,
  most: number,
  seen: (head: ChainHead) => void = () => undefined,
): Promise<{ head: ChainHead; fault: ChainFault | undefined; ended: boolean }> {
  let head = begin;
  while (head.position - begin.position < most) {
    const links = await readLinks(db, head.position);
    for (const link of links) {
      const fault = faultOf(head, link);
      if (fault) return { head, fault, ended: false };
      head = { position: link.position, hash: link.hash };
      seen(head);
    }
    if (links.length < BATCH) return { head, fault: undefined, ended: true };
  }
  return { head, fault: undefined, ended: false };
}

/** Returns the checkpoint at which the chain begins; undefined for a chain from its first entry. */
async function readStart(db: TenantDb): Promise<ChainHead | undefined> {
  const [first] = await db.query<{ position: number }>(
    `SELECT position FROM audit_links WHERE tenant_id = $1 ORDER BY position LIMIT 1`,
    [db.tenantId],
  );
  // A checkpoint replaces deleted positions only; existing positions are always read.
  const [start] = await db.query<ChainHead>(
    `SELECT position, hash FROM audit_checkpoints WHERE tenant_id = $1 AND position < $2 ORDER BY position DESC LIMIT 1`,
    [db.tenantId, first?.position ?? Number.MAX_SAFE_INTEGER],
  );
  return start;
}

const same = (a: ChainHead, b: ChainHead) => a.position === b.position && a.hash === b.hash;

async function readLinks(db: TenantDb, after: number): Promise<LinkRow[]> {
  const entry = auditEntryColumns.map((column) => `e.${column} AS e_${column}`).join(', ');
  return db.query<LinkRow>(
    `SELECT l.position, l.entry_id AS "entryId", l.hash, ${entry}, v.salt, v.before, v.after,
            coalesce(u.erased_at IS NOT NULL, false) AS "userErased"
       FROM (SELECT position, entry_id, hash FROM audit_links WHERE tenant_id = $1 AND position > $2
              ORDER BY position LIMIT ${BATCH}) l
       LEFT JOIN (SELECT ${HASHED_SQL} FROM audit_entries e WHERE e.tenant_id = $1) e ON e.id = l.entry_id
       LEFT JOIN (SELECT entry_id, salt, before, after FROM audit_values WHERE tenant_id = $1) v ON v.entry_id = l.entry_id
       LEFT JOIN (SELECT id, erased_at FROM users WHERE tenant_id = $1) u ON e.object = 'user' AND u.id = e.object_id
      ORDER BY l.position`,
    [db.tenantId, after],
  );
}

function faultOf(head: ChainHead, link: LinkRow): ChainFault | undefined {
  const { entryId, position } = link;
  const next = head.position + 1;
  if (position !== next)
    return { position: next, entryId: undefined, problem: `The position ${next} of the chain is missing.` };
  const at = (problem: string) => ({ position, entryId, problem });
  if (link.e_id === null) return at(`The entry ${entryId} at position ${position} is missing.`);
  const entry = Object.fromEntries(auditEntryColumns.map((column) => [column, link[`e_${column}`]])) as HashedEntry;
  if (chainHash(head, entry) !== link.hash)
    return at(`The entry ${entryId} at position ${position} or its hash was changed.`);
  if (link.salt === null)
    return link.e_values_hash !== null && !link.userErased
      ? at(
          `What the entry ${entryId} at position ${position} says of a person was removed, and the person is not erased.`,
        )
      : undefined;
  const values = { salt: link.salt, before: link.before, after: link.after };
  return hashValues(values) === link.e_values_hash
    ? undefined
    : at(`What the entry ${entryId} at position ${position} says of a person was changed.`);
}

function keptFault(kept: ChainHead, begin: ChainHead, head: ChainHead): ChainFault {
  const { position } = kept;
  const fault = (problem: string) => ({ position, entryId: undefined, problem });
  if (position > head.position) {
    return fault(
      `The chain ends at position ${head.position}; the given head is position ${position}: entries were cut off.`,
    );
  }
  if (position < begin.position) {
    return fault(
      `The given head is position ${position}; entries up to position ${begin.position} were removed because of their age.`,
    );
  }
  return fault(`The chain has another hash at position ${position} than the given head.`);
}

/**
 * Counts entries without a position. The job will chain the waiting ones; an older entry that it
 * has passed over is a fault.
 */
async function readUnchained(db: TenantDb): Promise<{ waiting: number; forgotten: number | null }> {
  const [row] = await db.query<{ waiting: number; forgotten: number | null }>(
    `SELECT count(*) FILTER (WHERE e.id > ${CHAINED_UP_TO}) AS waiting, min(e.id) FILTER (WHERE e.id <= ${CHAINED_UP_TO}) AS forgotten
       FROM audit_entries e
      WHERE e.tenant_id = $1 AND NOT EXISTS (SELECT FROM audit_links l WHERE l.tenant_id = $1 AND l.entry_id = e.id)`,
    [db.tenantId],
  );
  return row!;
}
