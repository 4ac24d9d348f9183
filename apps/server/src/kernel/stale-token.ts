/** Concurrency tokens: the 409 that an edit with a stale one is answered with, and the 400 of an edit without one. */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { PorticoError } from './errors.ts';
import { fullNameSql } from './full-name.ts';

/**
 * The current token of an object, with the author and time of the last change (epoch milliseconds),
 * where known.
 */
export interface LastChange {
  version: number;
  modifierId: number | null;
  modifiedAt: number | null;
}

/**
 * Returns the 409 for a stale token: it names the current token, and the author and time of the
 * last change.
 */
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
