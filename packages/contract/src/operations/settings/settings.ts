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
    clientMethod: 'get',
    formerMethod: 'form',
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
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getTenantSettings',
      needsValue: true,
      examples: ['--default-language it', '--cors-origins https://app.acme.example --dry-run'],
    },
  },
  getBranding: {
    method: 'GET',
    path: '/core/branding',
    responses: { 200: 'GetBrandingResponse' },
    permission: 'public',
    extension: true,
    summary: 'Read the looks of the tenant',
    description:
      'Returns the name, accent colour, logo, sign-in notice and legal pages of the tenant, as the sign-in page shows ' +
      'them. Needs no sign-in. Servers answer from memory, at most a second old.',
    clientMethod: 'branding',
    command: { examples: ['', '--output json'] },
  },
  editBranding: {
    method: 'PUT',
    path: '/admin/manage/branding',
    body: 'EditBrandingRequest',
    responses: { 200: 'EditBrandingResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Edit the looks of the tenant',
    description:
      'Replaces accent colour, sign-in notice and legal pages; an omitted name or logo stays. The contrast of the accent ' +
      'colour with the background of the page must be at least 4.5 to 1; a lighter colour is refused with the nearest ' +
      'one that can be read. The pages and mails of the tenant follow within a second. Send the `occToken` of the ' +
      'settings in the body; a stale token returns 409.',
    requestExamples: examples<'EditBrandingRequest'>({
      looks: {
        summary: 'A colour, a notice and legal pages',
        value: {
          name: 'Acme',
          accentColor: '#0b6e4f',
          signInNotice: 'For employees of Acme. Help: extension 100.',
          imprintUrl: 'https://acme.example/imprint',
          privacyUrl: 'https://acme.example/privacy',
          occToken: 1,
        },
      },
    }),
    clientMethod: 'replaceBranding',
    formerMethod: 'editBranding',
    command: {
      form: 'getTenantSettings',
      needsValue: true,
      examples: ["--accent-color '#0b6e4f'", '--remove-logo --dry-run'],
    },
  },
});
