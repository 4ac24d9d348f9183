/** The operations of the settings of a tenant. */

import type { Handlers } from '../../kernel/operations.ts';
import { getBranding } from './branding.ts';
import { editBranding } from './edit-branding.ts';
import { editTenantSettings, getTenantSettings } from './edit-tenant-settings.ts';

export const tenantSettingsHandlers = {
  getTenantSettings: ({ scope }) => getTenantSettings(scope),
  getBranding: ({ scope }) => getBranding(scope),
  editBranding: ({ scope, body }) => editBranding(scope, body),
  editTenantSettings: ({ scope, body }) => editTenantSettings(scope, body),
} satisfies Handlers;
