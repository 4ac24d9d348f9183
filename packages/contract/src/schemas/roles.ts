/** Roles and the permissions of which they are made. */
import { communityPermissions } from '../codes/permissions.ts';
import { roleLimits } from '../limits.ts';
import { flag, int64, list, required, text, token, type, word, wordList } from './fields.ts';

const names = communityPermissions.map(({ name }) => name);
const permissions = wordList(names, 'What the role permits. What these imply is added.');

const roleFields = {
  name: required(
    text(`Name of the role, which no other has, whatever the case and accents. 1 to ${roleLimits.name} characters.`),
  ),
  description: text(`What the role is for. At most ${roleLimits.description} characters.`),
  permissions: required(permissions),
  externalId: text(
    `Identifier of the role in another system and key of the role in files of communities, unique. At most ${roleLimits.name} characters. Left out, an edit keeps it; an empty text takes it away.`,
  ),
};

export const roleTypes = {
  AvailableRole: type('A role that can be given.', {
    id: int64('Id of the role.'),
    name: text('Name of the role.'),
    description: text('What the role is for.'),
    externalId: text('Identifier of the role in another system; absent where there is none.'),
    builtIn: flag('True for the roles that every tenant has, which cannot be changed.'),
    permissions: wordList(names, 'What the role permits in a community.'),
    countsAsRoleId: int64(
      'Id of the strongest built-in role all of whose permissions it has: as that it counts where fields, transitions and screens are open to built-in roles.',
    ),
    occToken: token('Token to send back with an edit; absent for built-in roles.'),
  }),
  RolePermission: type('A permission in a community.', {
    name: word(names, 'Name of the permission.'),
    description: text('What it permits.'),
    implies: wordList(names, 'Permissions that come with it.'),
  }),
  ListRolesResponse: type('Roles and permissions.', {
    roles: list('AvailableRole', 'All roles: the built-in ones, then those of the tenant by name.'),
    permissions: list('RolePermission', 'Permissions of which roles are made.'),
  }),
  CreateRoleRequest: type('A new role.', roleFields),
  CreateRoleResponse: type('Result of the creation of a role.', {
    id: int64('Id of the new role.'),
    nextOccToken: token('Token for the next edit.'),
  }),
  EditRoleRequest: type('What a role is; a description that is left out is emptied.', {
    ...roleFields,
    occToken: required(token('Token that the role was read with; a stale one is a 409.')),
  }),
  EditRoleResponse: type('Result of the edit of a role.', { nextOccToken: token('Token for the next edit.') }),
};
