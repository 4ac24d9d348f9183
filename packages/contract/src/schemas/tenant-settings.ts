/** Settings of a tenant, for its administrators. */
import { RequiredSecondFactor } from '../codes/codes.ts';
import { accessTokenLifetimes, maximumSetting, retentionDays, sessionLifetimes, settingPatterns } from '../limits.ts';
import {
  bigCount,
  checked,
  count,
  type Fields,
  flag,
  int32,
  required,
  text,
  texts,
  token,
  type,
  word,
  zoneName,
} from './fields.ts';

const each = (pattern: RegExp) => ({
  items: { type: 'string', maxLength: maximumSetting, pattern: pattern.source },
});

const corsOrigins = texts('Origins whose pages may use the interface from a browser; `*` means every one.');
const audiences = texts(
  'Values of `aud` that assertions of service accounts may have; `*` before the slash matches any vendor. At least one.',
);
const loginDomains = texts('Domains of e-mail addresses that may sign in by Google; none means any.');
const defaultLanguage = text('Language of texts where a person has none: two or three small letters.');
const defaultTimezone = 'IANA name of the zone where a person has none.';
const requireSecondFactor = word(
  Object.values(RequiredSecondFactor),
  'Who must have a second factor, an authenticator app or a passkey; who has none may do nothing but set one up. Left out in an edit, it stays as it is.',
);
const requireProvider = flag(
  'True where people sign in by an identity provider only; passwords and passkeys then sign in nobody but the break-glass administrator, and sign-ins by them end: sign in by the provider before you set it. It needs an enabled provider. Left out in an edit, it stays as it is.',
);
const accessTokenSeconds = int32(
  'Lifetime of access tokens in seconds, 120 to 86400. Left out, the lifetime of the installation holds.',
);

const name = text('Name of the tenant, as people read it in mails and in their authenticator app.');
const session = (what: string, otherwise: string) =>
  int32(`Seconds ${what} a browser is signed out, 300 to 7776000 (90 days). Left out: ${otherwise}.`);
const sessionIdleSeconds = session('without use after which', '604800, seven days');
const sessionSeconds = session('after which in any case', '2592000, 30 days');
const notificationRetentionDays = int32('Days after which notifications are removed, 1 to 3650. Left out: 90.');
const auditRetentionDays = int32(
  'Days that entries of the audit log are kept, 30 to 36500. Older ones are removed when the operator runs `portico audit prune`. Left out, the operator says with each run how old they are.',
);

const writeFields: Fields = {
  name: checked(
    { ...name, description: `${name.description} Left out, it stays as it is.` },
    { maxLength: maximumSetting },
  ),
  defaultLanguage: required(checked(defaultLanguage, { pattern: settingPatterns.language.source })),
  defaultTimezone: required(zoneName(defaultTimezone)),
  corsOrigins: required(checked(corsOrigins, each(settingPatterns.origin))),
  audiences: required(checked(audiences, { minItems: 1, ...each(settingPatterns.audience) })),
  loginDomains: required(checked(loginDomains, each(settingPatterns.domain))),
  requireSecondFactor,
  requireProvider,
  accessTokenSeconds: checked(accessTokenSeconds, accessTokenLifetimes),
  sessionIdleSeconds: checked(sessionIdleSeconds, sessionLifetimes),
  sessionSeconds: checked(sessionSeconds, sessionLifetimes),
  notificationRetentionDays: checked(notificationRetentionDays, retentionDays.notifications),
  auditRetentionDays: checked(auditRetentionDays, retentionDays.audit),
};

export const tenantSettingsTypes = {
  GetTenantSettingsResponse: type('Settings of the tenant.', {
    name,
    hosts: texts('Host names of its addresses, the primary one first. Read-only here.'),
    defaultLanguage,
    defaultTimezone: text(defaultTimezone),
    corsOrigins,
    audiences,
    loginDomains,
    requireSecondFactor,
    requireProvider,
    accessTokenSeconds,
    sessionIdleSeconds,
    sessionSeconds,
    notificationRetentionDays,
    auditRetentionDays,
    attachmentQuotaBytes: bigCount('Bytes that its files may take; absent where there is no limit. Read-only here.'),
    requestsPerMinute: count(
      'Requests within a minute that one process of the server answers; absent where there is no limit. Read-only here.',
    ),
    accountRequestsPerMinute: count('The same for each account. Read-only here.'),
    occToken: token('Token to send back with the next edit.'),
  }),
  EditTenantSettingsRequest: type('New settings of the tenant; they replace the present ones.', {
    ...writeFields,
    occToken: required(token('Token that the settings were read with; a stale one is a 409.')),
  }),
  EditTenantSettingsResponse: type('Result of the edit of the settings.', {
    nextOccToken: token('Token for the next edit.'),
  }),
};
