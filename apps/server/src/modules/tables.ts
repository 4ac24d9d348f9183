/**
 * Every table of the database with the folder that owns it; tables of objects come before the
 * tables that depend on them. A test compares them with the migrated database.
 */

import { migrationTables } from '@portico/platform/db/tables';
import { kernelTables } from '../kernel/tables/kernel-tables.ts';
import { assembleTables } from '../kernel/tables/registry.ts';
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

export const tables = assembleTables({
  'platform/db': migrationTables,
  'modules/tenants': tenantTables,
  kernel: kernelTables,
  'modules/tenants/audit': auditTables,
  'modules/people/users': peopleTables,
  'modules/people/auth': authTables,
  'modules/people/identity-providers': identityProviderTables,
  'modules/communities/roles': roleTables,
  'modules/communities/workspaces': workspaceTables,
  'modules/communities/catalogs': catalogTables,
  'modules/communities': communityTables,
  'modules/definitions': definitionTables,
  'modules/posts': postTables,
  'modules/post-parts/comments': commentTables,
  'modules/post-parts/tasks': taskTables,
  'modules/post-parts/values': pendingSearchTables,
  'modules/files/attachments': attachmentTables,
  'modules/files/store': fileTables,
  'modules/people/mails': mailTables,
  'modules/notifications': notificationTables,
  'modules/posts/calendars': calendarTables,
  'modules/posts/views': viewTables,
  'modules/notifications/home': ownWorkTables,
  'modules/notifications/stream': streamTables,
  'modules/imports': importTables,
  'modules/webhooks': webhookTables,
  'modules/search': searchTables,
});
