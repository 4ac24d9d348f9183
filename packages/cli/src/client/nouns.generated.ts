// Generated from the parts of the contract by `npm run generate`. Do not edit.
import type { Domain } from '@portico/contract';

/** One line for the noun of each part of the product. */
export const nounDescriptions: Readonly<Record<Domain, string>> = {
  auth: "Who the caller is; the exchanges that give out access tokens",
  users: "People: list, create, edit, delete, block, sign out, ways of signing in",
  groups: "Groups of people and their members",
  areas: "Areas of the organisation: list, create, edit, delete",
  businessUnits: "Business units of the organisation: list, create, edit, delete",
  serviceAccounts: "Accounts of programs: list, create, edit; make and revoke their keys",
  identityProviders: "Identity providers (OpenID Connect) that people sign in by",
  mails: "Outgoing mail: list, send again, discard",
  settings: "Settings of the tenant: read, edit",
  roles: "Roles and permissions: list, create, edit, delete",
  workspaces: "Workspaces: their forms",
  catalogs: "Catalogs of values and their entries",
  hashtags: "Hashtags of a community",
  communities: "Communities and their post definitions",
  posts: "Posts and events: list, read, write, history",
  views: "Saved views: list, read, create, edit, delete, run; favourites",
  imports: "Imports of files into communities: start, watch, cancel, what was not taken",
  comments: "Comments of a post: list, write, edit, delete, like",
  workflow: "Workflow screens and transitions",
  tasks: "Tasks: list, read, create, edit, change their state",
  notifications: "Notifications: list, count, mark as read or done; preferences",
  calendars: "Calendars by a secret address: list, create, revoke",
  attachments: "Files: list, upload, download, attach",
  stream: "What was created, modified, touched or deleted",
  explain: "Why somebody may do something, or may not: posts, comments, tasks, communities, rights",
  audit: "The audit log: who changed what, who signed in",
};
