/** Rights and roles of a person with their sources (operation getUserAccess). */
import type { UserAccessDetailsResponse } from '@portico/contract';
import { requireRight } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { readAccountState } from '../../people/index.ts';
import { listRights } from '../leaving/leaving.repository.ts';
import { readCommunityAccess } from './ways.ts';

/**
 * Explains the access of a person everywhere.
 * @throws PorticoError FORBIDDEN without manageUsers, NOT_FOUND
 */
export async function readUserAccess(scope: Scope, userId: number): Promise<UserAccessDetailsResponse> {
  const { actor, db } = scope;
  requireRight(actor, 'manageUsers');
  const state = await readAccountState(db, userId);
  const [account, ...groups] = await listRights(db, userId);
  const names = new Map(groups.map(({ groupId, name }) => [groupId!, name]));
  const communities = await readCommunityAccess(db, [userId, ...[...names.keys()].map((id) => -id)], names);
  return {
    userId,
    state,
    adminCapabilities: account!.rights,
    groups: groups.map(({ groupId, name, rights }) => ({ groupId: groupId!, name, adminCapabilities: rights })),
    communities,
  };
}
