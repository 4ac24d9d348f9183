/** Settings of a tenant, for its administrators. */
import { RequiredSecondFactor } from '../../codes/codes.ts';
import {
  accessTokenLifetimes,
  brandingLimits,
  healthLimits,
  maximumSetting,
  retentionDays,
  sessionLifetimes,
  settingPatterns,
} from '../../limits.ts';
import * as t from '../fields.ts';

const each = (pattern: RegExp) => ({
  items: { type: 'string', maxLength: maximumSetting, pattern: pattern.source },
});

const corsOrigins = t.texts('Origins whose pages may use the interface from a browser; `*` means every origin.');
const audiences = t.texts(
  'Values of `aud` that assertions of service accounts may have; `*` before the slash matches any vendor. At least one.',
);
const loginDomains = t.texts('Domains of e-mail addresses that may sign in by Google; none means any.');
const defaultLanguage = t.text('Language of texts where a person has none: two or three small letters.');
const defaultTimezone = 'IANA name of the zone where a person has none.';
const requireSecondFactor = t.word(
  Object.values(RequiredSecondFactor),
  'People who must have a second factor, an authenticator app or a passkey; without one they ' +
    'may only set one up. If omitted in an edit, it stays unchanged.',
);
const requireProvider = t.flag(
  'True if people sign in only by an identity provider. Passwords and passkeys then sign in ' +
    'only the break-glass administrator, and sign-ins by them end: sign in by the provider ' +
    'before you set it. Requires an enabled provider. If omitted in an edit, it stays unchanged.',
);
const notificationMails = t.flag(
  'True if notifications are sent by mail to the people who want them. Notifications of events before it was switched on ' +
    'are not sent. If omitted in an edit, it stays unchanged.',
);
const notificationPush = t.flag(
  'True if people may have notifications shown by their browsers. The push services of the browsers (of Google, Mozilla, ' +
    'Apple or Microsoft) get them encrypted. If omitted in an edit, it stays unchanged.',
);
const accessTokenSeconds = t.int32(
  'Lifetime of access tokens in seconds, 120 to 86400. Default: the lifetime of the installation.',
);

const name = t.name('Name of the tenant, as people read it in mails and in their authenticator app.');
const accentColor = t.text(
  'Accent colour of the page, as `#` and six hexadecimal digits. Absent: the colour of Portico.',
);
const signInNotice = t.text('Notice on the sign-in page: plain text, whose line ends are kept.');
const imprintUrl = t.text('Address of the imprint: `https://` or `http://`.');
const privacyUrl = t.text('Address of the privacy notice: `https://` or `http://`.');
const logoUrl = t.uri('Shows the logo. Needs no sign-in, and ends with the logo. Absent without one.');
const address = { pattern: settingPatterns.url.source, maxLength: brandingLimits.url };

const session = (what: string, otherwise: string) =>
  t.int32(`Seconds ${what} a browser is signed out, 300 to 7776000 (90 days). Default: ${otherwise}.`);
const sessionIdleSeconds = session('without use after which', '604800, seven days');
const sessionSeconds = session('after which in any case', '2592000, 30 days');
const notificationRetentionDays = t.int32('Days after which notifications are removed, 1 to 3650. Default: 90.');
const auditRetentionDays = t.int32(
  'Days that entries of the audit log are kept, 30 to 36500. Older entries are removed when ' +
    'the operator runs `portico admin audit prune`. If omitted, the operator gives the age with each ' +
    'run.',
);

const writeFields: t.Fields = {
  name: t.checked(
    { ...name, description: `${name.description} If omitted, it stays unchanged.` },
    { maxLength: maximumSetting },
  ),
  defaultLanguage: t.required(t.checked(defaultLanguage, { pattern: settingPatterns.language.source })),
  defaultTimezone: t.required(t.zoneName(defaultTimezone)),
  corsOrigins: t.required(t.checked(corsOrigins, each(settingPatterns.origin))),
  audiences: t.required(t.checked(audiences, { minItems: 1, ...each(settingPatterns.audience) })),
  loginDomains: t.required(t.checked(loginDomains, each(settingPatterns.domain))),
  requireSecondFactor,
  requireProvider,
  notificationMails,
  notificationPush,
  accessTokenSeconds: t.checked(accessTokenSeconds, accessTokenLifetimes),
  sessionIdleSeconds: t.checked(sessionIdleSeconds, sessionLifetimes),
  sessionSeconds: t.checked(sessionSeconds, sessionLifetimes),
  notificationRetentionDays: t.checked(notificationRetentionDays, retentionDays.notifications),
  auditRetentionDays: t.checked(auditRetentionDays, retentionDays.audit),
};

export const tenantSettingsTypes = {
  GetTenantSettingsResponse: t.type('Settings of the tenant.', {
    name,
    hosts: t.texts('Host names of its addresses, the primary one first. Read-only here.'),
    defaultLanguage,
    defaultTimezone: t.text(defaultTimezone),
    corsOrigins,
    audiences,
    loginDomains,
    requireSecondFactor,
    requireProvider,
    notificationMails,
    notificationPush,
    accessTokenSeconds,
    sessionIdleSeconds,
    sessionSeconds,
    notificationRetentionDays,
    auditRetentionDays,
    accentColor,
    signInNotice,
    imprintUrl,
    privacyUrl,
    logoUrl,
    attachmentQuotaBytes: t.bigCount(
      'Maximum total size of its files, in bytes; absent if there is no limit. Read-only here.',
    ),
    requestsPerMinute: t.count(
      'Maximum number of requests per minute for each process of the server; absent if there ' +
        'is no limit. Read-only here.',
    ),
    accountRequestsPerMinute: t.count('The same for each account. Read-only here.'),
    occToken: t.token('Token to send back with the next edit.'),
  }),
  EditTenantSettingsRequest: t.type('New settings of the tenant; they replace the present ones.', {
    ...writeFields,
    occToken: t.required(t.token('Token from reading the settings; a stale token returns 409.')),
  }),
  EditTenantSettingsResponse: t.type('Result of the edit of the settings.', {
    nextOccToken: t.token('Token for the next edit.'),
  }),
  GetBrandingResponse: t.type('Looks of the tenant.', {
    portalName: t.name('Name of the portal.'),
    accentColor,
    signInNotice,
    imprintUrl,
    privacyUrl,
    logoUrl,
  }),
  EditBrandingRequest: t.type('New looks of the tenant; they replace the present ones. An omitted member is emptied.', {
    name: writeFields['name']!,
    accentColor: t.checked(accentColor, { pattern: settingPatterns.color.source }),
    signInNotice: t.checked(signInNotice, { maxLength: brandingLimits.notice }),
    imprintUrl: t.checked(imprintUrl, address),
    privacyUrl: t.checked(privacyUrl, address),
    newLogoContentRef: t.upload(
      'Reference of an uploaded picture that becomes the logo: PNG, JPEG or WebP, of at most 1 MiB. If omitted, the logo stays.',
    ),
    removeLogo: t.flag('True removes the logo.'),
    occToken: t.required(t.token('Token from reading the settings; a stale token returns 409.')),
  }),
  EditBrandingResponse: t.type('Result of the edit of the looks.', {
    nextOccToken: t.token('Token for the next edit of the settings.'),
  }),
  GetTenantHealthResponse: t.type('Use of the tenant, and its work that waits or failed.', {
    version: t.text('Version of the server that answers.'),
    activeUsersCount: t.bigCount('People who can sign in; service accounts not counted.'),
    seenUsersCount: t.bigCount('Number of them who used the portal in the last 30 days.'),
    communitiesCount: t.bigCount('Communities, archived ones too.'),
    postsCount: t.bigCount('Published posts.'),
    filesBytes: t.int64('Size of all attached files, each upload counted once. Bytes.'),
    filesCount: t.bigCount('Number of these files.'),
    filesQuotaBytes: t.int64('Maximum of `filesBytes`; absent if there is no limit. Bytes.'),
    largestCommunities: t.list(
      'CommunityFilesUse',
      `Communities with the largest attachments in sum, the largest first; at most ${healthLimits.communities}.`,
    ),
    waitingMailsCount: t.bigCount('Mails that wait for their next attempt.'),
    failedMailsCount: t.bigCount('Mails that the mail server refused, or that all attempts failed to send.'),
    unsentMailsCount: t.bigCount('Mails that were not sent because there is no mail server.'),
    runningImportsCount: t.bigCount('Imports that wait or run.'),
    failedImportsCount: t.bigCount('Imports that failed.'),
    runningDefinitionChangesCount: t.bigCount('Changes of definitions that still convert posts.'),
    failedDefinitionChangesCount: t.bigCount('Changes of definitions that failed.'),
    waitingFilesCount: t.bigCount('Attached files whose preview or text is not extracted yet.'),
  }),
  CommunityFilesUse: t.type('Size of the attachments of a community.', {
    communityId: t.int64('Id of the community.'),
    name: t.text('Name of the community.'),
    filesBytes: t.int64('Sum of the sizes of its attachments, current versions alone. Bytes.'),
    filesCount: t.bigCount('Number of its attachments.'),
  }),
};
