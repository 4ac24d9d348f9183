/**
 * Protects the last holder of an administrative right among the people able to sign in, and the
 * rights of accounts that hold a right which the caller lacks (docs/security.md). Every verb that
 * can remove a right, or a way to sign in, runs its change through {@link keepingHolders}. Its
 * write raises `access`, so that such changes of one tenant run one after the other and no change
 * decides on holders whom another change has just removed.
 */
import { PorticoError } from '../errors.ts';
import type { AdministrativeRight } from '../scope.ts';
import type { WriteScope } from '../write-transaction.ts';
import { administrativeRights, heldRightsSql, holds, rightColumns } from './rights.ts';

/**
 * SQL of a condition: the user is a person able to sign in. Programs, the system account and the
 * break-glass account do not count as persons. `s` is the row of the tenant's settings as the
 * transaction sees it, including its own changes.
 */
const SIGNS_IN = `u.deleted_at IS NULL AND NOT u.blocked AND NOT u.service_account AND NOT u.system_account AND NOT u.break_glass
  AND (NOT s.require_provider AND u.custom_active AND u.password_hash IS NOT NULL
    OR cardinality(s.provider_client_ids) > 0 AND u.google_enabled AND u.google_account_id IS NOT NULL
    OR EXISTS (SELECT FROM user_identities i JOIN identity_providers p ON p.tenant_id = i.tenant_id AND p.id = i.provider_id
                WHERE i.tenant_id = $1 AND i.user_id = u.id AND p.enabled))`;

const heldSql = (column: string) => `(
  EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND u.${column} AND ${SIGNS_IN})
  OR EXISTS (SELECT FROM groups g
       JOIN group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id
       JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id
      WHERE g.tenant_id = $1 AND g.${column} AND g.deleted_at IS NULL AND ${SIGNS_IN}))`;

/** Returns the rights that at least one person able to sign in holds, directly or by a group. */
async function rightsWithHolders({ tx }: WriteScope): Promise<Set<AdministrativeRight>> {
  const columns = administrativeRights.map((right) => `${heldSql(rightColumns[right])} AS "${right}"`);
  const [row] = await tx.query<Record<AdministrativeRight, boolean>>(
    `SELECT ${columns.join(', ')} FROM tenant_settings s WHERE s.tenant_id = $1`,
    [tx.tenantId],
  );
  return new Set(administrativeRights.filter((right) => row?.[right]));
}

/**
 * Returns, by account id, all rights of every account that holds a right which the actor lacks. The
 * map is empty for an actor with every right.
 */
async function rightsBeyondActor({ tx, actor }: WriteScope): Promise<Map<number, AdministrativeRight[]>> {
  const lacked = administrativeRights.filter((right) => !holds(actor, right));
  if (lacked.length === 0) return new Map();
  const held = (alias: string) => lacked.map((right) => `${alias}.${rightColumns[right]}`).join(' OR ');
  const rows = await tx.query<{ id: number; rights: AdministrativeRight[] }>(
    `SELECT u.id, ${heldRightsSql('u')} AS rights FROM users u
      WHERE u.tenant_id = $1 AND u.deleted_at IS NULL AND NOT u.system_account AND u.id IN (
        SELECT d.id FROM users d WHERE d.tenant_id = $1 AND (${held('d')})
        UNION SELECT m.user_id FROM groups g JOIN group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id
         WHERE g.tenant_id = $1 AND g.deleted_at IS NULL AND (${held('g')}))`,
    [tx.tenantId],
  );
  return new Map(rows.map(({ id, rights }) => [id, rights]));
}

/** Rejects a change that would remove the last holder of a right or a protected right. */
class KeptRightError extends PorticoError {}

/**
 * Runs a change and rejects it if a right would lose its last holder able to sign in, or if an
 * account that holds a right which the actor lacks would lose any right.
 * @param write of a transaction that raises `access`
 * @throws PorticoError FORBIDDEN (403) that names the rights; the transaction must not continue
 */
export async function keepingHolders<T>(write: WriteScope, change: () => Promise<T>): Promise<T> {
  const before = await rightsWithHolders(write);
  const beyond = await rightsBeyondActor(write);
  const result = await change();
  const after = await rightsWithHolders(write);
  const lost = [...before].filter((right) => !after.has(right));
  if (lost.length > 0)
    throw new KeptRightError('FORBIDDEN', {
      message: `Nobody who can sign in would hold ${lost.join(' and ')} any more; give it to another person first.`,
    });
  if (beyond.size > 0) mustKeepRights(write, beyond, await rightsBeyondActor(write));
  return result;
}

/** @throws PorticoError FORBIDDEN (403) where an account has lost a right */
function mustKeepRights(
  { actor }: WriteScope,
  before: ReadonlyMap<number, readonly AdministrativeRight[]>,
  after: ReadonlyMap<number, readonly AdministrativeRight[]>,
): void {
  for (const [id, held] of before) {
    const kept = after.get(id) ?? [];
    const lost = administrativeRights.filter((right) => held.includes(right) && !kept.includes(right));
    if (lost.length === 0) continue;
    const beyond = administrativeRights.filter((right) => held.includes(right) && !holds(actor, right));
    throw new KeptRightError('FORBIDDEN', {
      message: `An account that holds ${beyond.join(' and ')} would lose ${lost.join(' and ')}; only who holds the same may do this.`,
    });
  }
}

/**
 * Runs a change as {@link keepingHolders} does, and undoes it where it is refused; the transaction goes on.
 * @returns the reason of the refusal; undefined where the change stays
 */
export async function tryKeepingHolders(
  write: WriteScope,
  change: () => Promise<unknown>,
): Promise<string | undefined> {
  await write.tx.query('SAVEPOINT holders');
  try {
    await keepingHolders(write, change);
    await write.tx.query('RELEASE SAVEPOINT holders');
    return undefined;
  } catch (error) {
    if (!(error instanceof KeptRightError)) throw error;
    await write.tx.query('ROLLBACK TO SAVEPOINT holders');
    await write.tx.query('RELEASE SAVEPOINT holders');
    return error.message;
  }
}
