/** SQL of identity providers. */

import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { type SealedPlace, sealingKeyIdSql } from '@portico/platform/sealing';
import { Parameters } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { type PageRequest, readPage, type SortKey } from '../../../kernel/paging/index.ts';
import { type LastChange, staleToken } from '../../../kernel/stale-token.ts';
import { sqlColumns } from '../../columns.ts';
import type { GroupMapping, ProviderSettings } from './providers.policy.ts';

const s = sqlColumns('tenant_settings', 's');

/** A provider with its settings. */
export interface ProviderRow extends ProviderSettings {
  id: number;
  key: string;
  issuer: string;
  sealedClientSecret: Buffer | null;
  version: number;
}

const COLUMNS = `p.id, p.key, p.name, p.issuer, p.client_id AS "clientId", p.sealed_client_secret AS "sealedClientSecret", p.scopes,
  p.enabled, p.creates_users AS "createsUsers", p.links_by_email AS "linksByEmail", p.email_domains AS "emailDomains",
  p.groups_claim AS "groupsClaim", p.version`;

/** Returns the encryption context of a provider's client secret. */
export function placeOfClientSecret(tenantId: number, providerId: number): SealedPlace {
  return { tenantId, table: 'identity_providers', column: 'sealed_client_secret', row: providerId };
}

/** @throws PorticoError 404 */
export async function readProvider(db: TenantExecutor, id: number): Promise<ProviderRow> {
  const [row] = await db.query<ProviderRow>(
    `SELECT ${COLUMNS} FROM identity_providers p WHERE p.tenant_id = $1 AND p.id = $2`,
    [db.tenantId, id],
  );
  if (!row) throw notFound();
  return row;
}

/** Returns the enabled provider with this key. */
export async function enabledProvider(db: TenantExecutor, key: string): Promise<ProviderRow | undefined> {
  const [row] = await db.query<ProviderRow>(
    `SELECT ${COLUMNS} FROM identity_providers p WHERE p.tenant_id = $1 AND p.key = $2 AND p.enabled`,
    [db.tenantId, key],
  );
  return row;
}

/** Lists the enabled providers by name. */
export async function listEnabledProviders(db: TenantExecutor): Promise<{ key: string; name: string }[]> {
  return db.query<{ key: string; name: string }>(
    'SELECT key, name FROM identity_providers WHERE tenant_id = $1 AND enabled ORDER BY name, key',
    [db.tenantId],
  );
}

export async function readGroupMappings(db: TenantExecutor, providerId: number): Promise<GroupMapping[]> {
  return db.query<GroupMapping>(
    `SELECT claim_value AS value, group_id AS "groupId" FROM identity_provider_groups
      WHERE tenant_id = $1 AND provider_id = $2 ORDER BY claim_value, group_id`,
    [db.tenantId, providerId],
  );
}

/** Provider in lists. */
interface ListedProvider {
  id: number;
  key: string;
  name: string;
  issuer: string;
  enabled: boolean;
  linkedUsers: number;
}

export async function listProviderRows(db: TenantExecutor, page: PageRequest<SortKey>) {
  return readPage<ListedProvider>(
    db,
    page,
    {
      select: `p.id, p.key, p.name, p.issuer, p.enabled,
            (SELECT count(DISTINCT i.user_id) FROM user_identities i
              WHERE i.tenant_id = $1 AND i.provider_id = p.id) AS "linkedUsers"`,
      from: 'identity_providers p',
      where: ['p.tenant_id = $1'],
      order: [{ sql: 'p.id', desc: false, type: 'bigint' }],
    },
    new Parameters([db.tenantId]),
  );
}

interface Writing {
  readonly tx: TenantTx;
  readonly now: number;
  readonly by: number;
}

/** @param seal encrypts the client secret for the id of the new provider @returns the id */
export async function insertProvider(
  { tx, now, by }: Writing,
  provider: ProviderSettings & { key: string; issuer: string },
  seal: (id: number) => Buffer | null,
): Promise<number> {
  const [id] = (await takeIds(tx, 'identity_providers', 1)) as [number];
  await tx.createAs(
    'identity_providers',
    [id],
    `INSERT INTO identity_providers (tenant_id, id, key, issuer, name, client_id, sealed_client_secret, scopes, enabled,
        creates_users, links_by_email, email_domains, groups_claim, modified_at, modified_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [tx.tenantId, id, provider.key, provider.issuer, ...valuesOf(provider, seal(id)), new Date(now), by],
  );
  return id;
}

function valuesOf(provider: ProviderSettings, secret: Buffer | null): unknown[] {
  return [
    provider.name,
    provider.clientId,
    secret,
    provider.scopes,
    provider.enabled,
    provider.createsUsers,
    provider.linksByEmail,
    provider.emailDomains,
    provider.groupsClaim,
  ];
}

/**
 * Updates a provider if its token matches.
 * @returns the next token
 * @throws PorticoError 404, 409
 */
export async function updateProvider(
  { tx, now, by }: Writing,
  id: number,
  provider: ProviderSettings,
  secret: Buffer | null,
  expected: number,
): Promise<number> {
  const [row] = await tx.changeRows<{ version: number }>(
    'identity_providers',
    [id],
    `UPDATE identity_providers SET name = $4, client_id = $5, sealed_client_secret = $6, scopes = $7, enabled = $8,
            creates_users = $9, links_by_email = $10, email_domains = $11, groups_claim = $12, modified_at = $13,
            modified_by = $14, version = version + 1
      WHERE tenant_id = $1 AND id = $2 AND version = $3 RETURNING version`,
    [tx.tenantId, id, expected, ...valuesOf(provider, secret), new Date(now), by],
  );
  if (!row) throw await stale(tx, id);
  return row.version;
}

async function stale(tx: TenantTx, id: number): Promise<Error> {
  const [row] = await tx.query<LastChange>(
    `SELECT version, modified_at AS "modifiedAt", modified_by AS "modifierId"
       FROM identity_providers WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, id],
  );
  return row ? staleToken(tx, row) : notFound();
}

/**
 * Replaces the mapped groups of a provider.
 * @returns ids of unknown groups; if there are any, nothing was written
 */
export async function replaceGroupMappings(
  tx: TenantTx,
  providerId: number,
  mappings: readonly GroupMapping[],
): Promise<number[]> {
  const ids = [...new Set(mappings.map(({ groupId }) => groupId))];
  const known = await tx.query<{ id: number }>(
    `SELECT id FROM groups WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL AND NOT system_account
      ORDER BY id FOR SHARE`,
    [tx.tenantId, ids],
  );
  const unknown = ids.filter((id) => !known.some((group) => group.id === id));
  if (unknown.length > 0) return unknown;
  await tx.sendChange(
    'identity_providers',
    [providerId],
    'DELETE FROM identity_provider_groups WHERE tenant_id = $1 AND provider_id = $2',
    [tx.tenantId, providerId],
  );
  await tx.sendChange(
    'identity_providers',
    [providerId],
    `INSERT INTO identity_provider_groups (tenant_id, provider_id, claim_value, group_id)
     SELECT p.tenant_id, p.id, m.claim_value, m.group_id
       FROM identity_providers p, unnest($3::text[], $4::bigint[]) AS m (claim_value, group_id)
      WHERE p.tenant_id = $1 AND p.id = $2`,
    [tx.tenantId, providerId, mappings.map(({ value }) => value), mappings.map(({ groupId }) => groupId)],
  );
  return [];
}

/** Deletes a provider with the links of accounts to it. @throws PorticoError 404 */
export async function deleteProvider(tx: TenantTx, id: number): Promise<void> {
  await tx.beginChange('identity_providers', [id]);
  const linked = await tx.query<{ userId: number }>(
    'SELECT DISTINCT user_id AS "userId" FROM user_identities WHERE tenant_id = $1 AND provider_id = $2',
    [tx.tenantId, id],
  );
  await tx.sendChange(
    'users',
    linked.map(({ userId }) => userId),
    'DELETE FROM user_identities WHERE tenant_id = $1 AND provider_id = $2',
    [tx.tenantId, id],
  );
  await tx.sendChange(
    'identity_providers',
    [id],
    'DELETE FROM identity_provider_groups WHERE tenant_id = $1 AND provider_id = $2',
    [tx.tenantId, id],
  );
  const deleted = await tx.change(
    'identity_providers',
    [id],
    'DELETE FROM identity_providers WHERE tenant_id = $1 AND id = $2',
    [tx.tenantId, id],
  );
  if (deleted === 0) throw notFound();
}

/**
 * Removes client secrets that none of these keys decrypts, and disables their providers.
 * @returns their number
 */
export async function forgetUnreadableClientSecrets(db: TenantExecutor, keyIds: readonly string[]): Promise<number> {
  return db.execute(
    `UPDATE identity_providers SET sealed_client_secret = NULL, enabled = false, version = version + 1
      WHERE tenant_id = $1 AND ${sealingKeyIdSql('sealed_client_secret')} <> ALL ($2::text[])`,
    [db.tenantId, keyIds],
  );
}

/** Returns whether people must sign in by a provider while none is enabled. */
export async function lacksRequiredProvider(tx: TenantExecutor): Promise<boolean> {
  const [row] = await tx.query(
    `SELECT FROM tenant_settings s WHERE s.tenant_id = $1 AND ${s.require_provider}
        AND NOT EXISTS (SELECT FROM identity_providers p WHERE p.tenant_id = $1 AND p.enabled)`,
    [tx.tenantId],
  );
  return row !== undefined;
}
