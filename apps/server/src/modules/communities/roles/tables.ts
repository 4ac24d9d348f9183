/** Table of the roles that tenants create. */
import { defineTables, MODIFIED, OWN } from '../../../kernel/tables/define-tables.ts';

export const roleTables = defineTables({
  own_roles: {
    distribution: 'distributed',
    entity: 'role',
    audit: {},
    columns: {
      ...OWN,
      ...MODIFIED,
      version: 'occToken',
      name: 'name',
      name_key: null,
      description: 'description',
      external_id: 'externalId',
      permissions: 'permissions',
    },
  },
});
