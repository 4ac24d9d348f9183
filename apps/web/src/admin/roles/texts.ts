/** Texts about roles and their permissions. */
import { permissionWords } from '@portico/contract/audit-words';
import { usePageTexts } from '../../texts/index.ts';
import { type Count, english } from '../../texts/plurals.ts';

export const en = {
  matrix: 'Permissions by role',
  permission: 'Permission',
  permissions: permissionWords,
  has: 'yes',
  hasNot: 'no',
  builtIn: 'built in',
  holders: 'Holders',
  holdersOf: (role: string) => `People with the role ${role}`,
  groups: 'Groups',
  groupsOf: (role: string) => `Groups with the role ${role}`,
  newRole: 'New role',
  editRole: (role: string) => `Edit the role ${role}`,
  deleteRole: (role: string) => `Delete the role ${role}`,
  implied: 'implied',
  effect: (count: Count) =>
    english(count, { one: '1 person holds the role.', other: `${count} people hold the role.` }),
  deleteTitle: (role: string) => `Delete the role ${role}?`,
  deleted: 'The role was deleted.',
};

export const useRolesTexts = () => usePageTexts('adminRoles', en);
