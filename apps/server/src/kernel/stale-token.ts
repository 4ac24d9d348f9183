/** Concurrency tokens: the 409 that an edit with a stale one is answered with, and the 400 of an edit without one. */
import type { TenantExecutor } from '../platform/db/tenant-db.ts';
import { type FieldError, PorticoError } from './errors.ts';
import { fullNameSql } from './full-name.ts';

/** The present token of an object, and who made the last change and when (epoch milliseconds), where it is known. */
export interface LastChange {
  version: number;
  modifierId: number | null;
  modifiedAt: number | null;
}

/** The 409 of a stale token: it gives the present one, and who made the last change and when. */
export async function staleToken(
  db: TenantExecutor,
  { version, modifierId, modifiedAt }: LastChange,
): Promise<PorticoError> {
  const [changedBy] = await db.query<{ id: number; name: string }>(
    `SELECT id, ${fullNameSql('users')} AS name FROM users WHERE tenant_id = $1 AND id = $2`,
    [db.tenantId, modifierId],
  );
  return new PorticoError('CONFLICT_STALE_TOKEN', {
    details: { currentOccToken: version, changedBy, changedAt: modifiedAt ?? undefined },
  });
}

/** An edit says what it was made from. */
export function requireToken(occToken: number | undefined, errors: FieldError[]): void {
  const defaultMessage = 'Send the occToken that the form gave.';
  if (occToken === undefined) errors.push({ field: 'occToken', code: 'REQUIRED_FIELD', defaultMessage });
}
