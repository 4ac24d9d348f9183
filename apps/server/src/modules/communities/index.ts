/** Communities and what administrators define in them. */

export {
  communityCapabilities,
  mayEditCommunity,
  mayWritePosts,
  requireDefinitionRight,
  seesCommunity,
} from './communities.policy.ts';
export { type HashtagRow, loadHashtags } from './communities.repository.ts';
export { communityHandlers, createCommunityHandlers } from './communities.routes.ts';
export { createCommunity, ensureCommunity, type NewCommunity } from './create-community.ts';
export { addEnumValues, addField, ensureField } from './define-fields.ts';
export { addCommunityRelation, addPostView, type NewCommunityRelation, type NewPostView } from './define-views.ts';
export {
  attachWorkflow,
  createWorkflow,
  ensureState,
  ensureTransition,
  type MadeWorkflow,
  type NewScreen,
  type NewScreenField,
  type NewState,
  type NewTransition,
  type NewTransitionBetween,
  type NewWorkflow,
  type OpenTo,
} from './define-workflow.ts';
export { descriptionDelta, type NewEnumValue, type NewField, type NewValidation } from './definition-input.ts';
export type * from './definition-types.ts';
export { loadDefinitions } from './definitions.repository.ts';
export { getDefinition, getDefinitions } from './definitions.ts';
export { ensureHashtags, type NewHashtag } from './ensure-hashtags.ts';
export { isConditional, isDemanded, isDemandedOnScreen } from './field-facts.ts';
export type { AddedField, FieldOwner } from './field-rows.ts';
export { type CommunityLinks, loadCommunityViews } from './list-communities.ts';
export {
  type Presentation,
  presentEnumValues,
  presentField,
  presentHashtag,
  presentScreen,
  presentState,
  presentTransition,
} from './post-definition.presenter.ts';
export { loadPresentation } from './read-post-definition.ts';
export { type PrincipalRole, setCommunityRole, setCommunityRoles } from './set-community-roles.ts';
export { setStandingRole } from './set-standing-role.ts';
