/** Areas of the organisation. */
import { defineOperations } from '../define.ts';

export const areaOperations = defineOperations('areas', {
  listAreas: {
    method: 'POST',
    path: '/admin/data/areas',
    body: 'ListUnitsRequest',
    responses: { 200: 'ListUnitsResponse', 403: null },
    permission: 'manageUsers',
    paging: 'page',
    extension: true,
    summary: 'List areas',
    description: 'Returns all areas of the tenant by name, each with its number of people.',
    clientMethod: 'list',
    command: {
      columns: ['id', 'name', 'externalId', 'usersCount', 'occToken'],
      examples: ['--all', '--name-filter sales --output json'],
    },
  },
  createArea: {
    method: 'POST',
    path: '/admin/manage/areas',
    body: 'CreateUnitRequest',
    responses: { 200: 'CreateUnitResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Create an area',
    description:
      'Requires `name`. A name or external id of another unit returns 400 `DUPLICATE_VALUE`. ' +
      'Assign people to a unit with `userInfo` of their form.',
    clientMethod: 'create',
    command: { examples: ['--name Sales', '--name Production --external-id PROD --dry-run'] },
  },
  editArea: {
    method: 'PUT',
    path: '/admin/manage/areas/{areaId}',
    body: 'EditUnitRequest',
    responses: { 200: 'EditUnitResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Edit an area',
    description:
      'Replaces the unit: omitted `externalId` and `description` are emptied. Send the ' +
      '`occToken` of the list in the body; a stale token returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: { examples: ['3 --name Sales --occ-token 1', '3 --name "Sales abroad" --occ-token 2 --dry-run'] },
  },
  deleteArea: {
    method: 'DELETE',
    path: '/admin/manage/areas/{areaId}',
    responses: { 200: null, 403: null, 404: null, 409: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Delete an area',
    description: 'Deletes an empty unit; a unit with people returns 409 `CONFLICT`: move them to another unit first.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['3', '3 --yes'] },
  },
});
