/** Finds the account that an operator names. */
import type { Scope } from '../kernel/scope.ts';
import { OperatorError } from './operator-error.ts';

/**
 * The account that an operator names.
 * @param who its id, or the contact address in any case
 * @throws OperatorError when there is none that is not deleted
 */
export async function findUser(scope: Scope, who: string): Promise<number> {
  const id = /^\d{1,15}$/.test(who) ? Number(who) : null;
  const [user] = await scope.db.query<{ id: number }>(
    `SELECT id FROM users WHERE tenant_id = $1 AND deleted_at IS NULL AND (id = $2 OR contact_email_folded = lower($3))`,
    [scope.tenant.id, id, who],
  );
  if (!user) throw new OperatorError(`The tenant ${scope.tenant.name} has no account "${who}".`);
  return user.id;
}
