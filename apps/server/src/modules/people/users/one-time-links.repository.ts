/** SQL of one-time links. Only the links hold their tokens. */

import { createHash, randomBytes } from 'node:crypto';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';
import { fullNameSql } from '../../../kernel/full-name.ts';

export type LinkPurpose = 'invitation' | 'password-reset';

/** Properties of a new link. */
interface NewLink {
  userId: number;
  purpose: LinkPurpose;
  /**
   * True if it is mailed to the contact address of the account, false if it is shown to an
   * operator.
   */
  byMail: boolean;
  /** Epoch milliseconds. */
  now: number;
  expiresAt: number;
}

const TOKEN_BYTES = 32;
const hashOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Inserts links, one for each user.
 * @returns their tokens, of 256 random bits, in the order given
 */
export async function insertLinks(
  tx: TenantTx,
  userIds: readonly number[],
  link: Omit<NewLink, 'userId'>,
): Promise<string[]> {
  const tokens = userIds.map(() => randomBytes(TOKEN_BYTES).toString('base64url'));
  await tx.sendChange(
    'users',
    userIds,
    `INSERT INTO one_time_links (tenant_id, token_hash, user_id, purpose, session_version, contact_email_folded, created_at, expires_at)
     SELECT u.tenant_id, n.token_hash, u.id, $4, u.session_version, CASE WHEN $5 THEN u.contact_email_folded END, $6, $7
       FROM users u JOIN unnest($2::bigint[], $3::bytea[]) AS n (user_id, token_hash) ON n.user_id = u.id WHERE u.tenant_id = $1`,
    [tx.tenantId, userIds, tokens.map(hashOf), link.purpose, link.byMail, new Date(link.now), new Date(link.expiresAt)],
  );
  return tokens;
}

/** Condition of a valid link: `u` is the user, `l` the link, `$3` the time. */
const VALID = `l.used_at IS NULL AND l.expires_at > $3 AND u.session_version = l.session_version
  AND (l.contact_email_folded IS NULL OR l.contact_email_folded = u.contact_email_folded)
  AND u.custom_active AND u.deleted_at IS NULL AND NOT u.blocked AND NOT u.service_account AND NOT u.system_account`;

/** The account that a link lets in. */
interface LinkedAccount {
  userId: number;
  username: string | null;
}

/** @returns undefined for a token that is unknown, used, expired or void */
export async function linkedAccount(
  db: TenantExecutor,
  token: string,
  now: number,
): Promise<LinkedAccount | undefined> {
  const [account] = await db.query<LinkedAccount>(
    `SELECT u.id AS "userId", u.custom_username AS username
       FROM one_time_links l JOIN users u ON u.tenant_id = l.tenant_id AND u.id = l.user_id
      WHERE l.tenant_id = $1 AND l.token_hash = $2 AND ${VALID}`,
    [db.tenantId, hashOf(token), new Date(now)],
  );
  return account;
}

/**
 * Sets the password of the account that a link lets in and ends every sign-in of it, which voids its other links as well.
 * @returns false when the link is not valid any more; of uses at the same time, one gets true
 */
export async function redeemLink(
  tx: TenantTx,
  { userId }: LinkedAccount,
  token: string,
  passwordHash: string,
  now: number,
): Promise<boolean> {
  const hash = hashOf(token);
  const changed = await tx.change(
    'users',
    [userId],
    `UPDATE users u SET password_hash = $4, password_expired = false, session_version = u.session_version + 1,
            credentials_version = credentials_version + 1, credentials_modified_at = $3, credentials_modified_by = u.id
       FROM one_time_links l
      WHERE u.tenant_id = $1 AND l.tenant_id = $1 AND l.token_hash = $2 AND u.id = l.user_id AND ${VALID}`,
    [tx.tenantId, hash, new Date(now), passwordHash],
  );
  if (changed === 0) return false;
  await tx.sendChange(
    'users',
    [userId],
    'UPDATE one_time_links SET used_at = $3 WHERE tenant_id = $1 AND token_hash = $2',
    [tx.tenantId, hash, new Date(now)],
  );
  return true;
}

/** Account with a password that its holder may reset. */
interface ResettableAccount {
  userId: number;
  name: string;
  contactEmail: string;
  language: string | null;
  /** Reset links created since a time. */
  recentLinks: number;
}

/**
 * Finds the account that a forgotten password is of, and holds its row, so that requests at the
 * same time count one another.
 * @param login contact address, or else user name, in any case
 * @param since epoch milliseconds
 */
export async function resettableAccount(
  tx: TenantTx,
  login: string,
  since: number,
): Promise<ResettableAccount | undefined> {
  const [account] = await tx.query<Omit<ResettableAccount, 'recentLinks'>>(
    `SELECT id AS "userId", ${fullNameSql('users')} AS name, contact_email AS "contactEmail", language
       FROM users
      WHERE tenant_id = $1 AND (custom_username_folded = lower($2) OR contact_email_folded = lower($2))
        AND custom_active AND custom_can_manage AND contact_email IS NOT NULL AND deleted_at IS NULL AND NOT blocked
        AND NOT service_account AND NOT system_account
      ORDER BY contact_email_folded IS NOT DISTINCT FROM lower($2) DESC LIMIT 1 FOR NO KEY UPDATE`,
    [tx.tenantId, login],
  );
  if (!account) return undefined;
  const [links] = await tx.query<{ count: number }>(
    `SELECT count(*) AS count FROM one_time_links
      WHERE tenant_id = $1 AND user_id = $2 AND purpose = 'password-reset' AND created_at > $3`,
    [tx.tenantId, account.userId, new Date(since)],
  );
  return { ...account, recentLinks: links!.count };
}

/**
 * Returns whether nobody has signed in to an account or chosen a way to sign in. An invitation must
 * not take over an account that its holder has used.
 */
export async function neverUsed(tx: TenantExecutor, userId: number): Promise<boolean> {
  const [row] = await tx.query<{ used: boolean }>(
    `SELECT u.last_access_at IS NOT NULL OR u.credentials_modified_by = u.id
         OR EXISTS (SELECT FROM audit_entries e WHERE e.tenant_id = $1 AND e.object = 'user' AND e.object_id = $2 AND e.action = 'signedIn')
         OR EXISTS (SELECT FROM user_identities i WHERE i.tenant_id = $1 AND i.user_id = $2)
         OR EXISTS (SELECT FROM passkeys p WHERE p.tenant_id = $1 AND p.user_id = $2)
         OR EXISTS (SELECT FROM totp_factors f WHERE f.tenant_id = $1 AND f.user_id = $2) AS used
       FROM users u WHERE u.tenant_id = $1 AND u.id = $2`,
    [tx.tenantId, userId],
  );
  return row?.used === false;
}

/** Expiry of links. */
export const linksDue: DueWork = { earliest: 'SELECT min(expires_at) FROM one_time_links WHERE tenant_id = $1' };

/** Removes links that have expired. @param now epoch milliseconds */
export async function forgetLinks(db: TenantExecutor, now: number): Promise<void> {
  await db.execute('DELETE FROM one_time_links WHERE tenant_id = $1 AND expires_at <= $2', [
    db.tenantId,
    new Date(now),
  ]);
}
