/**
 * What an operator sets for one tenant: who may sign in how, and the browsers of which other origins may ask
 * (docs/decisions/types.md).
 */
import type { TenantDb } from '../../platform/db/tenant-db.ts';
import { TenantError } from './create-tenant.ts';

/** Settings of a tenant as they are, without its secrets. */
export interface TenantSettingValues {
  /** Origins whose pages may use the interface; `*` means every one. */
  corsOrigins: string[];
  /** `aud` values of assertions that are accepted; `*` before the slash matches any vendor. */
  audiences: string[];
  /** Client ids of the identity provider whose tokens are accepted; none means that it is not used for sign-in. */
  providerClientIds: string[];
  /** Domains of e-mail addresses that may sign in by the identity provider; none means any. */
  loginDomains: string[];
  defaultLanguage: string;
  /** IANA name. */
  defaultTimezone: string;
  /** Lifetime of access tokens in seconds; null means what the installation says. */
  accessTokenSeconds: number | null;
  /** Bytes that the files of the tenant may take; null means no limit. */
  attachmentQuotaBytes: number | null;
  /** Requests within a minute that one process serves for the tenant; null means no limit. */
  requestsPerMinute: number | null;
  /** The same for each of its accounts. */
  accountRequestsPerMinute: number | null;
}

const COLUMNS: Readonly<Record<keyof TenantSettingValues, string>> = {
  corsOrigins: 'cors_origins',
  audiences: 'audiences',
  providerClientIds: 'provider_client_ids',
  loginDomains: 'login_domains',
  defaultLanguage: 'default_language',
  defaultTimezone: 'default_timezone',
  accessTokenSeconds: 'access_token_seconds',
  attachmentQuotaBytes: 'attachment_quota_bytes',
  requestsPerMinute: 'requests_per_minute',
  accountRequestsPerMinute: 'account_requests_per_minute',
};

/** Largest limit of requests that can be set. */
const MOST_REQUESTS = 1_000_000_000;

const LIST = Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** The settings of a tenant. */
export async function readTenantSettings(db: TenantDb): Promise<TenantSettingValues> {
  const [row] = await db.query<TenantSettingValues>(`SELECT ${LIST} FROM tenant_settings WHERE tenant_id = $1`, [
    db.tenantId,
  ]);
  if (!row) throw new TenantError('The tenant has no settings.');
  return row;
}

/**
 * Changes what is named; servers that run take it over within a second.
 * @throws TenantError when a value cannot be one
 */
export async function changeTenantSettings(db: TenantDb, changes: Partial<TenantSettingValues>): Promise<void> {
  checkTenantSettings(changes);
  const names = (Object.keys(COLUMNS) as (keyof TenantSettingValues)[]).filter((name) => changes[name] !== undefined);
  if (names.length === 0) return;
  await db.transaction(async (tx) => {
    await tx.willWrite('tenant_settings', [tx.tenantId]);
    await tx.execute(
      `UPDATE tenant_settings SET ${names.map((name, index) => `${COLUMNS[name]} = $${index + 2}`).join(', ')} WHERE tenant_id = $1`,
      [tx.tenantId, ...names.map((name) => changes[name])],
    );
  });
}

/** @throws TenantError when a value cannot be one */
export function checkTenantSettings(changes: Partial<TenantSettingValues>): void {
  for (const origin of changes.corsOrigins ?? []) {
    if (origin === '*') continue;
    // An origin is compared letter by letter with what browsers send.
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new TenantError(
        `"${origin}" is not an origin such as https://app.acme.example (no path, no slash at the end).`,
      );
  }
  if (changes.audiences?.length === 0) throw new TenantError('A tenant accepts one audience at least.');
  for (const audience of changes.audiences ?? []) {
    if (audience.trim() !== audience || audience === '' || /\*/.test(audience.replace(/^\*\/(?=[^/]+$)/, '')))
      throw new TenantError(
        `"${audience}" is not an audience such as acme/portal-authenticator or */portal-authenticator.`,
      );
  }
  for (const domain of changes.loginDomains ?? []) {
    if (!/^[^\s@/]+\.[^\s@/]+$/.test(domain))
      throw new TenantError(`"${domain}" is not a domain such as acme.example.`);
  }
  if (changes.defaultLanguage !== undefined && !/^[a-z]{2,3}$/.test(changes.defaultLanguage))
    throw new TenantError(`"${changes.defaultLanguage}" is not a language such as en.`);
  if (changes.defaultTimezone !== undefined && !isTimezone(changes.defaultTimezone))
    throw new TenantError(`"${changes.defaultTimezone}" is not a time zone such as Europe/Rome.`);
  const { accessTokenSeconds: seconds, attachmentQuotaBytes: bytes } = changes;
  // Clients stop using a token 60 seconds before its end: a shorter one would be of no use.
  if (
    seconds !== undefined &&
    seconds !== null &&
    (!Number.isSafeInteger(seconds) || seconds < 120 || seconds > 86_400)
  )
    throw new TenantError('Access tokens live from 120 seconds to 86400, a day.');
  if (bytes !== undefined && bytes !== null && (!Number.isSafeInteger(bytes) || bytes < 0))
    throw new TenantError('The quota of files is a number of bytes.');
  for (const most of [changes.requestsPerMinute, changes.accountRequestsPerMinute]) {
    if (most !== undefined && most !== null && (!Number.isSafeInteger(most) || most < 1 || most > MOST_REQUESTS))
      throw new TenantError(`A limit of requests is a whole number from 1 to ${MOST_REQUESTS} within a minute.`);
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // RangeError: no such zone
  }
}
