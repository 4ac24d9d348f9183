/** SQL of the links between accounts and identities of providers, and of completed sign-ins. */

import { createHash } from 'node:crypto';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import { sqlColumns } from '../../columns.ts';

const s = sqlColumns('tenant_settings', 's');

/** Account that an identity is linked to, or may be. */
export interface LinkedAccount {
  userId: number;
  sessionVersion: number;
  /** Whether the account belongs to a person and is neither blocked nor deleted. */
  active: boolean;
}

const ACTIVE = 'NOT u.blocked AND u.deleted_at IS NULL AND NOT u.service_account AND NOT u.system_account';

export async function linkedAccount(
  db: TenantExecutor,
  providerId: number,
  subject: string,
): Promise<LinkedAccount | undefined> {
  const [row] = await db.query<LinkedAccount>(
    `SELECT u.id AS "userId", u.session_version AS "sessionVersion", ${ACTIVE} AS active
       FROM user_identities i JOIN users u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
      WHERE i.tenant_id = $1 AND i.provider_id = $2 AND i.subject = $3`,
    [db.tenantId, providerId, subject],
  );
  return row;
}

/** Returns the account with a contact address, except deleted ones. */
export async function accountByEmail(
  db: TenantExecutor,
  providerId: number,
  email: string,
): Promise<(LinkedAccount & { person: boolean; linked: boolean }) | undefined> {
  const [row] = await db.query<LinkedAccount & { person: boolean; linked: boolean }>(
    `SELECT u.id AS "userId", u.session_version AS "sessionVersion", ${ACTIVE} AS active,
            NOT u.service_account AND NOT u.system_account AS person,
            EXISTS (SELECT FROM user_identities i
                     WHERE i.tenant_id = $1 AND i.user_id = u.id AND i.provider_id = $2) AS linked
       FROM users u WHERE u.tenant_id = $1 AND u.contact_email_folded = lower($3) AND u.deleted_at IS NULL`,
    [db.tenantId, providerId, email],
  );
  return row;
}

export async function insertIdentity(
  { tx, now }: WriteScope,
  providerId: number,
  subject: string,
  userId: number,
): Promise<void> {
  await tx.sendChange(
    'users',
    [userId],
    'INSERT INTO user_identities (tenant_id, provider_id, subject, user_id, linked_at) VALUES ($1, $2, $3, $4, $5)',
    [tx.tenantId, providerId, subject, userId, new Date(now)],
  );
}

/** An identity of an account. */
interface IdentityRow {
  providerId: number;
  key: string;
  name: string;
  enabled: boolean;
  subject: string;
  /** Epoch milliseconds. */
  linkedAt: number;
}

export async function identitiesOf(db: TenantExecutor, userId: number): Promise<IdentityRow[]> {
  return db.query<IdentityRow>(
    `SELECT p.id AS "providerId", p.key, p.name, p.enabled, i.subject, i.linked_at AS "linkedAt"
       FROM user_identities i JOIN identity_providers p ON p.tenant_id = i.tenant_id AND p.id = i.provider_id
      WHERE i.tenant_id = $1 AND i.user_id = $2 ORDER BY p.id, i.subject`,
    [db.tenantId, userId],
  );
}

/** @returns false when the account has no identity at the provider */
export async function deleteIdentity(tx: TenantTx, userId: number, providerId: number): Promise<boolean> {
  const deleted = await tx.change(
    'users',
    [userId],
    'DELETE FROM user_identities WHERE tenant_id = $1 AND user_id = $2 AND provider_id = $3',
    [tx.tenantId, userId, providerId],
  );
  return deleted > 0;
}

/** Returns whether a person can sign in by a password or by an identity at an enabled provider. */
export async function hasOtherSignIn(db: TenantExecutor, userId: number): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(
    `SELECT NOT ${s.require_provider} AND u.custom_active AND u.password_hash IS NOT NULL OR EXISTS (
              SELECT FROM user_identities i JOIN identity_providers p ON p.tenant_id = i.tenant_id AND p.id = i.provider_id
               WHERE i.tenant_id = $1 AND i.user_id = $2 AND p.enabled) AS has
       FROM users u JOIN tenant_settings s ON s.tenant_id = u.tenant_id WHERE u.tenant_id = $1 AND u.id = $2`,
    [db.tenantId, userId],
  );
  return row?.has === true;
}

/** Marks the state of a sign-in, or of a trial, as used. @returns false when it was used before */
export async function takeState(db: TenantExecutor, state: string, expiresAt: number): Promise<boolean> {
  const hash = createHash('sha256').update(state).digest();
  const written = await db.execute(
    `INSERT INTO used_sign_in_states (tenant_id, state_hash, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [db.tenantId, hash, new Date(expiresAt)],
  );
  return written === 1;
}

/** Expiry of the states of sign-ins. */
export const signInStatesDue: DueWork = {
  earliest: 'SELECT min(expires_at) FROM used_sign_in_states WHERE tenant_id = $1',
};

/** Deletes expired states of sign-ins. @returns their number */
export async function forgetSignInStates(db: TenantExecutor, now: number): Promise<number> {
  return db.execute('DELETE FROM used_sign_in_states WHERE tenant_id = $1 AND expires_at < $2', [
    db.tenantId,
    new Date(now),
  ]);
}
