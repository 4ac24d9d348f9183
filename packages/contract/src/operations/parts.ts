/**
 * The parts of the product and their operations. The name of a part is the group of the methods of the client library
 * (`client.posts`), in kebab case the noun of the commands (`portico posts`), and the tag in the OpenAPI document.
 */
import { acknowledgementOperations } from './acknowledgements.ts';
import { administrationOperations } from './administration.ts';
import { auditOperations } from './audit.ts';
import { authOperations } from './auth.ts';
import { calendarOperations } from './calendars.ts';
import { commentOperations } from './comments.ts';
import { communityOperations } from './communities.ts';
import { communityFileOperations } from './community-files.ts';
import { communityFormOperations, workspaceOperations } from './community-forms.ts';
import { definitionChangeOperations } from './definition-changes.ts';
import { definitionFormOperations } from './definition-forms.ts';
import { eventOperations } from './events.ts';
import { explanationOperations } from './explanations.ts';
import { identityProviderOperations } from './identity-providers.ts';
import { importOperations } from './imports.ts';
import { leavingOperations } from './leaving.ts';
import { mailOperations } from './mails.ts';
import { notificationOperations } from './notifications.ts';
import { ownWorkOperations } from './own-work.ts';
import { peopleOperations } from './people.ts';
import { personalTokenOperations } from './personal-tokens.ts';
import { postBulkOperations } from './post-bulk.ts';
import { postChangeOperations } from './post-changes.ts';
import { postMarkOperations } from './post-marks.ts';
import { postTemplateOperations } from './post-templates.ts';
import { postVersionOperations } from './post-versions.ts';
import { postReadOperations } from './posts-read.ts';
import { postWriteOperations } from './posts-write.ts';
import { roleOperations } from './roles.ts';
import { serviceAccountOperations } from './service-accounts.ts';
import { tenantSettingsOperations } from './tenant-settings.ts';
import { areaOperations, businessUnitOperations } from './units.ts';
import { viewOperations } from './views.ts';
import { workflowTaskOperations } from './workflow-tasks.ts';

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
  stream: {
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
  ...personalTokenOperations,
  ...peopleOperations,
  ...leavingOperations,
  ...areaOperations,
  ...businessUnitOperations,
  ...roleOperations,
  ...serviceAccountOperations,
  ...identityProviderOperations,
  ...mailOperations,
  ...tenantSettingsOperations,
  ...administrationOperations,
  ...workspaceOperations,
  ...communityOperations,
  ...communityFormOperations,
  ...communityFileOperations,
  ...definitionChangeOperations,
  ...definitionFormOperations,
  ...postReadOperations,
  ...postWriteOperations,
  ...eventOperations,
  ...postChangeOperations,
  ...postVersionOperations,
  ...postBulkOperations,
  ...postMarkOperations,
  ...acknowledgementOperations,
  ...commentOperations,
  ...workflowTaskOperations,
  ...notificationOperations,
  ...ownWorkOperations,
  ...calendarOperations,
  ...explanationOperations,
  ...viewOperations,
  ...importOperations,
  ...postTemplateOperations,
  ...auditOperations,
} as const;
