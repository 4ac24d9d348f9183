/** Operation getUserLeaving. */
import {
  leavingLimits,
  type UserLeavingField,
  type UserLeavingResponse,
  type UserLeavingRole,
} from '@portico/contract';
import { holds, requireRight, roleName } from '../../../kernel/access/index.ts';
import type { Actor, Scope } from '../../../kernel/scope.ts';
import { mayEditCommunity } from '../../communities/index.ts';
import { listPeopleFields, readAccountState } from '../../people/index.ts';
import {
  countFieldPosts,
  countPerson,
  countTasks,
  type GivenRole,
  listGivenRoles,
  listRights,
} from './leaving.repository.ts';

/**
 * Counts and lists the posts, tasks, fields, roles and groups of a person. Posts that the caller
 * does not see are only counted.
 * @throws PorticoError FORBIDDEN without manageUsers, NOT_FOUND
 */
export async function previewLeaving(scope: Scope, userId: number): Promise<UserLeavingResponse> {
  const { actor, db } = scope;
  requireRight(actor, 'manageUsers');
  const state = await readAccountState(db, userId);
  const { posts, drafts, acknowledgements, managed } = await countPerson(db, userId);
  const tasks = await countTasks(scope, userId);
  const roles = await listGivenRoles(db, userId, leavingLimits.listed);
  const [account, ...groups] = await listRights(db, userId);
  return {
    userId,
    state,
    postsCount: posts,
    draftsCount: drafts,
    openTasksCount: tasks.count,
    unseenOpenTasksCount: tasks.unseen,
    openAcknowledgementsCount: acknowledgements,
    fields: await fieldsNaming(scope, userId),
    roles: roles.map((role) => presentRole(actor, role)),
    groups: groups.map(({ groupId, name, rights }) => ({ groupId: groupId!, name, adminCapabilities: rights })),
    adminCapabilities: account!.rights,
    managedUsersCount: managed,
  };
}

async function fieldsNaming(scope: Scope, userId: number): Promise<UserLeavingField[]> {
  const fields = await listPeopleFields(scope.db);
  if (fields.length === 0) return [];
  const key = (at: { fieldId: number; communityId: number }) => `${at.fieldId} ${at.communityId}`;
  const counts = new Map((await countFieldPosts(scope, userId, fields)).map((counted) => [key(counted), counted]));
  return fields
    .flatMap((field): UserLeavingField[] => {
      const { fieldId, label, communityId, communityName, evidence } = field;
      const counted = counts.get(key(field));
      if (!counted) return [];
      const { count: postsCount, unseen: unseenPostsCount } = counted;
      return [{ fieldId, label, communityId, communityName, postsCount, unseenPostsCount, canHandOver: !evidence }];
    })
    .slice(0, leavingLimits.listed);
}

function presentRole(actor: Actor, role: GivenRole): UserLeavingRole {
  const { communityId, communityName, workspaceId, workspaceName, roleId, ownName } = role;
  const administers = holds(actor, 'manageDigitalWorplace');
  return {
    ...(communityId !== null && { communityId, communityName: communityName! }),
    ...(workspaceId !== null && { workspaceId, workspaceName: workspaceName! }),
    everywhere: communityId === null && workspaceId === null,
    ...(roleId !== null && { roleId, roleName: ownName ?? roleName(roleId) }),
    canHandOver: communityId === null ? administers : mayEditCommunity(actor, communityId),
  };
}
