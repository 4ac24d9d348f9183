/** Texts of the frame of the administration, and words that its screens share. */
import { rightWords } from '@portico/contract/audit-words';
import { usePageTexts } from '../texts/index.ts';
import { type Count, english } from '../texts/plurals.ts';

export const en = {
  administration: 'Administration',
  find: 'Find a setting, person or group',
  nothingFound: 'Nothing in the administration has these words.',
  foundPeople: 'People found',
  foundGroups: 'Groups found',
  allFoundPeople: 'All of these people',
  allFoundGroups: 'All of these groups',
  peopleNotSearched: 'People and groups could not be searched.',
  peopleAndAccess: 'People and access',
  portal: 'Portal',
  communities: 'Communities',
  screens: {
    '/admin/people': {
      label: 'People',
      hint: 'Invite, appoint, block and hand over people.',
      words: 'users accounts administrators rights roles leave sign out csv import sessions second factor passkey',
    },
    '/admin/groups': {
      label: 'Groups',
      hint: 'Create groups and change their members and rights.',
      words: 'teams members rights',
    },
    '/admin/communities': {
      label: 'Communities',
      hint: 'Create, archive, move and delete communities, and see who is in them.',
      words: 'templates gallery workspaces members posts activity yaml import plan',
    },
    '/admin/roles': {
      label: 'Roles',
      hint: 'Compare the permissions of roles, and see who holds them.',
      words: 'permissions matrix holders manager contributor reader guest',
    },
    '/admin/accounts': {
      label: 'Service accounts',
      hint: 'Let programs sign in, and change their keys.',
      words: 'api keys programs integrations rotate secret tokens robots',
    },
    '/admin/providers': {
      label: 'Identity providers',
      hint: 'Let people sign in by OpenID Connect.',
      words: 'oidc sso single sign-on login keycloak entra okta groups claims',
    },
    '/admin/audit': {
      label: 'Audit log',
      hint: 'See who changed what, and who signed in.',
      words: 'history log changes security failed sign-ins export',
    },
    '/admin/settings': {
      label: 'Settings',
      hint: 'Name, language, signing in, sessions and retention.',
      words: 'time zone second factor password cors tokens limits quota domains hosts',
    },
    '/admin/branding': {
      label: 'Branding',
      hint: 'Name, logo, accent colour, notice at the sign-in and legal pages.',
      words: 'looks theme color imprint privacy favicon icon title',
    },
    '/admin/health': {
      label: 'Storage and health',
      hint: 'See how full the portal is, and the work that waits or failed.',
      words: 'quota disk size files use queue jobs failed imports figures status',
    },
    '/admin/mails': {
      label: 'Mails',
      hint: 'See which mails were sent or failed, and send them again.',
      words: 'e-mail smtp invitations unsent retry',
    },
    '/admin/webhooks': {
      label: 'Webhooks',
      hint: 'Send changes of posts to programs and chats, and see what arrived.',
      words: 'slack mattermost teams events endpoints deliveries secret signature integrations',
    },
  },
  rights: rightWords,
  rightHints: {
    manageUsers: 'People, groups, service accounts, identity providers and the audit log.',
    manageDigitalWorplace: 'Communities, roles, catalogs and settings of the portal.',
  },
  rightsTitle: 'Administrative rights',
  group: 'Group',
  cancel: 'Cancel',
  save: 'Save',
  edit: 'Edit',
  delete: 'Delete',
  create: 'Create',
  done: 'Done',
  saved: 'Saved.',
  name: 'Name',
  description: 'Purpose',
  email: 'E-mail',
  externalId: 'External id',
  externalIdHint: 'The identifier in another system.',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  never: 'Never',
  all: 'All',
  any: 'Any',
  state: 'State',
  required: 'This field is required.',
  refused: (reason: string) => `This was refused: ${reason}`,
  preview: 'Effect',
  previewing: 'Working out the effect …',
  noEffect: 'Nothing would change.',
  changedMeanwhile: 'Somebody changed it meanwhile. Look at it again.',
  audited: 'The audit log records it.',
  /** Effects of a dry run, by the action. */
  wouldBe: { created: 'Created', modified: 'Changed', deleted: 'Removed' },
  count: (count: string, noun: string) => `${count} ${noun}`,
  total: (shown: Count) => english(shown, { one: '1 entry', other: `${shown} entries` }),
  moreActions: 'More actions',
};

export type AdminTexts = typeof en;

/** The texts by language, for the palette, which loads them when they are needed. */
export const useAdminTexts = () => usePageTexts('admin', en);
