/** SQL of sessions. Only the browser has the secret; the database stores hashes. */
import { createHash } from 'node:crypto';
import type { TenantDb, TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { type ActorState, actorStateColumns } from '../../../kernel/access/index.ts';

interface NewSession {
  userId: number;
  /** Version of the account's sign-ins when the credential was checked. */
  sessionVersion: number;
  secret: string;
  userAgent: string | undefined;
  address: string | undefined;
  /** See {@link OpenSession}. */
  unconfirmed: boolean;
  /** The identity provider that authenticated the person. */
  providerId: number | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** A session that has not ended, with the state of its user. */
export interface OpenSession extends ActorState {
  id: number;
  userId: number;
  /** False for the secret before the last renewal. */
  current: boolean;
  /** True for a session that a provider began and no second factor has confirmed. */
  unconfirmed: boolean;
  /** True for a session that an identity provider began. */
  byProvider: boolean;
  /** Epoch milliseconds, like the other times. */
  renewedAt: number;
  createdAt: number;
}

/** Properties of a session that may change while a connection lasts. */
export type SessionState = ActorState & Pick<OpenSession, 'unconfirmed' | 'byProvider'>;

/** A session as its holder sees it. */
interface ListedSession {
  id: number;
  createdAt: number;
  lastUsedAt: number;
  userAgent: string | null;
  address: string | null;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/**
 * SQL of sessions `s` of users `u` that have not ended. @param idle, created SQL of the times after
 * which they were used and created
 */
const openSql = (idle: string, created: string) =>
  `s.session_version = u.session_version AND NOT u.blocked AND u.deleted_at IS NULL
   AND s.last_used_at > ${idle} AND s.created_at > ${created}`;

/**
 * Adds a session, and deletes the oldest sessions above a number.
 * @param keep maximum number of sessions of the person
 * @returns its id, or undefined when the sign-ins of the account have ended, or its identity was
 * unlinked, since the credential was checked
 */
export async function insertSession(db: TenantDb, session: NewSession, keep: number): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    // Lock the row: otherwise a simultaneous change of the account would record the new session in
    // the audit log as its own, and simultaneous sign-ins could leave more than `keep` sessions.
    const [user] = await tx.query<{ sessionVersion: number }>(
      `SELECT session_version AS "sessionVersion" FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
      [tx.tenantId, session.userId],
    );
    if (user?.sessionVersion !== session.sessionVersion) return undefined;
    if (session.providerId !== undefined) {
      // Locked: a request that unlinks the identity or deletes the provider waits for this session
      // and ends it.
      const linked = await tx.query(
        'SELECT FROM user_identities WHERE tenant_id = $1 AND user_id = $2 AND provider_id = $3 FOR KEY SHARE',
        [tx.tenantId, session.userId, session.providerId],
      );
      if (linked.length === 0) return undefined;
    }
    await tx.send(
      `DELETE FROM user_sessions s WHERE s.tenant_id = $1 AND s.user_id = $2
          AND s.id IN (SELECT o.id FROM user_sessions o WHERE o.tenant_id = $1 AND o.user_id = $2
                        ORDER BY o.last_used_at DESC OFFSET $3)`,
      [tx.tenantId, session.userId, keep - 1],
    );
    const [row] = await tx.query<{ id: number }>(
      `INSERT INTO user_sessions (tenant_id, user_id, session_version, secret_hash, renewed_at, created_at, last_used_at, user_agent, address, unconfirmed, provider_id)
       VALUES ($1, $2, $3, $4, $5, $5, $5, $6, $7, $8, $9) RETURNING id`,
      [
        tx.tenantId,
        session.userId,
        session.sessionVersion,
        hashOf(session.secret),
        new Date(session.now),
        session.userAgent ?? null,
        session.address ?? null,
        session.unconfirmed,
        session.providerId ?? null,
      ],
    );
    return row?.id;
  });
}

/**
 * Reads a session: the first statement of a request with a session.
 * @param idleSince, createdSince epoch milliseconds: sessions last used or created before them have
 * ended
 */
export async function readSession(
  db: TenantExecutor,
  id: number,
  secret: string,
  idleSince: number,
  createdSince: number,
): Promise<OpenSession | undefined> {
  const [session] = await db.query<OpenSession>(
    `SELECT s.id, s.user_id AS "userId", s.secret_hash = $3 AS current, s.renewed_at AS "renewedAt", s.created_at AS "createdAt",
            s.unconfirmed, s.provider_id IS NOT NULL AS "byProvider", false AS "keyRevoked", ${actorStateColumns}
       FROM user_sessions s
       JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
       JOIN tenant_versions v ON v.tenant_id = s.tenant_id
      WHERE s.tenant_id = $1 AND s.id = $2 AND (s.secret_hash = $3 OR s.previous_hash = $3) AND ${openSql('$4', '$5')}`,
    [db.tenantId, id, hashOf(secret), new Date(idleSince), new Date(createdSince)],
  );
  return session;
}

/**
 * Reads the state of the user of a session that has not ended. @param idleSince, createdSince as
 * for {@link readSession}
 */
export async function readSessionState(
  db: TenantExecutor,
  id: number,
  idleSince: number,
  createdSince: number,
): Promise<SessionState | undefined> {
  const [state] = await db.query<SessionState>(
    `SELECT s.unconfirmed, s.provider_id IS NOT NULL AS "byProvider", false AS "keyRevoked", ${actorStateColumns}
       FROM user_sessions s
       JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
       JOIN tenant_versions v ON v.tenant_id = s.tenant_id
      WHERE s.tenant_id = $1 AND s.id = $2 AND ${openSql('$3', '$4')}`,
    [db.tenantId, id, new Date(idleSince), new Date(createdSince)],
  );
  return state;
}

/**
 * Renews the secret of a session. The former secret stays valid until the browser has used the new
 * one. Skips a session that another request is renewing.
 * @returns false when another request has renewed it meanwhile
 */
export async function renewSecret(
  db: TenantExecutor,
  { id, renewedAt }: Pick<OpenSession, 'id' | 'renewedAt'>,
  sent: string,
  secret: string,
  now: number,
): Promise<boolean> {
  const renewed = await db.execute(
    `UPDATE user_sessions s SET previous_hash = $3, secret_hash = $4, renewed_at = $5
      WHERE s.tenant_id = $1 AND s.id IN (SELECT o.id FROM user_sessions o WHERE o.tenant_id = $1 AND o.id = $2 FOR UPDATE SKIP LOCKED)
        AND (s.secret_hash = $3 OR s.previous_hash = $3) AND s.renewed_at = $6`,
    [db.tenantId, id, hashOf(sent), hashOf(secret), new Date(now), new Date(renewedAt)],
  );
  return renewed === 1;
}

/** Minimum interval between recorded uses, in milliseconds. */
const USE_INTERVAL_MS = 5 * 60_000;

/** Uses of a session. */
export interface SessionUse {
  /** Last use. Epoch milliseconds. */
  at: number;
  /**
   * Last use at which the browser certainly had the newest secret, so that the former one can be
   * deleted. Epoch milliseconds.
   */
  settledAt: number | null;
}

/** Records uses of sessions. Skips locked sessions until the next time, so that nobody waits. */
export async function recordSessionUses(db: TenantExecutor, uses: ReadonlyMap<number, SessionUse>): Promise<void> {
  if (uses.size === 0) return;
  const entries = [...uses].sort(([a], [b]) => a - b);
  await db.execute(
    // Keep the former secret if the renewal came after the use: the browser may not have received
    // the new one.
    `UPDATE user_sessions s SET last_used_at = greatest(s.last_used_at, seen.at),
            previous_hash = CASE WHEN s.renewed_at < seen.settled THEN NULL ELSE s.previous_hash END
       FROM (SELECT free.id, a.at, a.before, a.settled
               FROM unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[]) AS a (id, at, before, settled)
               JOIN (SELECT id FROM user_sessions
                      WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) FOR UPDATE SKIP LOCKED) free ON free.id = a.id) seen
      WHERE s.tenant_id = $1 AND s.id = seen.id
        AND (s.last_used_at < seen.before OR s.previous_hash IS NOT NULL AND s.renewed_at < seen.settled)`,
    [
      db.tenantId,
      entries.map(([id]) => id),
      entries.map(([, { at }]) => new Date(at)),
      entries.map(([, { at }]) => new Date(at - USE_INTERVAL_MS)),
      entries.map(([, { settledAt }]) => (settledAt === null ? null : new Date(settledAt))),
    ],
  );
}

/** Returns the sessions of a person that have not ended, the last used first. */
export async function listOpenSessions(
  db: TenantExecutor,
  userId: number,
  idleSince: number,
  createdSince: number,
): Promise<ListedSession[]> {
  return db.query<ListedSession>(
    `SELECT s.id, s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt", s.user_agent AS "userAgent", s.address
       FROM user_sessions s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
      WHERE s.tenant_id = $1 AND s.user_id = $2 AND ${openSql('$3', '$4')}
      ORDER BY s.last_used_at DESC, s.id DESC`,
    [db.tenantId, userId, new Date(idleSince), new Date(createdSince)],
  );
}

/** A single session; all except one, or all (null); or the sessions that an identity provider began. */
type SessionChoice = { only: number } | { except: number | null } | { providerId: number };

function conditionOf(which: SessionChoice): [sql: string, value: number | null] {
  if ('only' in which) return ['id = $3', which.only];
  if ('providerId' in which) return ['provider_id = $3', which.providerId];
  return ['id IS DISTINCT FROM $3', which.except];
}

/**
 * Ends sessions of a person.
 * @returns the number of ended sessions
 */
export async function deleteSessions(tx: TenantTx, userId: number, which: SessionChoice): Promise<number> {
  const [condition, value] = conditionOf(which);
  return tx.change(
    'users',
    [userId],
    `DELETE FROM user_sessions WHERE tenant_id = $1 AND user_id = $2 AND ${condition}`,
    [tx.tenantId, userId, value],
  );
}

/** Ends all sessions that an identity provider began. */
export async function deleteSessionsOfProvider(tx: TenantTx, providerId: number): Promise<void> {
  const rows = await tx.query<{ userId: number }>(
    'SELECT DISTINCT user_id AS "userId" FROM user_sessions WHERE tenant_id = $1 AND provider_id = $2',
    [tx.tenantId, providerId],
  );
  const holders = rows.map(({ userId }) => userId);
  await tx.sendChange('users', holders, 'DELETE FROM user_sessions WHERE tenant_id = $1 AND provider_id = $2', [
    tx.tenantId,
    providerId,
  ]);
}

/** Marks a session as confirmed by a second factor. */
export async function markConfirmed(db: TenantExecutor, id: number): Promise<void> {
  await db.execute('UPDATE user_sessions SET unconfirmed = false WHERE tenant_id = $1 AND id = $2', [db.tenantId, id]);
}

/** Ends the session with a secret. */
export async function deleteSessionOf(db: TenantExecutor, id: number, secret: string): Promise<void> {
  await db.execute(
    'DELETE FROM user_sessions WHERE tenant_id = $1 AND id = $2 AND (secret_hash = $3 OR previous_hash = $3)',
    [db.tenantId, id, hashOf(secret)],
  );
}

/** Deletes sessions that have expired. */
export async function deleteEndedSessions(db: TenantExecutor, idleSince: number, createdSince: number): Promise<void> {
  await db.execute('DELETE FROM user_sessions WHERE tenant_id = $1 AND (last_used_at <= $2 OR created_at <= $3)', [
    db.tenantId,
    new Date(idleSince),
    new Date(createdSince),
  ]);
}
