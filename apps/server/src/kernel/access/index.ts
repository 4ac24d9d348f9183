/** Who acts, what they may see, and the transaction that every write runs in. */

export type { Invalidates, WriteScope } from '../write-transaction.ts';
export { writeTransaction } from '../write-transaction.ts';
export {
  ActorCache,
  type ActorState,
  actorStateColumns,
  limitActor,
  loadActor,
  readActorState,
  reloadActor,
} from './actor.ts';
export { GrantSource, grantedPrincipalsSql, grantedSql, postsNamingSql } from './grants.ts';
export {
  administrativeRights,
  groupsBeyondRights,
  groupsGivingRoles,
  holds,
  mustHoldRights,
  mustHoldRightsOfGroup,
  mustHoldRightsOfUser,
  mustNotGainRoles,
  rightColumns,
} from './rights.ts';
export { effectiveRolesSql, givenRolesSql } from './roles.ts';
export {
  communitiesWithRole,
  hiddenFromRoleSql,
  openToRoleSql,
  ownDraftSql,
  Parameters,
  type PostReaders,
  seesComments,
  seesCommentsSql,
  seesLivePost,
  seesPost,
  visiblePostSql,
} from './visibility.ts';
