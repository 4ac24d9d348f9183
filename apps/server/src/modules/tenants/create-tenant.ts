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
  /** A tenant that is being filled serves no request until {@link enableTenant}. */
  disabled?: boolean;
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
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(tenant.name)) {
    throw new TenantError(
      `The tenant name "${tenant.name}" must be lower-case letters, digits and hyphens, at most 63.`,
    );
  }
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
      'INSERT INTO tenants (name, display_name, disabled_at) VALUES ($1, $2, $3) RETURNING id',
      [tenant.name, tenant.displayName ?? tenant.name, tenant.disabled ? new Date() : null],
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

/** Enables a tenant, which serves requests from then on. */
export async function enableTenant(client: pg.ClientBase, tenantId: number): Promise<void> {
  await client.query('UPDATE tenants SET disabled_at = NULL WHERE id = $1', [tenantId]);
}

/**
 * Deletes a tenant with all its rows: the tables in the order that their foreign keys require, in
 * one transaction.
 * @param client the owner's connection, outside a transaction
 */
export async function removeTenant(client: pg.ClientBase, tenantId: number): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'tenant_hosts'`,
  );
  const { rows: edges } = await client.query<{ child: string; parent: string }>(
    `SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
      WHERE contype = 'f' AND conrelid <> confrelid AND connamespace = 'public'::regnamespace`,
  );
  const remaining = new Set(tables.map((table) => table.name));
  await client.query('BEGIN');
  try {
    await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(tenantId)]);
    while (remaining.size > 0) {
      const free = [...remaining].filter(
        (name) => !edges.some((edge) => edge.parent === name && remaining.has(edge.child)),
      );
      if (free.length === 0) throw new Error(`foreign keys form a circle among ${[...remaining].join(', ')}`);
      for (const name of free) {
        await client.query(`DELETE FROM ${client.escapeIdentifier(name)} WHERE tenant_id = $1`, [tenantId]);
        remaining.delete(name);
      }
    }
    await client.query('DELETE FROM tenants WHERE id = $1', [tenantId]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
