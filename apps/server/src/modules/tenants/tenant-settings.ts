/**
 * Settings of one tenant: among others the ways to sign in that it accepts, and the origins that
 * may use the interface from a browser (docs/decisions/types.md).
 */
import {
  accessTokenLifetimes,
  maximumSetting,
  RequiredSecondFactor,
  retentionDays,
  sessionLifetimes,
  settingPatterns,
} from '@portico/contract';
import type { TenantDb, TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { isLongerThan } from '@portico/platform/text';
import type { PorticoError } from '../../kernel/errors.ts';
import { type LastChange, staleToken } from '../../kernel/stale-token.ts';
import { TenantError } from './tenant-error.ts';

/** Settings of a tenant as stored, without its secrets. */
export interface TenantSettingValues {
  /** Name of the tenant that people read; null: the name that the operator gave. */
  name: string | null;
  /** Origins whose pages may use the interface; `*` means every one. */
  corsOrigins: string[];
  /** `aud` values of assertions that are accepted; `*` before the slash matches any vendor. */
  audiences: string[];
  /**
   * Accepted client ids of tokens of the identity provider; an empty list disables sign-in with it.
   */
  providerClientIds: string[];
  /**
   * Domains of e-mail addresses that may sign in by the identity provider; an empty list allows
   * any.
   */
  loginDomains: string[];
  defaultLanguage: string;
  /** IANA name. */
  defaultTimezone: string;
  /** Accounts for which a second factor is required. */
  requireSecondFactor: RequiredSecondFactor;
  /** Whether people sign in by an identity provider only. */
  requireProvider: boolean;
  /** Whether notifications are sent by mail. */
  notificationMails: boolean;
  /** Whether browsers show notifications. */
  notificationPush: boolean;
  /** Lifetime of access tokens in seconds; null: the default of the installation. */
  accessTokenSeconds: number | null;
  /**
   * Seconds after which a session of a browser ends: without use, and in any case; null: the
   * default.
   */
  sessionIdleSeconds: number | null;
  sessionSeconds: number | null;
  /** Days that notifications are kept; null: the default. */
  notificationRetentionDays: number | null;
  /** Days that the operator keeps entries of the audit log; null: not stated. */
  auditRetentionDays: number | null;
  /** Accent colour of the page, `#rrggbb` in small letters; null: that of Portico. */
  accentColor: string | null;
  /** The stored picture that is the logo; null: none. */
  logoContentRef: string | null;
  /** Plain text on the sign-in page; null: none. */
  signInNotice: string | null;
  /** Addresses of legal pages; null: none. */
  imprintUrl: string | null;
  privacyUrl: string | null;
  /** File quota of the tenant in bytes; null: no limit. */
  attachmentQuotaBytes: number | null;
  /** Requests per minute that one process serves for the tenant; null: no limit. */
  requestsPerMinute: number | null;
  /** The same for each account of the tenant. */
  accountRequestsPerMinute: number | null;
}

const COLUMNS: Readonly<Record<keyof TenantSettingValues, string>> = {
  name: 'display_name',
  corsOrigins: 'cors_origins',
  audiences: 'audiences',
  providerClientIds: 'provider_client_ids',
  loginDomains: 'login_domains',
  defaultLanguage: 'default_language',
  defaultTimezone: 'default_timezone',
  requireSecondFactor: 'require_second_factor',
  requireProvider: 'require_provider',
  notificationMails: 'notification_mails',
  notificationPush: 'notification_push',
  accessTokenSeconds: 'access_token_seconds',
  sessionIdleSeconds: 'session_idle_seconds',
  sessionSeconds: 'session_seconds',
  notificationRetentionDays: 'notification_days',
  auditRetentionDays: 'audit_days',
  accentColor: 'accent_color',
  logoContentRef: 'logo_content_ref',
  signInNotice: 'sign_in_notice',
  imprintUrl: 'imprint_url',
  privacyUrl: 'privacy_url',
  attachmentQuotaBytes: 'attachment_quota_bytes',
  requestsPerMinute: 'requests_per_minute',
  accountRequestsPerMinute: 'account_requests_per_minute',
};

/** Periods with their limits. */
const PERIODS = [
  ['sessionIdleSeconds', sessionLifetimes, 'seconds'],
  ['sessionSeconds', sessionLifetimes, 'seconds'],
  ['notificationRetentionDays', retentionDays.notifications, 'days'],
  ['auditRetentionDays', retentionDays.audit, 'days'],
] as const;

/** Maximum limit of requests that can be set. */
const MOST_REQUESTS = 1_000_000_000;

const LIST = Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** The settings of a tenant. */
export async function readTenantSettings(db: TenantExecutor): Promise<TenantSettingValues> {
  const { version: _version, ...settings } = await readVersionedSettings(db);
  return settings;
}

/** Returns the settings of a tenant, with the version that an edit names. */
export async function readVersionedSettings(db: TenantExecutor): Promise<TenantSettingValues & { version: number }> {
  const [row] = await db.query<TenantSettingValues & { version: number }>(
    `SELECT ${LIST}, version FROM tenant_settings WHERE tenant_id = $1`,
    [db.tenantId],
  );
  if (!row) throw new TenantError('The tenant has no settings.');
  return row;
}

/** Locks the settings of the tenant. @returns their version */
export async function lockSettingsVersion(tx: TenantTx): Promise<number> {
  const [row] = await tx.query<{ version: number }>(
    'SELECT version FROM tenant_settings WHERE tenant_id = $1 FOR NO KEY UPDATE',
    [tx.tenantId],
  );
  if (!row) throw new TenantError('The tenant has no settings.');
  return row.version;
}

/** Returns the error of an edit of settings that changed meanwhile, with the last editor and the time. */
export async function staleSettings(tx: TenantExecutor, version: number): Promise<PorticoError> {
  const [row] = await tx.query<Omit<LastChange, 'version'>>(
    'SELECT modified_at AS "modifiedAt", modifier_id AS "modifierId" FROM tenant_settings WHERE tenant_id = $1',
    [tx.tenantId],
  );
  return staleToken(tx, { version, modifierId: null, modifiedAt: null, ...row });
}

/**
 * Writes the given settings without validation.
 * @param who the user who changes it and when, in epoch milliseconds; omitted for an operator
 */
export async function writeTenantSettings(
  tx: TenantTx,
  changes: Partial<TenantSettingValues>,
  who?: { by: number; at: number },
): Promise<void> {
  const names = (Object.keys(COLUMNS) as (keyof TenantSettingValues)[]).filter((name) => changes[name] !== undefined);
  if (names.length === 0) return;
  const columns = names.map((name, index) => `${COLUMNS[name]} = $${index + 4}`);
  // Nothing from before the switch is mailed.
  if (changes.notificationMails === true)
    columns.push('notification_mails_since = CASE WHEN notification_mails THEN notification_mails_since ELSE $3 END');
  await tx.sendChange(
    'tenant_settings',
    [tx.tenantId],
    `UPDATE tenant_settings SET version = version + 1, modifier_id = $2, modified_at = $3, ${columns.join(', ')}
      WHERE tenant_id = $1`,
    [tx.tenantId, who?.by ?? null, new Date(who?.at ?? Date.now()), ...names.map((name) => changes[name])],
  );
}

/**
 * Changes the given settings; running servers use them within a second.
 * @throws TenantError for a value that is not valid
 */
export async function changeTenantSettings(db: TenantDb, changes: Partial<TenantSettingValues>): Promise<void> {
  checkTenantSettings(changes);
  await db.transaction(async (tx) => {
    // As in every write, the providers stay locked until the transaction ends.
    await tx.query('SELECT FROM tenant_versions WHERE tenant_id = $1 FOR SHARE', [tx.tenantId]);
    if (changes.requireProvider && !(await hasProvider(tx))) throw new TenantError(NO_PROVIDER);
    await writeTenantSettings(tx, changes);
  });
}

/** Why `requireProvider` cannot be set. */
export const NO_PROVIDER = 'Enable an identity provider first: nobody could sign in.';

/** Whether an identity provider of the tenant is enabled. */
export async function hasProvider(tx: TenantExecutor): Promise<boolean> {
  const rows = await tx.query('SELECT id FROM identity_providers WHERE tenant_id = $1 AND enabled LIMIT 1', [
    tx.tenantId,
  ]);
  return rows.length > 0;
}

/** @throws TenantError for a value that is not valid */
export function checkTenantSettings(changes: Partial<TenantSettingValues>): void {
  const [fault] = findSettingFaults(changes);
  if (fault) throw new TenantError(fault.message);
}

/** An error in a setting; the message is one sentence. */
interface SettingFault {
  /** `defaultLanguage`, or an element such as `corsOrigins[0]`. */
  field: string;
  message: string;
}

/** Returns every error in the given settings. */
export function findSettingFaults(changes: Partial<TenantSettingValues>): SettingFault[] {
  const faults: SettingFault[] = [];
  const add = (field: string, message: string) => faults.push({ field, message });
  for (const [index, origin] of (changes.corsOrigins ?? []).entries()) {
    if (!isOrigin(origin))
      add(
        `corsOrigins[${index}]`,
        `"${origin}" is not an origin such as https://app.acme.example (no path, no slash at the end).`,
      );
  }
  if (changes.audiences?.length === 0) add('audiences', 'A tenant accepts one audience at least.');
  for (const [index, audience] of (changes.audiences ?? []).entries()) {
    if (!isSetting('audience', audience))
      add(
        `audiences[${index}]`,
        `"${audience}" is not an audience such as acme/portal-authenticator or */portal-authenticator.`,
      );
  }
  for (const [index, domain] of (changes.loginDomains ?? []).entries()) {
    if (!isSetting('domain', domain))
      add(`loginDomains[${index}]`, `"${domain}" is not a domain such as acme.example.`);
  }
  const { defaultLanguage: language, defaultTimezone: zone } = changes;
  if (language !== undefined && !isSetting('language', language))
    add('defaultLanguage', `"${language}" is not a language such as en.`);
  if (zone !== undefined && !isTimezone(zone))
    add('defaultTimezone', `"${zone}" is not a time zone such as Europe/Rome.`);
  const { requireSecondFactor: whom } = changes;
  if (whom !== undefined && !Object.values(RequiredSecondFactor).includes(whom))
    add('requireSecondFactor', 'A second factor is required of nobody, of administrators or of all.');
  const { name } = changes;
  if (name !== undefined && name !== null && (name.trim() === '' || isLongerThan(name, maximumSetting)))
    add('name', `A name has 1 to ${maximumSetting} characters.`);
  for (const [field, { minimum, maximum }, unit] of PERIODS) {
    if (!isWholeWithin(changes[field], minimum, maximum))
      add(field, `A whole number of ${unit} from ${minimum} to ${maximum}.`);
  }
  const { accessTokenSeconds: seconds, attachmentQuotaBytes: bytes } = changes;
  const { minimum, maximum } = accessTokenLifetimes;
  if (!isWholeWithin(seconds, minimum, maximum))
    add('accessTokenSeconds', `Access tokens live from ${minimum} seconds to ${maximum}, a day.`);
  if (!isWholeWithin(bytes, 0, Number.MAX_SAFE_INTEGER))
    add('attachmentQuotaBytes', 'The quota of files is a number of bytes.');
  for (const name of ['requestsPerMinute', 'accountRequestsPerMinute'] as const) {
    if (!isWholeWithin(changes[name], 1, MOST_REQUESTS))
      add(name, `A limit of requests is a whole number from 1 to ${MOST_REQUESTS} within a minute.`);
  }
  return faults;
}

function isSetting(kind: keyof typeof settingPatterns, text: string): boolean {
  return settingPatterns[kind].test(text) && !isLongerThan(text, maximumSetting);
}

/** Returns whether a number is a whole number within the bounds; omitted and null are valid. */
function isWholeWithin(value: number | null | undefined, minimum: number, maximum: number): boolean {
  return value === undefined || value === null || (Number.isSafeInteger(value) && value >= minimum && value <= maximum);
}

/** Origins are compared with the `Origin` header character by character. */
function isOrigin(text: string): boolean {
  if (!isSetting('origin', text)) return false;
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // RangeError: no such zone
  }
}
