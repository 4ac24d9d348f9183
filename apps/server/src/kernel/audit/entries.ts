/** Rows of the audit log. They are only ever inserted: the service's role may do nothing else. */
import type { auditActions } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { Caller, TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';
import { hashValues, newSalt } from './hashes.ts';

export type AuditAction = (typeof auditActions)[number];

/** Values by field, without secrets. */
export type AuditValues = Readonly<Record<string, unknown>>;

/** An entry to be written. */
export interface NewEntry {
  readonly action: AuditAction;
  /** Kind of the object: `user`, `group`, … */
  readonly object: string;
  readonly objectId: number | null;
  readonly before?: AuditValues | undefined;
  readonly after?: AuditValues | undefined;
  /** How many times it happened. Default 1. */
  readonly count?: number;
  /** Epoch milliseconds; left out, the present. */
  readonly at?: number;
}

/** Executor of the inserts: a tenant's transaction, or a transaction of the owner. */
type Writing = Pick<TenantExecutor, 'tenantId' | 'query' | 'execute'>;

/**
 * Adds entries to the log.
 * @param caller who did it, and from where
 */
export async function insertEntries(tx: Writing, caller: Caller, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const now = Date.now();
  const ids = await takeIds(tx, 'audit_entries', entries.length);
  const { operation, address, requestId, operator } = caller.origin ?? {};
  const rows: object[] = [];
  const values: (AuditedPerson & { id: number })[] = [];
  for (const [index, entry] of entries.entries()) {
    const id = ids[index] as number;
    const { before = null, after = null } = entry;
    const person = entry.object === 'user';
    // The entries before name the deleted person.
    const kept = person && entry.action !== 'deleted' && (before ?? after) !== null;
    if (kept) values.push({ id, userId: entry.objectId as number, salt: newSalt(), before, after });
    rows.push({
      count: 1,
      at: now,
      ...entry,
      id,
      ...(person && { before: undefined, after: undefined }),
      ...(kept && { valuesHash: hashValues(values.at(-1) as AuditedPerson) }),
    });
  }
  await insertValues(tx, values);
  await tx.execute(
    `INSERT INTO audit_entries (tenant_id, id, at, action, operation, actor_id, operator, object, object_id, before, after,
        values_hash, address, request_id, count)
     SELECT a.tenant_id, r.id, to_timestamp(r.at / 1000.0), r.action, $3, $4, $5, r.object, r."objectId", r.before, r.after,
            r."valuesHash", $6, $7, r.count
       FROM tenant_versions a, jsonb_to_recordset($2::jsonb) AS r(id bigint, at bigint, action text, object text, "objectId" bigint,
         before jsonb, after jsonb, "valuesHash" text, count integer)
      WHERE a.tenant_id = $1`,
    [
      tx.tenantId,
      JSON.stringify(rows),
      operation ?? null,
      caller.userId ?? null,
      operator ?? null,
      address ?? null,
      requestId ?? null,
    ],
  );
}

/**
 * Part of an entry about a person. It is stored separately, so that it can be deleted with the
 * person.
 */
interface AuditedPerson {
  userId: number;
  salt: string;
  before: AuditValues | null;
  after: AuditValues | null;
}

async function insertValues(tx: Writing, values: readonly AuditedPerson[]): Promise<void> {
  if (values.length === 0) return;
  await tx.execute(
    `INSERT INTO audit_values (tenant_id, entry_id, user_id, salt, before, after)
     SELECT a.tenant_id, r.id, r."userId", r.salt, r.before, r.after
       FROM tenant_versions a, jsonb_to_recordset($2::jsonb) AS r(id bigint, "userId" bigint, salt text, before jsonb, after jsonb)
      WHERE a.tenant_id = $1`,
    [tx.tenantId, JSON.stringify(values)],
  );
}

/**
 * Records a trial sign-in.
 * @param outcome without claims
 */
export async function recordTrial(db: TenantDb, providerId: number, outcome: AuditValues): Promise<void> {
  await db.transaction((tx) =>
    insertEntries(tx, db.caller, [
      { action: 'tested', object: 'identityProvider', objectId: providerId, after: outcome },
    ]),
  );
}

/**
 * Removes entries that are too old, as the owner of the database: the service may not.
 * @param run runs a statement within a transaction of the owner
 */
export async function removeEntries(
  run: (text: string, values: readonly unknown[]) => Promise<unknown>,
  tenantId: number,
  ids: readonly string[],
): Promise<void> {
  await run('DELETE FROM audit_values WHERE tenant_id = $1 AND entry_id = ANY ($2::bigint[])', [tenantId, ids]);
  await run('DELETE FROM audit_entries WHERE tenant_id = $1 AND id = ANY ($2::bigint[])', [tenantId, ids]);
}

/** Removes the values about a person from entries. The entries stay. */
export async function removeAuditValues(tx: TenantExecutor, userId: number): Promise<void> {
  await tx.execute('DELETE FROM audit_values WHERE tenant_id = $1 AND user_id = $2', [tx.tenantId, userId]);
}

/**
 * Records a sign-in.
 * @param at epoch milliseconds
 * @param by credential of the sign-in: a key of a service account, the break-glass administrator;
 *   undefined for other ways
 */
export async function recordSignIn(
  db: TenantDb,
  userId: number,
  at: number,
  by?: { keyId: number } | { breakGlass: true },
): Promise<void> {
  const { operation, address, requestId } = db.caller.origin ?? {};
  // A single statement: the id of a single row comes from its default.
  await db.execute(
    `INSERT INTO audit_entries (tenant_id, at, action, operation, actor_id, object, object_id, after, address, request_id)
     VALUES ($1, $2, 'signedIn', $3, $4, 'user', $4, $5::jsonb, $6, $7)`,
    [
      db.tenantId,
      new Date(at),
      operation ?? null,
      userId,
      by ? JSON.stringify(by) : null,
      address ?? null,
      requestId ?? null,
    ],
  );
}
