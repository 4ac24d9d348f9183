/** The person of a preview: an account, or a holder of one role. */
import { firstOwnRole, type PreviewCommunityRequest, RoleId, rolePermissions } from '@portico/contract';
import { unknownName } from '@portico/platform/text';
import { bitsOf, heldRoles, joining, loadActor, nobody, type WriteScope } from '../../../kernel/access/index.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { loadOwnRoles, type OwnRole } from '../../communities/index.ts';
import type { RehearsedDefinition } from '../../definitions/index.ts';
import { type Person, readPerson } from '../explain/person.ts';

/** Id of a holder of one role, which no account has. */
const SOMEBODY = 0;

/**
 * Returns the person of a preview, with the rights of the transaction.
 * @throws PorticoError FORBIDDEN; ValidationError for an unknown person or role
 */
export async function previewedPerson(
  write: WriteScope,
  { definition: { id: communityId } }: RehearsedDefinition,
  { userId, role }: PreviewCommunityRequest,
): Promise<Person> {
  if (role === undefined) {
    const person = await readPerson(joining(write), userId, communityId);
    const actor = person.isCaller ? await loadActor(write.tx, person.actor.userId) : undefined;
    return actor ? { ...person, actor } : person;
  }
  if (userId !== undefined) throw invalid('role', 'INVALID_VALUE', 'Send either a person or a role.');
  const own = await loadOwnRoles(write.tx);
  const actor = holderOf(role, communityId, own);
  return { actor, blocked: false, isCaller: false, name: `somebody with the role ${role}` };
}

const builtIn = new Map<string, keyof typeof rolePermissions>([
  ['MANAGER', RoleId.MANAGER],
  ['CONTRIBUTOR', RoleId.CONTRIBUTOR],
  ['READER', RoleId.READER],
  ['GUEST', RoleId.GUEST],
]);

/** @throws ValidationError for an unknown role */
function holderOf(role: string, communityId: number, own: readonly OwnRole[]): Actor {
  const somebody = { ...nobody(SOMEBODY), principals: [SOMEBODY] };
  const id = builtIn.get(role);
  if (id !== undefined) return { ...somebody, ...heldRoles([{ communityId, bits: bitsOf(rolePermissions[id]) }]) };
  const found = own.find(({ externalId, name }) => (externalId ?? name) === role);
  if (!found) {
    const known = [...builtIn.keys(), ...own.map(({ externalId, name }) => externalId ?? name)];
    throw invalid('role', 'UNKNOWN_REFERENCE', unknownName('The tenant', 'role', role, known));
  }
  return {
    ...somebody,
    ...heldRoles([{ communityId, bits: found.permissions }]),
    ...(found.id >= firstOwnRole && { ownRoles: new Map([[communityId, [found.id]]]) }),
  };
}
