/** Settings of a tenant, for its administrators. */
import { RequiredSecondFactor } from '../codes/codes.ts';
import { accessTokenLifetimes, maximumSetting, settingPatterns } from '../limits.ts';
import {
  bigCount,
  checked,
  count,
  type Fields,
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
const accessTokenSeconds = int32(
  'Lifetime of access tokens in seconds, 120 to 86400. Left out, the lifetime of the installation holds.',
);

const writeFields: Fields = {
  defaultLanguage: required(checked(defaultLanguage, { pattern: settingPatterns.language.source })),
  defaultTimezone: required(zoneName(defaultTimezone)),
  corsOrigins: required(checked(corsOrigins, each(settingPatterns.origin))),
  audiences: required(checked(audiences, { minItems: 1, ...each(settingPatterns.audience) })),
  loginDomains: required(checked(loginDomains, each(settingPatterns.domain))),
  requireSecondFactor,
  accessTokenSeconds: checked(accessTokenSeconds, accessTokenLifetimes),
};

export const tenantSettingsTypes = {
  GetTenantSettingsResponse: type('Settings of the tenant.', {
    name: text('Name of the tenant. Read-only here.'),
    hosts: texts('Host names of its addresses, the primary one first. Read-only here.'),
    defaultLanguage,
    defaultTimezone: text(defaultTimezone),
    corsOrigins,
    audiences,
    loginDomains,
    requireSecondFactor,
    accessTokenSeconds,
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
