/** Columns of the tables of all domains, for the statements in which another domain reads them. */
import { catalogTables } from './communities/catalogs/tables.ts';
import { roleTables } from './communities/roles/tables.ts';
import { communityTables } from './communities/tables.ts';
import { workspaceTables } from './communities/workspaces/tables.ts';
import { definitionTables } from './definitions/tables.ts';
import { attachmentTables } from './files/attachments/tables.ts';
import { fileTables } from './files/store/tables.ts';
import { importTables } from './imports/tables.ts';
import { ownWorkTables } from './notifications/home/tables.ts';
import { streamTables } from './notifications/stream/tables.ts';
import { notificationTables } from './notifications/tables.ts';
import { authTables } from './people/auth/tables.ts';
import { identityProviderTables } from './people/identity-providers/tables.ts';
import { mailTables } from './people/mails/tables.ts';
import { peopleTables } from './people/users/tables.ts';
import { commentTables } from './post-parts/comments/tables.ts';
import { taskTables } from './post-parts/tasks/tables.ts';
import { pendingSearchTables } from './post-parts/values/tables.ts';
import { calendarTables } from './posts/calendars/tables.ts';
import { postTables } from './posts/tables.ts';
import { viewTables } from './posts/views/tables.ts';
import { searchTables } from './search/tables.ts';
import { auditTables } from './tenants/audit/tables.ts';
import { tenantTables } from './tenants/tables.ts';
import { webhookTables } from './webhooks/tables.ts';

const tables = {
  ...catalogTables,
  ...roleTables,
  ...communityTables,
  ...workspaceTables,
  ...definitionTables,
  ...attachmentTables,
  ...fileTables,
  ...importTables,
  ...ownWorkTables,
  ...streamTables,
  ...notificationTables,
  ...authTables,
  ...identityProviderTables,
  ...mailTables,
  ...peopleTables,
  ...commentTables,
  ...taskTables,
  ...calendarTables,
  ...postTables,
  ...viewTables,
  ...auditTables,
  ...pendingSearchTables,
  ...searchTables,
  ...tenantTables,
  ...webhookTables,
};

type Tables = typeof tables;

/**
 * Returns the columns of a table as a statement names them: `u.name` by `sqlColumns('users', 'u').name`.
 * Without an alias they stand alone, for statements that read no other table.
 */
export function sqlColumns<T extends keyof Tables>(
  table: T,
  alias?: string,
): Readonly<Record<keyof Tables[T]['columns'], string>> {
  const names = Object.keys(tables[table].columns).map((column) => [
    column,
    alias === undefined ? column : `${alias}.${column}`,
  ]);
  return Object.fromEntries(names);
}
