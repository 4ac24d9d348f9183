/**
 * Creates tenants. An operator does this as the owner of the database, the only role that may write
 * the registry.
 */

import type { Sealer } from '@portico/platform/sealing';
import type pg from 'pg';
import { insertTenantVersions } from '../../kernel/tenant-versions.ts';
import { insertSigningKey, insertSystemAccount, newSigningKey } from '../people/index.ts';
import { insertStreamState } from '../records/index.ts';
import { readHosts } from './host-names.ts';
import { ownerExecutor } from './owner-executor.ts';
import { insertFirstSecrets } from './secrets.ts';
import { TenantError } from './tenant-error.ts';
import { checkTenantName } from './tenant-state.ts';

interface NewTenant {
  /** Lower-case letters, digits, hyphens; at most 63 characters. */
  name: string;
  displayName?: string;
  /** Hosts of its base addresses; the first is the primary one. */
  hosts: readonly string[];
  /** `aud` values of assertions that are accepted. Default: `portal-authenticator` of any vendor. */
  audiences?: readonly string[] | undefined;
  /** Language of texts for a person without one. Default `en`. */
  defaultLanguage?: string | undefined;
  /** IANA name of the zone for a person without one. Default `UTC`. */
  defaultTimezone?: string | undefined;
  /** A tenant that is being filled serves no request until {@link finishTenant}. */
  unfinished?: boolean;
  /** File quota in bytes; null or omitted: no quota. */
  fileQuotaBytes?: number | null;
}

/** A new tenant and the account that the system itself works as there. */
interface CreatedTenant {
  id: number;
  systemUserId: number;
}

/**
 * Creates a tenant with its settings, secrets, first signing key and system account, in a
 * transaction of its own.
 * @param client the owner's connection, outside a transaction
 * @param sealer encrypts its secrets
 * @throws TenantError when the name is taken or malformed, or a host belongs to another tenant
 */
export async function createTenant(client: pg.ClientBase, sealer: Sealer, tenant: NewTenant): Promise<CreatedTenant> {
  checkTenantName(tenant.name);
  const hosts = readHosts(tenant.hosts);
  await client.query('BEGIN');
  try {
    const taken = await client.query<{ name: string; host: string | null }>(
      `SELECT t.name, h.host FROM tenants t LEFT JOIN tenant_hosts h ON h.tenant_id = t.id
        WHERE t.name = $1 OR h.host = ANY ($2::text[])`,
      [tenant.name, hosts],
    );
    if (taken.rows.some((row) => row.name === tenant.name))
      throw new TenantError(`The tenant "${tenant.name}" already exists.`);
    const other = taken.rows[0];
    if (other) throw new TenantError(`The host ${other.host} belongs to the tenant "${other.name}".`);
    const { rows } = await client.query<{ id: string }>(
      'INSERT INTO tenants (name, display_name, disabled_at, unfinished) VALUES ($1, $2, $3, $4) RETURNING id',
      [
        tenant.name,
        tenant.displayName ?? tenant.name,
        tenant.unfinished ? new Date() : null,
        tenant.unfinished ?? false,
      ],
    );
    const id = Number(rows[0]!.id);
    // Row security applies to the owner too (FORCE), so the transaction names the tenant as every
    // other one does.
    await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(id)]);
    for (const [index, host] of hosts.entries()) {
      await client.query('INSERT INTO tenant_hosts (host, tenant_id, is_primary) VALUES ($1, $2, $3)', [
        host,
        id,
        index === 0,
      ]);
    }
    await client.query('INSERT INTO tenant_settings (tenant_id) VALUES ($1)', [id]);
    await client.query(
      `UPDATE tenant_settings
          SET audiences = coalesce($2, audiences), default_language = coalesce($3, default_language),
              default_timezone = coalesce($4, default_timezone), attachment_quota_bytes = $5,
              notification_mails = true, notification_mails_since = $6
        WHERE tenant_id = $1`,
      [
        id,
        tenant.audiences ?? null,
        tenant.defaultLanguage ?? null,
        tenant.defaultTimezone ?? null,
        tenant.fileQuotaBytes ?? null,
        new Date(),
      ],
    );
    await insertFirstSecrets(client, id, sealer);
    const db = ownerExecutor(client, id);
    await insertTenantVersions(db);
    await insertStreamState(db);
    await insertSigningKey(db, sealer, await newSigningKey());
    const systemUserId = await insertSystemAccount(db);
    await client.query('COMMIT');
    return { id, systemUserId };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Enables an unfinished tenant, which serves requests from then on. */
export async function finishTenant(client: pg.ClientBase, tenantId: number): Promise<void> {
  await client.query('UPDATE tenants SET disabled_at = NULL, unfinished = false WHERE id = $1', [tenantId]);
}
