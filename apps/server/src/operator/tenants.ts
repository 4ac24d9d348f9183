/** Tenants, as operators create and list them. */
import type pg from 'pg';
import { writeTransaction } from '../kernel/access/index.ts';
import { createUserRecord, printPasswordLink } from '../modules/people/index.ts';
import {
  checkTenantSettings,
  createTenant,
  readTenantSettings,
  systemScope,
  TenantError,
  type TenantServices,
  type TenantSettingValues,
} from '../modules/tenants/index.ts';
import { hostWarnings } from './host-warnings.ts';

export interface NewTenant {
  name: string;
  hosts: string[];
  adminEmail: string;
  administrator?: string | undefined;
  displayName?: string | undefined;
  settings?: Partial<Pick<TenantSettingValues, 'audiences' | 'defaultLanguage' | 'defaultTimezone'>>;
}

/**
 * Makes a tenant and its first administrator. Where a user name is given, it also makes the one-time link by which they choose a
 * password; otherwise they cannot sign in until a way to do so is added.
 * @param options.administrator user name of the administrator
 * @param options.settings of the tenant; others take their defaults
 * @throws TenantError when the name is taken, or a value is not valid; nothing is made then
 */
export async function createTenantWithAdministrator(services: TenantServices, owner: pg.Client, options: NewTenant) {
  if (!/^[^\s@]+@[^\s@]+$/.test(options.adminEmail))
    throw new TenantError(`"${options.adminEmail}" is not an e-mail address.`);
  if (options.administrator !== undefined && !/^\S{1,320}$/.test(options.administrator))
    throw new TenantError(
      `"${options.administrator}" is not a user name: it has no spaces, and at most 320 characters.`,
    );
  checkTenantSettings(options.settings ?? {});
  const { id, systemUserId } = await createTenant(owner, services.sealer, {
    ...options.settings,
    name: options.name,
    hosts: options.hosts,
    fileQuotaBytes: services.config.tenantFileQuota,
    ...(options.displayName && { displayName: options.displayName }),
  });
  const scope = await systemScope(
    services,
    { id, name: options.name, displayName: options.displayName ?? options.name },
    systemUserId,
  );
  const adminUserId = await writeTransaction(scope, 'access', (within) =>
    createUserRecord(within, {
      firstName: 'Tenant',
      lastName: 'Administrator',
      contactEmail: options.adminEmail,
      ...(options.administrator !== undefined && { customUsername: options.administrator, customCanManage: true }),
      managesUsers: true,
      managesWorkplace: true,
    }),
  );
  return {
    id,
    name: options.name,
    hosts: options.hosts,
    adminUserId,
    link: options.administrator === undefined ? undefined : await printPasswordLink(scope, adminUserId, 'invitation'),
    settings: await readTenantSettings(scope.db),
    hostWarnings: await hostWarnings(owner, id),
  };
}

interface TenantSummary {
  id: number;
  name: string;
  hosts: string[];
  /** `active`, `disabled`, `unfinished`, or `to be deleted` with the time (ISO 8601). */
  state: string;
  users: number;
  posts: number;
}

export async function listTenants(services: TenantServices, owner: pg.Client): Promise<TenantSummary[]> {
  const { rows } = await owner.query<{
    id: string;
    name: string;
    hosts: string[];
    disabled: boolean;
    unfinished: boolean;
    deleteAfter: Date | null;
  }>(
    `SELECT t.id, t.name, t.disabled_at IS NOT NULL AS disabled, t.unfinished, t.delete_after AS "deleteAfter", coalesce(array_agg(h.host ORDER BY h.is_primary DESC, h.host) FILTER (WHERE h.host IS NOT NULL), '{}') AS hosts
       FROM tenants t LEFT JOIN tenant_hosts h ON h.tenant_id = t.id GROUP BY t.id ORDER BY t.id`,
  );
  const summaries: TenantSummary[] = [];
  for (const row of rows) {
    const db = services.databases.for(Number(row.id));
    const [counts] = await db.query<{ users: number; posts: number }>(
      `SELECT (SELECT count(*) FROM users WHERE tenant_id = $1 AND deleted_at IS NULL AND NOT system_account) AS users,
              (SELECT count(*) FROM posts WHERE tenant_id = $1 AND deleted_at IS NULL) AS posts`,
      [db.tenantId],
    );
    summaries.push({
      id: db.tenantId,
      name: row.name,
      hosts: row.hosts,
      state: stateOf(row),
      users: counts!.users,
      posts: counts!.posts,
    });
  }
  return summaries;
}

function stateOf({
  disabled,
  unfinished,
  deleteAfter,
}: {
  disabled: boolean;
  unfinished: boolean;
  deleteAfter: Date | null;
}): string {
  if (unfinished) return 'unfinished';
  if (deleteAfter) return `to be deleted ${deleteAfter.toISOString()}`;
  return disabled ? 'disabled' : 'active';
}
