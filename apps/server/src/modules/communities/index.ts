/** Communities and their definitions. */

export { type AccountRoles, readAccountRoles, replaceAccountRoles } from './account-roles.ts';
export {
  type ChangeFinish,
  carryOut,
  type DueChange,
  endChange,
  holdChange,
  holdDueChange,
  holdNextPosts,
  isBeingFilled,
  type ListedChange,
  listChanges,
  notePass,
  noteProgress,
  type PostWork,
  presentMark,
  refuseWhileChanging,
  type StateMove,
  startChanges,
  voidMarksSql,
  writtenSince,
} from './background-changes.ts';
export {
  communityCapabilities,
  communityEditorRule,
  communityRules,
  isInUse,
  mayEditCommunity,
  refuseArchived,
  requireCommunityEditor,
  requireDefinitionRight,
  seesCommunity,
  workflowInUse,
  writesComments,
  writesPosts,
  writesTasks,
} from './communities.policy.ts';
export { communityHandlers } from './communities.routes.ts';
export { readCommunityHead, refuseStaleCommunity } from './community-rows.ts';
export { createCommunity, ensureCommunity } from './create-community.ts';
export { createCommunityWorkflow } from './create-community-workflow.ts';
export { type UsableDefault, usableDefaults } from './default-values.ts';
export { addEnumValues, ensureField } from './define-fields.ts';
export { deleteCommunityRelations, deletePostViews, putCommunityRelation, putPostView } from './define-views.ts';
export {
  attachWorkflow,
  createWorkflow,
  ensureState,
  ensureTransition,
} from './define-workflow.ts';
export { descriptionDelta, type NewEnumValue, type NewField } from './definition-input.ts';
export type * from './definition-types.ts';
export {
  listVersions,
  putBack,
  type Row,
  readVersion,
  rehearse,
  type StoredDefinition,
  willChange,
} from './definition-versions.ts';
export { loadDefinition, loadFieldsById } from './definitions.repository.ts';
export { getDefinition, getDefinitions, getWholeDefinition } from './definitions.ts';
export { createManagedCommunity, editCommunity } from './edit-community.ts';
export { editCommunityWorkflow } from './edit-community-workflow.ts';
export { checkFieldsAgree, createField, editField, type FieldPlace } from './edit-field.ts';
export { ensureHashtags, hashtagKey, restoreHashtags, setHashtagExternalIds } from './ensure-hashtags.ts';
export { putInPlace, readSuccessions, retireField, setDefault } from './field-changes.ts';
export { isDemanded, isDemandedOnScreen, isRequired, isRequiredOnScreen, isUnknownCondition } from './field-facts.ts';
export type { FieldOwner } from './field-owner.ts';
export { communitiesOf, insertField, touchCommunities } from './field-rows.ts';
export { loadCommunityViews } from './list-communities.ts';
export { type Held, mappingRequired } from './mapping-required.ts';
export {
  type Presentation,
  presentHashtag,
  presentScreen,
  presentState,
  presentTransition,
} from './post-definition.presenter.ts';
export { readConditions } from './read-conditions.ts';
export { readValues } from './read-field-form.ts';
export { loadPresentation, readPostDefinition } from './read-post-definition.ts';
export { retireParts } from './retire-made.ts';
export { screenAccess } from './screen-access.ts';
export { isRestricted, seesField } from './seen-by.ts';
export { type PrincipalRole, setCommunityRole, setCommunityRoles, writeRoles } from './set-community-roles.ts';
export { setStandingRole, writeStandingRoles } from './set-standing-role.ts';
export { countValues, refuseTooManyValues } from './value-limit.ts';
export { heldInStates } from './workflow-rows.ts';
