/**
 * Capabilities of a caller on a post: pure rules, no I/O. Every write verb checks them, and the
 * same result goes to clients as capabilities (operation getPostCapabilities), so that capabilities
 * and checks agree.
 *
 * Managers may do everything; contributors create, comment, change and delete their own posts and
 * create tasks on posts they see; readers read, like and follow, and see comments unless the
 * community hides them (docs/decisions/people.md). Only its creator sees a draft. The visibility of
 * a *private* post is decided before (access: visiblePostSql): these rules presuppose a post that
 * the caller sees and only repeat the effects of role, draft and deletion.
 */
export { communityCapabilities } from '../../communities/index.ts';
export { type CommentFacts, commentCapabilities, commentRules } from './comment-capabilities.ts';
export {
  askedSteps,
  dependsOnValues,
  type OpenStep,
  runnableSteps,
  statesOf,
  stepsSql,
} from './open-steps.ts';
export {
  askedSql,
  type CommunityCapabilities,
  commentScopeRules,
  eventAnswerRule,
  type PostCapabilities,
  type PostCase,
  type PostFacts,
  postCapabilities,
  postCase,
  postRules,
  presentCapabilities,
} from './post-capabilities.ts';
export { mayRestorePart, RESTORABLE_MS, restorableSql } from './restore-policy.ts';
export { requireTaskCapability, type TaskCapabilities, taskCapabilities, taskRules } from './task-capabilities.ts';
export {
  availableRule,
  editableScreenState,
  mayEditScreen,
  mayRunTransition,
  openRule,
  permittedTransitions,
  screenRule,
  transitionCase,
  transitionRule,
} from './workflow-policy.ts';
