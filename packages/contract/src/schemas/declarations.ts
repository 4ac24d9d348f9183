/** All declared types, by domain; the domains are also the files of the generated interfaces. */
import { acknowledgementTypes } from './acknowledgements.ts';
import { attachmentTypes } from './attachments.ts';
import { auditTypes } from './audit.ts';
import { calendarTypes } from './calendars.ts';
import { catalogEntryTypes, catalogTypes } from './catalogs.ts';
import { commentTypes } from './comments.ts';
import { commentTaskTypes } from './comments-tasks.ts';
import { commonExtensionTypes, commonTypes } from './common.ts';
import { communityTypes, fieldAdditions } from './communities.ts';
import { communityFileTypes } from './community-files.ts';
import { communityFormTypes } from './community-forms.ts';
import { communityMemberTypes } from './community-members.ts';
import { definitionChangeTypes } from './definition-changes.ts';
import { definitionFormTypes } from './definition-forms.ts';
import { explanationTypes } from './explanations.ts';
import type { Declaration } from './fields.ts';
import { groupMembersTypes, groupTypes } from './groups.ts';
import { identityProviderTypes } from './identity-providers.ts';
import { importTypes } from './imports.ts';
import { leavingTypes } from './leaving.ts';
import { mailTypes } from './mails.ts';
import { notificationTypes } from './notifications.ts';
import { ownWorkTypes } from './own-work.ts';
import { peopleTypes } from './people.ts';
import { personalTokenTypes } from './personal-tokens.ts';
import { postBulkTypes } from './post-bulk.ts';
import { postListTypes } from './post-lists.ts';
import { postMarkTypes } from './post-marks.ts';
import { postTemplateTypes } from './post-templates.ts';
import { postVersionTypes } from './post-versions.ts';
import { commentWorkflowTypes, eventTypes, postPatchTypes, postWriteTypes } from './post-writes.ts';
import { postFormTypes, postTypes } from './posts.ts';
import { roleTypes } from './roles.ts';
import { serviceAccountTypes } from './service-accounts.ts';
import { taskListTypes } from './task-lists.ts';
import { tenantSettingsTypes } from './tenant-settings.ts';
import { unitTypes } from './units.ts';
import { accountTypes, ownProfileTypes, profileExtension, userFormTypes, userTypes } from './users.ts';
import { viewTypes } from './views.ts';
import { workflowFormTypes } from './workflow-forms.ts';
import { workspaceTypes } from './workspaces.ts';

/** Types that Portico adds to the interface. */
const extensionTypes = {
  ...catalogEntryTypes,
  ...peopleTypes,
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
  ...postTemplateTypes,
  ...postVersionTypes,
  ...calendarTypes,
  ...postMarkTypes,
  ...acknowledgementTypes,
  ...commonExtensionTypes,
  ...auditTypes,
  ...leavingTypes,
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
  EditCatalogEntryDeletedResponse: ['catalogId'],
  EditMultipleGroupsMembersResponse: ['refusedGroups'],
  UserInfo: Object.keys(profileExtension),
  Community: ['archivedTimestamp'],
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
  GetPostDetailResponse: ['type', 'event', 'myState'],
  GetPostCapabilitiesResponse: ['canPin', 'canAnnounce', 'canRequestAcknowledgements', 'canAcknowledge'],
  PostDetail: ['type', 'event'],
  ListSystemUsersElement: ['looksLikeUsername'],
  CreateUserRequest: ['adminCapabilities'],
  EditUserRequest: ['adminCapabilities'],
  GetUserForEditResponse: ['adminCapabilities'],
  CreateGroupRequest: ['adminCapabilities'],
  EditGroupRequest: ['adminCapabilities'],
  GetGroupForEditResponse: ['adminCapabilities'],
};
