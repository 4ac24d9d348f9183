/** All declared types, by domain; the domains are also the files of the generated interfaces. */
import { attachmentTypes } from './attachments.ts';
import { catalogTypes } from './catalogs.ts';
import { commentTaskTypes } from './comments-tasks.ts';
import { commonTypes, extensionTypes } from './common.ts';
import { communityTypes } from './communities.ts';
import type { Declaration } from './fields.ts';
import { groupTypes } from './groups.ts';
import { postListTypes } from './post-lists.ts';
import { postWriteTypes } from './post-writes.ts';
import { postTypes } from './posts.ts';
import { userTypes } from './users.ts';
import { workspaceTypes } from './workspaces.ts';

/** The types of the interface, by domain. */
export const typesByDomain = {
  common: commonTypes,
  users: userTypes,
  groups: groupTypes,
  workspaces: workspaceTypes,
  catalogs: catalogTypes,
  communities: communityTypes,
  posts: postTypes,
  'post-lists': postListTypes,
  'post-writes': postWriteTypes,
  attachments: attachmentTypes,
  'comments-tasks': commentTaskTypes,
  extensions: extensionTypes,
} as const;

/** Every declared type: the 219 of `interface.json` and those that Portico adds. */
export const declarations = {
  ...commonTypes,
  ...userTypes,
  ...groupTypes,
  ...workspaceTypes,
  ...catalogTypes,
  ...communityTypes,
  ...postTypes,
  ...postListTypes,
  ...postWriteTypes,
  ...attachmentTypes,
  ...commentTaskTypes,
  ...extensionTypes,
} satisfies Readonly<Record<string, Declaration>>;

/** Name of a declared type. */
export type DeclaredName = keyof typeof declarations;

/** Names of the types that Portico adds to the interface. */
export const extensionTypeNames: readonly string[] = Object.keys(extensionTypes);

/** Fields that Portico adds to types of the interface: the filters of the main list, which are accepted flat too. */
export const extensionFields: Readonly<Record<string, readonly string[]>> = {
  ListCommunityPostsFilteredRequest: Object.keys(postListTypes.CommunityPostFilters.fields),
};
