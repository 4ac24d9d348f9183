/**
 * Finds the tenant of a request: the host of its base address identifies it; a single tenant serves
 * any host (README). The registry is small and read often: it is cached for a moment, and read
 * again at once for an unknown host.
 */

import type { RequiredSecondFactor } from '@portico/contract';
import type { ScopedPool } from '@portico/platform/db/scoped-pool';
import type { TenantDatabases } from '@portico/platform/db/tenant-db';
import type { Sealer } from '@portico/platform/sealing';
import { createTokenSigner } from '@portico/platform/tokens';
import type { Tenant, TenantSettings } from '../../kernel/scope.ts';
import { openSecrets, type StoredSecret, secretsSql } from './secrets.ts';

/**
 * Milliseconds for which the cache is used. Short, since operators add tenants while the service
 * runs.
 */
const FRESH_MS = 1_000;
/** The same for the rule that a single tenant serves every host. */
const SINGLE_FRESH_MS = 100;

interface Registry {
  readAt: number;
  byHost: ReadonlyMap<string, FoundTenant>;
  all: readonly FoundTenant[];
}

/** A tenant that a request names. */
interface FoundTenant {
  readonly tenant: Tenant;
  /** It answers no request. */
  readonly disabled: boolean;
}

interface SettingsRow {
  audiences: string[];
  accessTokenSeconds: number | null;
  name: string | null;
  sessionIdleSeconds: number | null;
  sessionSeconds: number | null;
  notificationRetentionDays: number | null;
  providerClientIds: string[];
  loginDomains: string[];
  corsOrigins: string[];
  defaultLanguage: string;
  defaultTimezone: string;
  requireSecondFactor: RequiredSecondFactor;
  requireProvider: boolean;
  notificationMails: boolean;
  notificationPush: boolean;
  accentColor: string | null;
  logoContentRef: string | null;
  signInNotice: string | null;
  imprintUrl: string | null;
  privacyUrl: string | null;
  attachmentQuotaBytes: number | null;
  primaryHost: string | null;
  requestsPerMinute: number | null;
  accountRequestsPerMinute: number | null;
  pageSecrets: StoredSecret[];
  linkSecrets: StoredSecret[];
}

/** Finds tenants by host and their settings. */
export class TenantRegistry {
  readonly #pool: ScopedPool;
  readonly #databases: TenantDatabases;
  readonly #sealer: Sealer;
  #registry: Registry | undefined;
  #reading: Promise<Registry> | undefined;
  readonly #settings = new Map<number, { readAt: number; settings: TenantSettings }>();

  constructor(pool: ScopedPool, databases: TenantDatabases, sealer: Sealer) {
    this.#pool = pool;
    this.#databases = databases;
    this.#sealer = sealer;
  }

  /**
   * Finds the tenant of a host.
   * @param host `name[:port]` as `normaliseHost` writes it
   * @returns undefined for an unknown host (404)
   */
  async find(host: string): Promise<FoundTenant | undefined> {
    const registry = await this.#current();
    const named = byName(registry, host);
    if (named) return named;
    // A single tenant serves any host until there is a second tenant. The cache must be fresher
    // here than for a registered host.
    const fresh =
      registry.readAt > Date.now() - SINGLE_FRESH_MS && registry.all.length === 1 ? registry : await this.#read();
    return byName(fresh, host) ?? (fresh.all.length === 1 ? fresh.all[0] : undefined);
  }

  /** Returns the tenant with an id. @returns undefined for an unknown or disabled tenant */
  async byId(id: number): Promise<Tenant | undefined> {
    return (await this.#current()).all.find(({ tenant, disabled }) => tenant.id === id && !disabled)?.tenant;
  }

  /** Returns the tenants that are not disabled. */
  async all(): Promise<readonly Tenant[]> {
    return (await this.#read()).all.filter(({ disabled }) => !disabled).map(({ tenant }) => tenant);
  }

  /** Returns settings of a tenant, at most a second old. */
  async settings(tenant: Tenant): Promise<TenantSettings> {
    const known = this.#settings.get(tenant.id);
    if (known && known.readAt > Date.now() - FRESH_MS) return known.settings;
    const [row] = await this.#databases.for(tenant.id).query<SettingsRow>(
      `SELECT audiences, access_token_seconds AS "accessTokenSeconds", provider_client_ids AS "providerClientIds",
              login_domains AS "loginDomains", cors_origins AS "corsOrigins", default_language AS "defaultLanguage",
              default_timezone AS "defaultTimezone", attachment_quota_bytes AS "attachmentQuotaBytes",
              require_second_factor AS "requireSecondFactor", require_provider AS "requireProvider", display_name AS name,
              session_idle_seconds AS "sessionIdleSeconds", session_seconds AS "sessionSeconds",
              notification_days AS "notificationRetentionDays", notification_mails AS "notificationMails",
              notification_push AS "notificationPush", accent_color AS "accentColor",
              logo_content_ref AS "logoContentRef", sign_in_notice AS "signInNotice", imprint_url AS "imprintUrl",
              privacy_url AS "privacyUrl",
              requests_per_minute AS "requestsPerMinute", account_requests_per_minute AS "accountRequestsPerMinute",
              (SELECT host FROM tenant_hosts h WHERE h.tenant_id = $1 ORDER BY is_primary DESC, host LIMIT 1) AS "primaryHost",
              ${secretsSql('page')} AS "pageSecrets", ${secretsSql('link')} AS "linkSecrets"
         FROM tenant_settings WHERE tenant_id = $1`,
      [tenant.id],
    );
    if (!row) throw new Error(`tenant ${tenant.name} has no settings`);
    const { pageSecrets, linkSecrets, ...rest } = row;
    const settings: TenantSettings = {
      ...rest,
      opaqueTokens: createTokenSigner(openSecrets(pageSecrets, tenant.id, this.#sealer)),
      links: createTokenSigner(openSecrets(linkSecrets, tenant.id, this.#sealer)),
    };
    this.#settings.set(tenant.id, { readAt: Date.now(), settings });
    return settings;
  }

  async #current(): Promise<Registry> {
    const known = this.#registry;
    return known && known.readAt > Date.now() - FRESH_MS ? known : this.#read();
  }

  #read(): Promise<Registry> {
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #load(): Promise<Registry> {
    const readAt = Date.now();
    const rows = await this.#pool.registry<Tenant & { hosts: string[]; disabled: boolean }>(
      `SELECT t.id, t.name, t.display_name AS "displayName", t.disabled_at IS NOT NULL AS disabled,
              coalesce(array_agg(h.host) FILTER (WHERE h.host IS NOT NULL), '{}') AS hosts
         FROM tenants t LEFT JOIN tenant_hosts h ON h.tenant_id = t.id
        WHERE NOT t.unfinished GROUP BY t.id ORDER BY t.id`,
    );
    const byHost = new Map<string, FoundTenant>();
    const all = rows.map(({ hosts, disabled, ...tenant }) => {
      const found = { tenant, disabled };
      for (const host of hosts) byHost.set(host, found);
      return found;
    });
    this.#registry = { readAt, byHost, all };
    return this.#registry;
  }
}

function byName(registry: Registry, host: string): FoundTenant | undefined {
  return registry.byHost.get(host) ?? registry.byHost.get(host.replace(/:\d+$/, ''));
}
