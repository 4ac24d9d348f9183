/**
 * Every table of the database with the folder that owns it; tables of objects come before the
 * tables that depend on them. A test compares them with the migrated database.
 */

import { kernelTables } from '../kernel/tables/kernel-tables.ts';
import { assembleTables } from '../kernel/tables/registry.ts';
import { migrationTables } from '../platform/db/tables.ts';
import { attachmentTables } from './attachments/tables.ts';
import { auditTables } from './audit/tables.ts';
import { authTables } from './auth/tables.ts';
import { calendarTables } from './calendars/tables.ts';
import { catalogTables } from './catalogs/tables.ts';
import { commentTables } from './comments/tables.ts';
import { communityTables } from './communities/tables.ts';
import { fileTables } from './files/tables.ts';
import { identityProviderTables } from './identity-providers/tables.ts';
import { importTables } from './imports/tables.ts';
import { mailTables } from './mail/tables.ts';
import { notificationTables } from './notifications/tables.ts';
import { ownWorkTables } from './own-work/tables.ts';
import { peopleTables } from './people/tables.ts';
import { postTables } from './posts/tables.ts';
import { roleTables } from './roles/tables.ts';
import { streamTables } from './stream/tables.ts';
import { taskTables } from './tasks/tables.ts';
import { tenantTables } from './tenants/tables.ts';
import { viewTables } from './views/tables.ts';
import { workspaceTables } from './workspaces/tables.ts';

export const tables = assembleTables({
  'platform/db': migrationTables,
  'modules/tenants': tenantTables,
  kernel: kernelTables,
  'modules/audit': auditTables,
  'modules/people': peopleTables,
  'modules/auth': authTables,
  'modules/identity-providers': identityProviderTables,
  'modules/roles': roleTables,
  'modules/workspaces': workspaceTables,
  'modules/catalogs': catalogTables,
  'modules/communities': communityTables,
  'modules/posts': postTables,
  'modules/comments': commentTables,
  'modules/tasks': taskTables,
  'modules/attachments': attachmentTables,
  'modules/files': fileTables,
  'modules/mail': mailTables,
  'modules/notifications': notificationTables,
  'modules/calendars': calendarTables,
  'modules/views': viewTables,
  'modules/own-work': ownWorkTables,
  'modules/stream': streamTables,
  'modules/imports': importTables,
});
