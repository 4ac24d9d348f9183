/**
 * The parts of the product and their operations. The name of a part is the group of the methods of the client library
 * (`client.posts`), in kebab case the noun of the commands (`portico api posts`), and the tag in the OpenAPI document.
 */

import { areaOperations } from './areas/areas.ts';
import { attachmentsOperations } from './attachments/attachments.ts';
import { auditOperations } from './audit/audit.ts';
import { authOperations } from './auth/auth.ts';
import { deviceSignInOperations } from './auth/device-sign-ins.ts';
import { identitiesOperations } from './auth/identities.ts';
import { personalTokenOperations } from './auth/personal-tokens.ts';
import { businessUnitOperations } from './business-units/business-units.ts';
import { calendarOperations } from './calendars/calendars.ts';
import { catalogsOperations } from './catalogs/catalogs.ts';
import { changeOperations } from './changes/changes.ts';
import { commentsOperations } from './comments/comments.ts';
import { checkOperations } from './communities/check.ts';
import { communityOperations } from './communities/communities.ts';
import { communityFileOperations } from './communities/community-files.ts';
import { communityFormOperations } from './communities/community-forms.ts';
import { definitionChangeOperations } from './communities/definition-changes.ts';
import { definitionFormOperations } from './communities/definition-forms.ts';
import { favouritesOperations } from './communities/favourites.ts';
import { communitiesFollowingOperations } from './communities/following.ts';
import { ownCommunitiesOperations } from './communities/own-communities.ts';
import { explanationOperations } from './explain/explanations.ts';
import { groupsOperations } from './groups/groups.ts';
import { hashtagsOperations } from './hashtags/hashtags.ts';
import { identityProviderOperations } from './identity-providers/identity-providers.ts';
import { importOperations } from './imports/imports.ts';
import { inboxOperations } from './inbox/inbox.ts';
import { mailOperations } from './mails/mails.ts';
import { notificationOperations } from './notifications/notifications.ts';
import { acknowledgementOperations } from './posts/acknowledgements.ts';
import { eventOperations } from './posts/events.ts';
import { followingOperations } from './posts/following.ts';
import { guestsOperations } from './posts/guests.ts';
import { likesOperations } from './posts/likes.ts';
import { ownPostOperations } from './posts/own-posts.ts';
import { postBulkOperations } from './posts/post-bulk.ts';
import { postChangeOperations } from './posts/post-changes.ts';
import { postMarkOperations } from './posts/post-marks.ts';
import { postTemplateOperations } from './posts/post-templates.ts';
import { postVersionOperations } from './posts/post-versions.ts';
import { postReadOperations } from './posts/posts-read.ts';
import { postWriteOperations } from './posts/posts-write.ts';
import { roleOperations } from './roles/roles.ts';
import { searchOperations } from './search/search.ts';
import { serviceAccountOperations } from './service-accounts/service-accounts.ts';
import { tenantSettingsOperations } from './settings/settings.ts';
import { tasksOperations } from './tasks/tasks.ts';
import { usersIdentitiesOperations } from './users/identities.ts';
import { leavingOperations } from './users/leaving.ts';
import { usersOperations } from './users/users.ts';
import { viewOperations } from './views/views.ts';
import { webhookOperations } from './webhooks/webhooks.ts';
import { workflowOperations } from './workflow/workflow.ts';
import { workspacesOperations } from './workspaces/workspaces.ts';

/** Texts about each part. */
export const parts = {
  auth: {
    description: 'Signing in, and who the caller is.',
    command: 'Identity of the caller; the exchanges that return access tokens',
  },
  users: {
    description: 'Users and their credentials, for administrators.',
    command: 'People: list, create, edit, delete, block, sign out, ways of signing in',
  },
  groups: {
    description: 'Groups and their members, for administrators.',
    command: 'Groups of people and their members',
  },
  areas: {
    description: 'Areas of the organisation that people are in, for administrators.',
    command: 'Areas of the organisation: list, create, edit, delete',
  },
  businessUnits: {
    description: 'Business units of the organisation that people are in, for administrators.',
    command: 'Business units of the organisation: list, create, edit, delete',
  },
  serviceAccounts: {
    description: 'Accounts of programs and their keys, for administrators.',
    command: 'Accounts of programs: list, create, edit; make and revoke their keys',
  },
  identityProviders: {
    description: 'Identity providers (OpenID Connect), for administrators.',
    command: 'Identity providers (OpenID Connect) that people sign in by',
  },
  mails: {
    description: 'Outgoing mail, for administrators.',
    command: 'Outgoing mail: list, send again, discard',
  },
  webhooks: {
    description: 'Webhooks, which send changes to programs, for administrators.',
    command: 'Webhooks: list, create, edit, delete, test, replay; their messages',
  },
  settings: {
    description: 'Settings of the tenant, for administrators.',
    command: 'Settings of the tenant: read, edit',
  },
  roles: {
    description: 'Roles in communities, and their permissions.',
    command: 'Roles and permissions: list, create, edit, delete',
  },
  workspaces: {
    description: 'Workspaces, for administrators.',
    command: 'Workspaces: their forms',
  },
  catalogs: {
    description: 'Lists of values that fields of many communities share.',
    command: 'Catalogs of values and their entries',
  },
  hashtags: {
    description: 'Hashtags of communities.',
    command: 'Hashtags of a community',
  },
  communities: {
    description: 'Communities and the structure of their posts.',
    command: 'Communities and their post definitions',
  },
  posts: {
    description: 'Posts: lists, details, forms and writes.',
    command: 'Posts and events: list, read, write, history',
  },
  inbox: {
    description: 'Work that waits for the caller, across communities.',
    command: 'Work that waits for you: list, count, mark as done',
  },
  views: {
    description: 'Saved views of the posts of a community, and favourites.',
    command: 'Saved views: list, read, create, edit, delete, run; favourites',
  },
  imports: {
    description: 'Imports of files of rows into communities, for their managers.',
    command: 'Imports of files into communities: start, watch, cancel, list rejected rows and values',
  },
  comments: {
    description: 'Comments on posts.',
    command: 'Comments of a post: list, write, edit, delete, like',
  },
  workflow: {
    description: 'Workflow screens and transitions.',
    command: 'Workflow screens and transitions',
  },
  tasks: {
    description: 'Tasks on posts.',
    command: 'Tasks: list, read, create, edit, change their state',
  },
  notifications: {
    description: 'Notifications of the caller, and their settings.',
    command: 'Notifications: list, count, mark as read or done; preferences',
  },
  calendars: {
    description: 'Calendars of the caller that programs read by a secret address.',
    command: 'Calendars by a secret address: list, create, revoke',
  },
  attachments: {
    description: 'Files: upload, lists and details.',
    command: 'Files: list, upload, download, attach',
  },
  search: {
    description: 'The search over everything that the caller sees.',
    command: 'Search posts, comments, tasks, files, people and communities',
  },
  changes: {
    description: 'Following all changes.',
    command: 'Created, modified, touched and deleted posts',
  },
  explain: {
    description: 'Explanations of the capabilities of people.',
    command: 'Explanations of the capabilities of people: posts, comments, tasks, communities, rights',
  },
  audit: {
    description: 'The audit log, for administrators.',
    command: 'The audit log: who changed what, who signed in',
  },
} as const satisfies Readonly<Record<string, PartTexts>>;

interface PartTexts {
  /** Description in the OpenAPI document. */
  readonly description: string;
  /** Description in the help of the command line. */
  readonly command: string;
}

/** Name of a part of the product. */
export type Domain = keyof typeof parts;

/**
 * Every operation by its id, with literal types, from which servers and clients derive their types.
 */
export const operations = {
  ...authOperations,
  ...attachmentsOperations,
  ...deviceSignInOperations,
  ...personalTokenOperations,
  ...usersOperations,
  ...groupsOperations,
  ...leavingOperations,
  ...areaOperations,
  ...businessUnitOperations,
  ...roleOperations,
  ...serviceAccountOperations,
  ...identityProviderOperations,
  ...identitiesOperations,
  ...usersIdentitiesOperations,
  ...mailOperations,
  ...webhookOperations,
  ...tenantSettingsOperations,
  ...workspacesOperations,
  ...catalogsOperations,
  ...hashtagsOperations,
  ...communityOperations,
  ...communityFormOperations,
  ...communityFileOperations,
  ...definitionChangeOperations,
  ...definitionFormOperations,
  ...postReadOperations,
  ...commentsOperations,
  ...changeOperations,
  ...postWriteOperations,
  ...eventOperations,
  ...postChangeOperations,
  ...postVersionOperations,
  ...postBulkOperations,
  ...postMarkOperations,
  ...acknowledgementOperations,
  ...likesOperations,
  ...workflowOperations,
  ...tasksOperations,
  ...notificationOperations,
  ...followingOperations,
  ...communitiesFollowingOperations,
  ...ownPostOperations,
  ...inboxOperations,
  ...ownCommunitiesOperations,
  ...guestsOperations,
  ...calendarOperations,
  ...checkOperations,
  ...explanationOperations,
  ...viewOperations,
  ...favouritesOperations,
  ...importOperations,
  ...postTemplateOperations,
  ...auditOperations,
  ...searchOperations,
} as const;
