import type pg from 'pg';
import { insertEntries } from '../kernel/audit/index.ts';
import type { Scope } from '../kernel/scope.ts';
import { pruneEntries, readTenantSettings, verifyChain } from '../modules/tenants/index.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Deletes entries of the audit log older than an age. The remaining entries are verified from the
 * new checkpoint.
 * @param scope of the tenant's system account
 * @param olderThanDays default: the age in the settings of the tenant
 * @returns number of deleted entries
 * @throws OperatorError when the log is not whole, or no age is given: nothing is deleted then
 */
export async function pruneAuditLog(
  owner: pg.ClientBase,
  { db, clock }: Pick<Scope, 'db' | 'clock'>,
  olderThanDays: number | undefined,
): Promise<number> {
  const days = olderThanDays ?? (await readTenantSettings(db)).auditRetentionDays;
  if (days === null)
    throw new OperatorError(
      'The settings of the tenant do not say how long entries are kept: name an age with --older-than.',
    );
  const { fault } = await verifyChain(db);
  if (fault) throw new OperatorError(`${fault.problem} Nothing was removed.`);
  const pruned = await pruneEntries(owner, db.tenantId, new Date(clock.now() - days * 86_400_000));
  if (!pruned) return 0;
  const { removed, checkpoint } = pruned;
  await db.transaction((tx) =>
    insertEntries(tx, db.caller, [
      {
        action: 'deleted',
        object: 'auditLog',
        objectId: null,
        before: { entries: removed, upToPosition: checkpoint.position, olderThanDays: days },
      },
    ]),
  );
  return removed;
}
