/** Communities and their definitions, workspaces, roles, catalogs, service accounts. */
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
export { textIn } from './catalogs/catalog-types.ts';
export { presentCatalogEntry } from './catalogs/catalogs.presenter.ts';
export { findEntriesByLabel, loadCatalogEntries, readCatalog } from './catalogs/catalogs.repository.ts';
export { catalogHandlers } from './catalogs/catalogs.routes.ts';
export { createCatalogEntries, type EnsuredCatalog, ensureCatalog } from './catalogs/ensure-catalog.ts';
export { orderCatalogEntries } from './catalogs/order-catalog-entries.ts';
export { editCatalog } from './catalogs/write-catalog.ts';
export { editCatalogEntry } from './catalogs/write-catalog-entry.ts';
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
export { attachWorkflow, createWorkflow, ensureState, ensureTransition } from './define-workflow.ts';
export { descriptionDelta, type NewEnumValue, type NewField } from './definition-input.ts';
export type {
  CommunityDefinition,
  CommunityHead,
  CommunityRelationDefinition,
  FieldDefinition,
  FieldValidation,
  PostViewDefinition,
  TransitionValue,
  WorkflowAccess,
  WorkflowDefinition,
  WorkflowScreen,
  WorkflowState,
  WorkflowTransition,
} from './definition-types.ts';
export {
  changeDefinitions,
  keepDefinitions,
  listVersions,
  putBack,
  type Row,
  readVersion,
  rehearse,
  type StoredDefinition,
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
export { communitiesOf, insertField } from './field-rows.ts';
export { hashtagHandlers } from './hashtags/hashtags.routes.ts';
export { loadCommunityViews } from './list-communities.ts';
export {
  type Choice,
  type CollectedLoss,
  collectLosses,
  collectsLosses,
  type Held,
  type Loss,
  lossError,
  noteLoss,
} from './losses.ts';
export {
  type Presentation,
  presentHashtag,
  presentScreen,
  presentState,
  presentTransition,
} from './post-definition.presenter.ts';
export { holdsPeople, readConditions } from './read-conditions.ts';
export { readValues } from './read-field-form.ts';
export { loadPresentation, readPostDefinition } from './read-post-definition.ts';
export { retireParts } from './retire-made.ts';
export { rolesById } from './roles/list-roles.ts';
export { loadOwnRoles, type OwnRole } from './roles/roles.repository.ts';
export { roleHandlers } from './roles/roles.routes.ts';
export { createRole, editRole, withImplied } from './roles/write-roles.ts';
export { screenAccess } from './screen-access.ts';
export { isRestricted, seesField } from './seen-by.ts';
export { serviceAccountHandlers } from './service-accounts/service-accounts.routes.ts';
export { type PrincipalRole, setCommunityRole, setCommunityRoles, writeRoles } from './set-community-roles.ts';
export { setStandingRole, writeStandingRoles } from './set-standing-role.ts';
export { countValues, refuseTooManyValues } from './value-limit.ts';
export { heldInStates } from './workflow-rows.ts';
export { createWorkspace, ensureWorkspace, setWorkspaceMembers } from './workspaces/create-workspace.ts';
export { handOverMembership } from './workspaces/hand-over-membership.ts';
export { loadWorkspaceViews } from './workspaces/read-workspace.ts';
export { workspaceHandlers } from './workspaces/workspaces.routes.ts';
