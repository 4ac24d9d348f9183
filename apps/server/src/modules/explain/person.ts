/** The person that an explanation is about. */
import { holds, loadActor } from '../../kernel/access/index.ts';
import { forbidden, invalid } from '../../kernel/errors.ts';
import type { Actor, Scope } from '../../kernel/scope.ts';
import { mayEditCommunity } from '../communities/index.ts';
import { isBlocked } from './sources.repository.ts';

export interface Person {
  /** What they are and hold; of a blocked account nothing. */
  readonly actor: Actor;
  readonly blocked: boolean;
  /** The person who asks. */
  readonly isCaller: boolean;
  /** Where the caller may see it. */
  readonly name?: string;
}

/**
 * The person whom the caller asks about, themselves where no id is given. About others may ask who may edit the community of the
 * object, and holders of `manageUsers`.
 * @param communityId the community of the object; absent: it is about no community
 * @throws PorticoError FORBIDDEN; ValidationError for an unknown person
 */
export async function readPerson(scope: Scope, userId: number | undefined, communityId?: number): Promise<Person> {
  const { actor: caller, db } = scope;
  if (userId === undefined || userId === caller.userId)
    return { actor: caller, blocked: false, isCaller: true, name: caller.name };
  const administers = holds(caller, 'manageUsers');
  if (!administers && (communityId === undefined || !mayEditCommunity(caller, communityId)))
    throw forbidden('Only managers of the community and holders of administrative rights can ask about others.');
  const actor = await loadActor(db, userId);
  if (actor) {
    const named = administers || [...actor.roles.keys()].some((id) => caller.roles.has(id));
    return { actor, blocked: false, isCaller: false, ...(named && { name: actor.name }) };
  }
  if ((await isBlocked(db, userId)) === undefined)
    throw invalid('userId', 'UNKNOWN_REFERENCE', 'There is no such person.');
  return { actor: nobody(userId), blocked: true, isCaller: false };
}

/** An account that has nothing and is in no group. */
export const nobody = (userId: number): Actor => ({
  userId,
  name: '',
  groupIds: [],
  principals: [],
  roles: new Map(),
  rights: new Set(),
  accessVersion: 0,
  person: true,
  breakGlass: false,
  secondFactor: false,
});
