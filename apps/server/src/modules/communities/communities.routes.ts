/** Operations on communities, their definitions, hashtags, and catalogs as communities use them. */
import type { Handlers } from '../../kernel/operations.ts';
import { archiveCommunity, moveCommunity } from './archive-community.ts';
import { editCommunityMembers, listCommunityMembers } from './community-members.ts';
import { createCommunityWorkflow } from './create-community-workflow.ts';
import { createManagedCommunity, deleteCommunity, editCommunity } from './edit-community.ts';
import { getCommunityWorkflowForEdit } from './edit-community-workflow.ts';
import { createField, getFieldForEdit } from './edit-field.ts';
import { listPostingCommunities, listReadableCommunities, readCommunities, readCommunity } from './list-communities.ts';
import { getCommunityForEdit, listManagedCommunities } from './read-community-form.ts';
import { readPostDefinition, readPostDefinitions, readPostSchemas } from './read-post-definition.ts';

export const communityHandlers = {
  getCanCreatePostCommunities: async ({ scope }) => ({ communities: await listPostingCommunities(scope) }),

  getCommunitiesByViewPostCapabilityLevel: async ({ scope, query }) => ({
    communities: await listReadableCommunities(scope, query.viewPostCapabilityLevel ?? 'ALL'),
  }),

  getCommunityDetails: async ({ scope, params }) => ({
    community: await readCommunity(scope, params.communityId),
  }),

  listCommunities: async ({ scope, body }) => ({
    communities: await readCommunities(scope, body.communityIds ?? []),
  }),

  listManagedCommunities: async ({ scope, body }) => listManagedCommunities(scope, body),

  getCommunityForEdit: async ({ scope, params }) => getCommunityForEdit(scope, params.communityId),

  createCommunity: async ({ scope, body }) => createManagedCommunity(scope, body),

  editCommunity: async ({ scope, params, body }) => editCommunity(scope, params.communityId, body),

  deleteCommunity: async ({ scope, params }) => {
    await deleteCommunity(scope, params.communityId);
    return undefined;
  },

  archiveCommunity: async ({ scope, params, body }) => archiveCommunity(scope, params.communityId, body),

  moveCommunity: async ({ scope, params, body }) => moveCommunity(scope, params.communityId, body),

  listCommunityMembers: async ({ scope, params, body }) => listCommunityMembers(scope, params.communityId, body),

  editCommunityMembers: async ({ scope, params, body }) => editCommunityMembers(scope, params.communityId, body),

  createPostField: async ({ scope, params, body }) => createField(scope, 'post', params.communityId, body),

  getPostFieldForEdit: async ({ scope, params }) => getFieldForEdit(scope, 'post', params.communityId, params.fieldId),

  createScreenField: async ({ scope, params, body }) => createField(scope, 'screen', params.communityId, body),

  getScreenFieldForEdit: async ({ scope, params }) =>
    getFieldForEdit(scope, 'screen', params.communityId, params.screenFieldId),

  createCommunityWorkflow: async ({ scope, params, body }) => createCommunityWorkflow(scope, params.communityId, body),

  getCommunityWorkflowForEdit: async ({ scope, params }) => getCommunityWorkflowForEdit(scope, params.communityId),

  getPostDefinition: async ({ scope, params }) => readPostDefinition(scope, params.communityId),

  getPostSchemas: async ({ scope, params: { communityId } }) => ({
    communityId,
    schemas: await readPostSchemas(scope, communityId),
  }),

  listPostDefinitions: async ({ scope, body }) => ({
    communityPostDefinitionMap: Object.fromEntries(await readPostDefinitions(scope, body.communityIds ?? [])),
  }),
} satisfies Handlers;
