/** Named permissions in a community. Roles are sets of permissions. */
import { RoleId } from './defined-codes.ts';

/** Name and meaning of each permission, as published by `listRoles`. */
export const communityPermissions = [
  { name: 'readPublicPosts', description: 'Sees public posts. Posts that name a person are seen without it.' },
  { name: 'readAllPosts', description: 'Sees all posts, public and private, whomever they name.' },
  {
    name: 'createPosts',
    description: 'Creates and copies posts, and edits and deletes the posts that the person wrote.',
  },
  { name: 'comment', description: 'Comments on posts, and reads comments that are hidden from readers.' },
  {
    name: 'createTasks',
    description: 'Creates tasks on posts, and edits and deletes the tasks that the person created.',
  },
  { name: 'editPosts', description: 'Edits, deletes and restores posts that others wrote.' },
  { name: 'moderateComments', description: 'Edits, deletes and restores comments that others wrote.' },
  { name: 'manageTasks', description: 'Edits, deletes and restores tasks that others created.' },
  { name: 'pinPosts', description: 'Pins posts.' },
  { name: 'announcePosts', description: 'Announces posts to all their readers.' },
  { name: 'shareViews', description: 'Creates, edits and deletes the shared views of the community.' },
  {
    name: 'manageCommunity',
    description: 'Edits the community, its fields, workflow and members, and imports; writes while it is prepared.',
  },
] as const;

/** A named permission in a community. */
export type CommunityPermission = (typeof communityPermissions)[number]['name'];

const reader = ['readPublicPosts'] as const satisfies readonly CommunityPermission[];
const contributor = [
  ...reader,
  'createPosts',
  'comment',
  'createTasks',
] as const satisfies readonly CommunityPermission[];

/**
 * The permissions of the built-in roles; each role has a subset of the permissions of a stronger
 * role.
 */
export const rolePermissions: Readonly<Record<RoleId, readonly CommunityPermission[]>> = {
  [RoleId.MANAGER]: communityPermissions.map(({ name }) => name),
  [RoleId.CONTRIBUTOR]: contributor,
  [RoleId.READER]: reader,
  [RoleId.WORKSPACE_ADMINISTRATOR]: [],
  [RoleId.GUEST]: [],
};

/** The first id of roles that a tenant created. */
export const firstOwnRole = 101;

/** Permissions implied by others: a role with the first also has the second. */
export const impliedPermissions: Readonly<Partial<Record<CommunityPermission, readonly CommunityPermission[]>>> = {
  readAllPosts: ['readPublicPosts'],
  editPosts: ['createPosts'],
  moderateComments: ['comment'],
  manageTasks: ['createTasks'],
};
