/**
 * Actors, their rights, and the transaction that every write runs in. In SQL that this folder
 * returns, `$1` is the tenant.
 */

export type { WriteScope } from '../write-transaction.ts';
export { joining, readAtOnce, rehearseWrites, writeTransaction } from '../write-transaction.ts';
export {
  ActorCache,
  type ActorState,
  actorStateColumns,
  limitActor,
  loadActor,
  nobody,
  readActorState,
  reloadActor,
} from './actor.ts';
export { GrantSource, grantedPrincipalsSql, postsNamingSql } from './grants.ts';
export { GIVES_ROLES, knownGroupSql, knownGroupsSql } from './known-groups.ts';
export { keepingHolders, tryKeepingHolders } from './last-holder.ts';
export {
  bitsOf,
  communitiesWith,
  countsAs,
  hasPermission,
  hasPermissionSql,
  heldRoles,
  isOpenTo,
  permissionsIn,
  permissionsOf,
  roleBitsSql,
  weakestOf,
} from './permissions.ts';
export { readersSql } from './readers.ts';
export {
  administrativeRights,
  GAINS_ROLE,
  groupsBeyondRights,
  groupsGivingRoles,
  heldRightsSql,
  holds,
  mustHoldRights,
  mustHoldRightsOfGroup,
  mustHoldRightsOfUser,
  mustHoldRightsThatChange,
  mustNotGainRoles,
  ownRightsSql,
  requireRight,
  rightColumns,
  rightsOfUsers,
  THIS_ACCOUNT,
} from './rights.ts';
export {
  atLeast,
  hasRight,
  hasRole,
  holdsOwnRole,
  managesCommunity,
  mayAnnouncePosts,
  mayComment,
  mayCreatePosts,
  mayCreateTasks,
  mayEditPosts,
  mayManageTasks,
  mayModerateComments,
  mayPinPosts,
  mayShareViews,
  roleName,
} from './role-facts.ts';
export { givenRolesSql, STANDING_ROLES } from './roles.ts';
export {
  all,
  any,
  anyItem,
  type CombinedReason,
  choose,
  type FactReason,
  fact,
  never,
  on,
  type Reason,
  type Rule,
  refusalOf,
  type Speaker,
} from './rules.ts';
export {
  commentSightRule,
  hiddenFromRoleSql,
  openToRoleSql,
  ownDraftSql,
  Parameters,
  type PostReaders,
  type PostSightCase,
  postSightRule,
  seenPostSql,
  seesComments,
  seesCommentsSql,
  seesLivePost,
  seesPost,
  visiblePostSql,
} from './visibility.ts';
