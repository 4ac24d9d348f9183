/** Settings of the tenant. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const tenantSettingsOperations = defineOperations('settings', {
  getTenantSettings: {
    method: 'GET',
    path: '/admin/manage/tenant-settings',
    responses: { 200: 'GetTenantSettingsResponse', 403: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Read the settings of the tenant',
    description:
      'Returns the settings that administrators can edit, the settings that only the operator ' +
      'changes, and the `occToken` to send back.',
    clientMethod: 'form',
    command: { examples: ['', '--output json --fields corsOrigins'] },
  },
  getTenantHealth: {
    method: 'GET',
    path: '/admin/data/health',
    responses: { 200: 'GetTenantHealthResponse', 403: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Read the use of the tenant',
    description:
      'Returns how full the tenant is, and the work that waits or failed: people, communities, ' +
      'posts, files with their quota, the communities with the largest files, mails, imports and ' +
      'changes of definitions. The figures concern this tenant alone.',
    clientMethod: 'health',
    command: { examples: ['', '--output json'] },
  },
  editTenantSettings: {
    method: 'PUT',
    path: '/admin/manage/tenant-settings',
    body: 'EditTenantSettingsRequest',
    responses: { 200: 'EditTenantSettingsResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Edit the settings of the tenant',
    description:
      'Replaces the settings; the servers follow within a second. Hosts, quota and limits are ' +
      "the operator's. Changing `requireSecondFactor` or `requireProvider` requires every " +
      'administrative right. Send the `occToken` of the settings in the body; a stale token ' +
      'returns 409.',
    requestExamples: examples<'EditTenantSettingsRequest'>({
      settings: {
        summary: 'Italian, and one application in browsers',
        value: {
          defaultLanguage: 'it',
          defaultTimezone: 'Europe/Rome',
          corsOrigins: ['https://app.acme.example'],
          audiences: ['*/portal-authenticator'],
          loginDomains: ['acme.example'],
          accessTokenSeconds: 3600,
          sessionIdleSeconds: 28800,
          sessionSeconds: 604800,
          occToken: 1,
        },
      },
    }),
    clientMethod: 'edit',
    command: {
      form: 'getTenantSettings',
      needsValue: true,
      examples: ['--default-language it', '--cors-origins https://app.acme.example --dry-run'],
    },
  },
});
