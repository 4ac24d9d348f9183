/** The person of an explanation. */
import { holds, loadActor, nobody } from '../../../kernel/access/index.ts';
import { forbidden, invalid } from '../../../kernel/errors.ts';
import type { Actor, Scope } from '../../../kernel/scope.ts';
import { mayEditCommunity } from '../../communities/index.ts';
import { isBlocked } from './sources.repository.ts';

export interface Person {
  /** Roles, rights and groups of the person; empty for a blocked account. */
  readonly actor: Actor;
  readonly blocked: boolean;
  /** Whether the person is the caller. */
  readonly isCaller: boolean;
  /** Name, if the caller may see it. */
  readonly name?: string;
}

/**
 * Returns the person of a query; without an id, the caller. Accounts that may edit the community of
 * the object, and accounts with `manageUsers`, may ask about other people.
 * @param communityId the community of the object; absent: the query is not about a community
 * @throws PorticoError FORBIDDEN; ValidationError for an unknown person
 */
export async function readPerson(scope: Scope, userId: number | undefined, communityId?: number): Promise<Person> {
  const { actor: caller, db } = scope;
  if (userId === undefined || userId === caller.userId)
    return { actor: caller, blocked: false, isCaller: true, name: caller.name };
  const administers = holds(caller, 'manageUsers');
  if (!administers && (communityId === undefined || !mayEditCommunity(caller, communityId)))
    throw forbidden(
      'Missing permission: manageCommunity, or the administrative right manageDigitalWorplace or manageUsers.',
    );
  const actor = await loadActor(db, userId);
  if (actor) {
    const named = administers || [...actor.roles.keys()].some((id) => caller.roles.has(id));
    return { actor, blocked: false, isCaller: false, name: named ? actor.name : undefined };
  }
  if ((await isBlocked(db, userId)) === undefined)
    throw invalid('userId', 'UNKNOWN_REFERENCE', 'There is no such person.');
  return { actor: nobody(userId), blocked: true, isCaller: false };
}
