/** Changes the administrative rights of an account without its form, as operators do. */
import { keepingHolders, mustHoldRightsThatChange, writeTransaction } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { AdministrativeRight, Scope } from '../../../kernel/scope.ts';
import { mustManageUsers, mustNotBeSystem } from './people.policy.ts';
import { fieldsOfRights, rightsGiven } from './user-fields.ts';
import { readUser, updateUser } from './users.repository.ts';

/**
 * Adds and removes rights that an account holds itself. Rights that it holds by a group stay.
 * @returns the resulting rights of the account itself
 * @throws PorticoError 404 (unknown or deleted), 403 for system accounts, for rights that the actor
 * lacks, and for removing a right from its last holder
 */
export async function changeRights(
  scope: Scope,
  userId: number,
  { give = [], take = [] }: { give?: readonly AdministrativeRight[]; take?: readonly AdministrativeRight[] },
): Promise<AdministrativeRight[]> {
  mustManageUsers(scope.actor);
  return writeTransaction(scope, 'access', async (write) => {
    mustManageUsers(write.actor);
    const current = await readUser(write.tx, userId);
    if (!current || current.deleted) throw notFound();
    mustNotBeSystem(current);
    const before = rightsGiven(current);
    const after = [...before.filter((right) => !take.includes(right)), ...give];
    mustHoldRightsThatChange(write.actor, before, after);
    const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
    const fields = fieldsOfRights(after);
    await keepingHolders(write, () => updateUser(writing, current, fields, { token: 'version' }));
    return rightsGiven(fields);
  });
}
