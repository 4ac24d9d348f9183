/** Who acts, what they may see, and the transaction that every write runs in. */

export type { ActorState } from './actor.ts';
export { ActorCache, effectiveRolesSql, loadActor, readActorState } from './actor.ts';
export type { PostVisibilityFacts } from './visibility.ts';
export { communitiesWithRole, ownDraftSql, Parameters, seesComments, seesPost, visiblePostSql } from './visibility.ts';
export type { Raises, WriteScope } from './write.ts';
export { write } from './write.ts';
