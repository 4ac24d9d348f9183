/** The successor of a person takes over roles. */
import { firstOwnRole, RoleId } from '@portico/contract';
import { holds, type WriteScope } from '../../../kernel/access/index.ts';
import { FieldErrors, forbidden } from '../../../kernel/errors.ts';
import {
  handOverMembership,
  mayEditCommunity,
  type PrincipalRole,
  writeRoles,
  writeStandingRoles,
} from '../../communities/index.ts';
import { type ChosenRoles, type HeldRole, listHeldRoles } from './leaving.repository.ts';

/** The leaver and the successor. */
interface People {
  readonly from: number;
  readonly to: number;
}

/**
 * Assigns the chosen roles of a person to the successor and removes them from the person, inside a
 * write that raises access. The successor keeps a stronger role. Writes nothing where the person
 * has no role, so that the write may be repeated.
 * @returns the number of roles and memberships
 * @throws PorticoError FORBIDDEN for a role that the caller may not give, WORKSPACE_ARCHIVED;
 * ValidationError if the successor has a role that is neither stronger nor weaker
 */
export async function handOverRoles(write: WriteScope, chosen: ChosenRoles, people: People): Promise<number> {
  requireGiver(write, chosen);
  const held = await listHeldRoles(write.tx, [people.from, people.to], chosen);
  const errors = new FieldErrors();
  let count = 0;
  for (const [index, communityId] of chosen.communityIds.entries()) {
    const roles = rolesAfter(held, communityId, people, `communityIds[${index}]`, errors);
    if (errors.length > 0 || roles.length === 0) continue;
    await writeRoles(write, communityId, roles);
    count += 1;
  }
  const standing = chosen.everywhere ? rolesAfter(held, null, people, 'everywhere', errors) : [];
  // Thrown after rows may have been written: the transaction is rolled back.
  errors.throwIfAny();
  if (standing.length > 0) {
    await writeStandingRoles(write, 'users', standing);
    count += 1;
  }
  for (const workspaceId of chosen.workspaceIds) count += await handOverMembership(write, workspaceId, people);
  return count;
}

/** @throws PorticoError FORBIDDEN with the roles that the caller may not give */
function requireGiver({ actor }: WriteScope, { communityIds, workspaceIds, everywhere }: ChosenRoles): void {
  const closed = communityIds.filter((id) => !mayEditCommunity(actor, id));
  if (closed.length > 0)
    throw forbidden(
      `Missing permission: manageCommunity in the communities ${closed.join(', ')}, or the administrative right manageDigitalWorplace.`,
    );
  if ((everywhere || workspaceIds.length > 0) && !holds(actor, 'manageDigitalWorplace'))
    throw forbidden('Missing administrative right: manageDigitalWorplace.');
}

/** Returns the resulting roles of both; none where the leaver has no role. */
function rolesAfter(
  held: readonly HeldRole[],
  communityId: number | null,
  { from, to }: People,
  field: string,
  errors: FieldErrors,
): PrincipalRole[] {
  const roleOf = (principal: number) =>
    held.find((one) => one.communityId === communityId && one.principal === principal)?.role;
  const [theirs, mine] = [roleOf(from), roleOf(to)];
  if (theirs === undefined) return [];
  const role = stronger(theirs, mine ?? theirs);
  if (role === undefined) {
    const defaultMessage =
      'The successor has another role there, which is neither stronger nor weaker. Change it first.';
    errors.add(field, 'INVALID_VALUE', defaultMessage);
    return [];
  }
  return [
    { principal: from, role: null },
    { principal: to, role },
  ];
}

/**
 * Returns the stronger of two roles; undefined for two different roles if one is the tenant's own
 * and neither manages.
 */
function stronger(one: number, other: number): number | undefined {
  if (one === other) return one;
  if (one === RoleId.MANAGER || other === RoleId.MANAGER) return RoleId.MANAGER;
  return one < firstOwnRole && other < firstOwnRole ? Math.min(one, other) : undefined;
}
