/** Making a tenant: an operator's act, done as the owner of the database, who alone may write the registry. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { newSigningKey } from '../auth/index.ts';
import { normaliseHost } from './registry.ts';

export interface NewTenant {
  /** Lower-case letters, digits, hyphens; at most 63 characters. */
  name: string;
  displayName?: string;
  /** Hosts of its base addresses; the first is the primary one. */
  hosts: readonly string[];
}

/** An operator's input that cannot be carried out; the message is one sentence that says why. */
export class TenantError extends Error {
  override name = 'TenantError';
}

/**
 * Makes a tenant with its settings, secrets and first signing key, in the caller's transaction or its own.
 * @param client the owner's connection
 * @returns the tenant's id
 * @throws TenantError when the name is taken or malformed, or a host belongs to another tenant
 */
export async function createTenant(client: pg.ClientBase, tenant: NewTenant): Promise<number> {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(tenant.name)) {
    throw new TenantError(`The tenant name "${tenant.name}" must be lower-case letters, digits and hyphens, at most 63.`);
  }
  const hosts = [...new Set(tenant.hosts.map(normaliseHost))];
  for (const host of hosts) {
    if (!/^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(:\d{1,5})?$/.test(host)) {
      throw new TenantError(`"${host}" is not a host name; write it as in the address, such as portal.example.org or localhost:8080.`);
    }
  }
  await client.query('BEGIN');
  try {
    const taken = await client.query<{ name: string; host: string | null }>(
      `SELECT t.name, h.host FROM tenants t LEFT JOIN tenant_hosts h ON h.tenant_id = t.id
        WHERE t.name = $1 OR h.host = ANY ($2::text[])`,
      [tenant.name, hosts],
    );
    if (taken.rows.some((row) => row.name === tenant.name)) throw new TenantError(`There is a tenant "${tenant.name}" already.`);
    const other = taken.rows[0];
    if (other) throw new TenantError(`The host ${other.host} belongs to the tenant "${other.name}".`);
    const { rows } = await client.query<{ id: string }>(
      'INSERT INTO tenants (name, display_name) VALUES ($1, $2) RETURNING id',
      [tenant.name, tenant.displayName ?? tenant.name],
    );
    const id = Number(rows[0]!.id);
    // The owner is bound by row security too (FORCE), so it names the tenant like everyone else.
    await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(id)]);
    for (const [index, host] of hosts.entries()) {
      await client.query('INSERT INTO tenant_hosts (host, tenant_id, is_primary) VALUES ($1, $2, $3)', [host, id, index === 0]);
    }
    await client.query('INSERT INTO tenant_settings (tenant_id, opaque_secret, link_secret) VALUES ($1, $2, $3)', [
      id,
      randomBytes(32),
      randomBytes(32),
    ]);
    await client.query('INSERT INTO tenant_versions (tenant_id) VALUES ($1)', [id]);
    await client.query('INSERT INTO stream_state (tenant_id) VALUES ($1)', [id]);
    const key = await newSigningKey();
    await client.query(
      'INSERT INTO signing_keys (tenant_id, kid, algorithm, private_jwk, public_jwk) VALUES ($1, $2, $3, $4, $5)',
      [id, key.kid, key.algorithm, JSON.stringify(key.privateJwk), JSON.stringify(key.publicJwk)],
    );
    await client.query('COMMIT');
    return id;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
