/** Changes of the audit log in words: one rule for files, the command line and the page. */
import type { CommunityPermission } from './codes/permissions.ts';
import type { AuditChange, AuditRight } from './types/extensions.generated.ts';

/** Administrative rights in English. */
export const rightWords: Readonly<Record<NonNullable<AuditRight['adminCapability']>, string>> = {
  manageUsers: 'Manages people',
  manageDigitalWorplace: 'Manages the portal',
};

/** Permissions of roles in English. */
export const permissionWords: Readonly<Record<CommunityPermission, string>> = {
  readPublicPosts: 'Read public posts',
  readAllPosts: 'Read private posts, too',
  createPosts: 'Write posts',
  comment: 'Comment',
  createTasks: 'Create tasks',
  editPosts: 'Edit posts of others',
  moderateComments: 'Moderate comments',
  manageTasks: 'Manage tasks of others',
  pinPosts: 'Pin posts',
  announcePosts: 'Announce posts',
  shareViews: 'Share views',
  manageCommunity: 'Manage the community',
};

/** Words of a language for rights. */
interface WordsForRights {
  readonly rights: Readonly<Record<string, string>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly user: string;
  readonly group: string;
  /** @param name absent for a role that was deleted */
  role(id: number, name: string | undefined): string;
}

const english: WordsForRights = {
  rights: rightWords,
  permissions: permissionWords,
  user: 'user',
  group: 'group',
  role: (id, name) => name ?? `role #${id}`,
};

/**
 * Returns the words for a right, a permission, a role or a member.
 * @returns the holder, absent for rights of the object itself; and the right, absent for plain members
 */
export function rightInWords(
  { adminCapability, permission, roleId, roleName, userId, groupId, holderName }: AuditRight,
  words: WordsForRights = english,
): { holder?: string; right?: string } {
  const holder = userId === undefined ? groupId : userId;
  const named = holderName || `#${holder}`;
  const right =
    (adminCapability && (words.rights[adminCapability] ?? adminCapability)) ||
    (permission && (words.permissions[permission] ?? permission)) ||
    (roleId !== undefined && words.role(roleId, roleName)) ||
    undefined;
  return {
    ...(userId !== undefined && { holder: holderName || `${words.user} ${named}` }),
    ...(userId === undefined && groupId !== undefined && { holder: `${words.group} ${named}` }),
    ...(right !== undefined && { right }),
  };
}

/** Whether an element of a list is a change of the audit log. */
export function isAuditChange(value: object): value is AuditChange {
  return 'field' in value && typeof value.field === 'string' && ('before' in value || 'after' in value);
}

/** Returns a change as text in English: `adminCapabilities: none → Manages people`. */
export function auditChangeInWords({ field, before, after, beforeRights, afterRights }: AuditChange): string {
  const side = (value: string | undefined, rights: readonly AuditRight[] | undefined) => {
    if (rights === undefined) return value ?? 'none';
    return rights.map((right) => Object.values(rightInWords(right)).join(': ')).join(', ') || 'none';
  };
  return `${field}: ${side(before, beforeRights)} → ${side(after, afterRights)}`;
}
