/** The operations of the settings of a tenant. */

import type { Handlers } from '../../kernel/operations.ts';
import { editTenantSettings, getTenantSettings } from './edit-tenant-settings.ts';

export const tenantSettingsHandlers = {
  getTenantSettings: ({ scope }) => getTenantSettings(scope),
  editTenantSettings: ({ scope, body }) => editTenantSettings(scope, body),
} satisfies Handlers;
