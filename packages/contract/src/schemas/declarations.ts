/** All declared types, by domain; the domains are also the files of the generated interfaces. */

import { unitTypes } from './areas/units.ts';
import { attachmentTypes } from './attachments/attachments.ts';
import { auditTypes } from './audit/audit.ts';
import { deviceSignInTypes } from './auth/device-sign-ins.ts';
import { personalTokenTypes } from './auth/personal-tokens.ts';
import { calendarTypes } from './calendars/calendars.ts';
import { catalogEntryTypes, catalogTypes } from './catalogs/catalogs.ts';
import { commentTypes } from './comments/comments.ts';
import { commonExtensionTypes, commonTypes } from './common.ts';
import { communityTypes, fieldAdditions } from './communities/communities.ts';
import { communityFileTypes } from './communities/community-files.ts';
import { communityFormTypes } from './communities/community-forms.ts';
import { communityMemberTypes } from './communities/community-members.ts';
import { communityPlanTypes } from './communities/community-plans.ts';
import { definitionChangeTypes } from './communities/definition-changes.ts';
import { definitionFormTypes } from './communities/definition-forms.ts';
import { explanationTypes } from './explain/explanations.ts';
import type { Declaration } from './fields.ts';
import { groupMembersTypes, groupTypes } from './groups/groups.ts';
import { identityProviderTypes } from './identity-providers/identity-providers.ts';
import { communityArchiveTypes } from './imports/community-archives.ts';
import { importTypes } from './imports/imports.ts';
import { mailTypes } from './mails/mails.ts';
import { notificationTypes } from './notifications/notifications.ts';
import { acknowledgementTypes } from './posts/acknowledgements.ts';
import { ownWorkTypes } from './posts/own-work.ts';
import { postBulkTypes } from './posts/post-bulk.ts';
import { postListTypes } from './posts/post-lists.ts';
import { postMarkTypes } from './posts/post-marks.ts';
import { postSummaryTypes } from './posts/post-summaries.ts';
import { postTemplateTypes } from './posts/post-templates.ts';
import { postVersionTypes } from './posts/post-versions.ts';
import { commentWorkflowTypes, eventTypes, postPatchTypes, postWriteTypes } from './posts/post-writes.ts';
import { postFormTypes, postTypes } from './posts/posts.ts';
import { roleTypes } from './roles/roles.ts';
import { searchTypes } from './search/search.ts';
import { serviceAccountTypes } from './service-accounts/service-accounts.ts';
import { tenantSettingsTypes } from './settings/tenant-settings.ts';
import { commentTaskTypes } from './tasks/comments-tasks.ts';
import { taskListTypes } from './tasks/task-lists.ts';
import { leavingTypes } from './users/leaving.ts';
import { peopleTypes } from './users/people.ts';
import {
  accountTypes,
  listedAccess,
  ownProfileTypes,
  profileExtension,
  userFormTypes,
  userTypes,
} from './users/users.ts';
import { viewTypes } from './views/views.ts';
import { webhookTypes } from './webhooks/webhooks.ts';
import { workflowFormTypes } from './workflow/workflow-forms.ts';
import { workspaceTypes } from './workspaces/workspaces.ts';

/** Types that Portico adds to the interface. */
const extensionTypes = {
  ...catalogEntryTypes,
  ...peopleTypes,
  ...deviceSignInTypes,
  ...personalTokenTypes,
  ...ownProfileTypes,
  ...roleTypes,
  ...serviceAccountTypes,
  ...groupMembersTypes,
  ...identityProviderTypes,
  ...mailTypes,
  ...unitTypes,
  ...tenantSettingsTypes,
  ...communityFormTypes,
  ...communityFileTypes,
  ...communityPlanTypes,
  ...communityMemberTypes,
  ...commentTypes,
  ...definitionChangeTypes,
  ...definitionFormTypes,
  ...workflowFormTypes,
  ...taskListTypes,
  ...postPatchTypes,
  ...postBulkTypes,
  ...notificationTypes,
  ...ownWorkTypes,
  ...explanationTypes,
  ...viewTypes,
  ...importTypes,
  ...communityArchiveTypes,
  ...postTemplateTypes,
  ...postSummaryTypes,
  ...postVersionTypes,
  ...calendarTypes,
  ...postMarkTypes,
  ...acknowledgementTypes,
  ...commonExtensionTypes,
  ...auditTypes,
  ...leavingTypes,
  ...webhookTypes,
  ...searchTypes,
};

/** All types by subject. */
export const typesByDomain = {
  common: commonTypes,
  accounts: accountTypes,
  users: userTypes,
  'user-forms': userFormTypes,
  groups: groupTypes,
  workspaces: workspaceTypes,
  catalogs: catalogTypes,
  communities: communityTypes,
  posts: postTypes,
  'post-forms': postFormTypes,
  'post-lists': postListTypes,
  'post-writes': postWriteTypes,
  events: eventTypes,
  'comment-workflow': commentWorkflowTypes,
  attachments: attachmentTypes,
  'comments-tasks': commentTaskTypes,
  extensions: extensionTypes,
} as const;

/** Every declared type: the types of `interface.json` and the types added by Portico. */
export const declarations = {
  ...commonTypes,
  ...accountTypes,
  ...userTypes,
  ...userFormTypes,
  ...groupTypes,
  ...workspaceTypes,
  ...catalogTypes,
  ...communityTypes,
  ...postTypes,
  ...postFormTypes,
  ...postListTypes,
  ...postWriteTypes,
  ...eventTypes,
  ...commentWorkflowTypes,
  ...attachmentTypes,
  ...commentTaskTypes,
  ...extensionTypes,
} satisfies Readonly<Record<string, Declaration>>;

/** Name of a declared type. */
export type DeclaredName = keyof typeof declarations;

/** Names of the types that Portico adds to the interface. */
export const extensionTypeNames: readonly string[] = Object.keys(extensionTypes);

/** Fields that Portico adds to types of the interface, by the name of the type. */
export const extensionFields: Readonly<Record<string, readonly string[]>> = {
  ListCommunityPostsFilteredRequest: Object.keys(postListTypes.CommunityPostFilters.fields),
  CommunityPostFilters: ['postIds'],
  EditPostAttachmentsRequest: ['restoreAttachmentIds'],
  EditCatalogEntryDeletedResponse: ['catalogId'],
  EditMultipleGroupsMembersResponse: ['refusedGroups'],
  UserInfo: Object.keys(profileExtension),
  Community: ['archivedTimestamp', 'postsCount', 'lastActivityTimestamp'],
  GetWorkspaceForEditResponse: ['archivedTimestamp'],
  PostFieldConfigEnumValue: ['translations'],
  PostWorkflowDefinitionScreenFielEnumValue: ['translations'],
  PostFieldDefinition: ['conditions', ...fieldAdditions],
  PostWorkflowDefinitionScreenField: fieldAdditions,
  PostWorkflowDefinitionScreenFieldAssociation: ['conditions', ...fieldAdditions],
  CreateCustomPostRequest: ['applyDefaults'],
  ExecutePostWorkflowOperationRequest: ['applyDefaults'],
  BaseListPostsElement: ['type', 'event'],
  BasePostsStreamChunkElement: ['type', 'event'],
  GetPostDetailResponse: ['type', 'event', 'myState', 'importTimestamp'],
  GetPostCapabilitiesResponse: ['canPin', 'canAnnounce', 'canRequestAcknowledgements', 'canAcknowledge'],
  PostDetail: ['type', 'event', 'importTimestamp'],
  PostComment: ['imported'],
  PostActivityHistoryEvent: ['imported'],
  User: ['imported'],
  InvitationUser: ['imported'],
  CurrentUserData: ['imported'],
  ListSystemUsersElement: ['imported', 'looksLikeUsername', ...Object.keys(listedAccess)],
  ListSystemGroupsRequest: ['roleIds'],
  ListSystemUsersRequest: ['groupIds', 'roleIds', 'includeAccess'],
  UserProfileInfo: ['digestHour'],
  CreateUserRequest: ['adminCapabilities'],
  EditUserRequest: ['adminCapabilities'],
  GetUserForEditResponse: ['adminCapabilities'],
  CreateGroupRequest: ['adminCapabilities'],
  EditGroupRequest: ['adminCapabilities'],
  GetGroupForEditResponse: ['adminCapabilities'],
};
