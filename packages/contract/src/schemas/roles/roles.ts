/** Roles and the permissions of which they are made. */
import { communityPermissions } from '../../codes/permissions.ts';
import { roleLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const names = communityPermissions.map(({ name }) => name);
const permissions = t.wordList(names, 'Permissions of the role. Implied permissions are added.');

const roleFields = {
  name: t.required(
    t.name(`Name of the role, which no other has, whatever the case and accents. 1 to ${roleLimits.name} characters.`),
  ),
  description: t.text(`Purpose of the role. At most ${roleLimits.description} characters.`),
  permissions: t.required(permissions),
  externalId: t.text(
    'Identifier of the role in another system and key of the role in files of communities, ' +
      `unique. At most ${roleLimits.name} characters. If omitted, an edit keeps it; an empty ` +
      'text removes it.',
  ),
};

export const roleTypes = {
  AvailableRole: t.type('A role that can be given.', {
    id: t.int64('Id of the role.'),
    name: t.text('Name of the role.'),
    description: t.text('Purpose of the role.'),
    externalId: t.text('Identifier of the role in another system; absent if there is none.'),
    builtIn: t.flag('True for the roles that every tenant has, which cannot be changed.'),
    permissions: t.wordList(names, 'Permissions of the role in a community.'),
    countsAsRoleId: t.int64(
      'Id of the strongest built-in role of which it has all permissions. The role counts as ' +
        'that built-in role for fields, transitions and screens that are open to built-in roles.',
    ),
    occToken: t.token('Token to send back with an edit; absent for built-in roles.'),
  }),
  RolePermission: t.type('A permission in a community.', {
    name: t.word(names, 'Name of the permission.'),
    description: t.text('Permissions of the role.'),
    implies: t.wordList(names, 'Implied permissions.'),
  }),
  ListRolesResponse: t.type('Roles and permissions.', {
    roles: t.list('AvailableRole', 'All roles: the built-in roles, then the roles of the tenant by name.'),
    permissions: t.list('RolePermission', 'Permissions that roles consist of.'),
  }),
  CreateRoleRequest: t.type('A new role.', roleFields),
  CreateRoleResponse: t.type('Result of the creation of a role.', {
    id: t.int64('Id of the new role.'),
    nextOccToken: t.token('Token for the next edit.'),
  }),
  EditRoleRequest: t.type('Definition of a role; an omitted description is emptied.', {
    ...roleFields,
    occToken: t.required(t.token('Token from reading the role; a stale token returns 409.')),
  }),
  EditRoleResponse: t.type('Result of the edit of a role.', { nextOccToken: t.token('Token for the next edit.') }),
};
