import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { lastUseParameters, usedRowsSql } from '../../../kernel/last-uses.ts';
import { recordTokenUses } from '../auth/personal-tokens.repository.ts';
import { recordKeyUses } from '../auth/service-account-keys.ts';
import { recordSessionUses, type SessionUse } from '../auth/sessions.repository.ts';

/** Times closer together than this are one access. */
export const ACCESS_INTERVAL_MS = 60_000;

/**
 * Records when users last used the portal, for the administrative list. Call it in batches, after
 * responses were sent. Skips a user whose row a write has locked, until the next call: no request
 * waits for this.
 * @param accesses by user id, the time of the last access in epoch milliseconds
 */
export async function recordAccess(db: TenantExecutor, accesses: ReadonlyMap<number, number>): Promise<void> {
  if (accesses.size === 0) return;
  await db.execute(
    `UPDATE users u SET last_access_at = seen.at FROM ${usedRowsSql('users')} seen
      WHERE u.tenant_id = $1 AND u.id = seen.id AND (u.last_access_at IS NULL OR u.last_access_at < seen.before)`,
    lastUseParameters(db, accesses, ACCESS_INTERVAL_MS),
  );
}

/**
 * Sets when users last used the portal and when they accepted its terms, for generated or imported
 * data.
 */
export async function backfillAccess(
  db: TenantExecutor,
  users: readonly { id: number; lastAccessAt: Date; termsAcceptedAt: Date }[],
): Promise<void> {
  await db.execute(
    `UPDATE users u SET last_access_at = s.last, terms_accepted_at = s.terms
       FROM unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[]) AS s (id, last, terms)
      WHERE u.tenant_id = $1 AND u.id = s.id`,
    [
      db.tenantId,
      users.map((user) => user.id),
      users.map((user) => user.lastAccessAt),
      users.map((user) => user.termsAcceptedAt),
    ],
  );
}

/**
 * Times at which users, keys, sessions and personal access tokens were last used, by id. Epoch
 * milliseconds.
 */
interface Seen {
  users: Map<number, number>;
  keys: Map<number, number>;
  sessions: Map<number, SessionUse>;
  tokens: Map<number, number>;
}

/** Collects accesses and writes them from time to time, so that a read does not cost a write. */
export class AccessRecorder {
  readonly #databases: { for(tenantId: number): TenantExecutor };
  #seen = new Map<number, Seen>();

  constructor(databases: { for(tenantId: number): TenantExecutor }) {
    this.#databases = databases;
  }

  /**
   * @param by the service-account key of the sign-in, the session and whether its newest secret was
   * used, or the personal access token
   * @param now epoch milliseconds
   */
  note(
    tenantId: number,
    userId: number,
    by: {
      keyId?: number | null;
      session?: { id: number; settled: boolean } | undefined;
      personalTokenId?: number | undefined;
    },
    now: number,
  ): void {
    let seen = this.#seen.get(tenantId);
    if (!seen) {
      seen = { users: new Map(), keys: new Map(), sessions: new Map(), tokens: new Map() };
      this.#seen.set(tenantId, seen);
    }
    seen.users.set(userId, now);
    const { keyId, session, personalTokenId } = by;
    if (keyId !== null && keyId !== undefined) seen.keys.set(keyId, now);
    if (personalTokenId !== undefined) seen.tokens.set(personalTokenId, now);
    if (session)
      seen.sessions.set(session.id, {
        at: now,
        settledAt: session.settled ? now : (seen.sessions.get(session.id)?.settledAt ?? null),
      });
  }

  /** Writes the accesses recorded since the last call. */
  async flush(): Promise<void> {
    const seen = this.#seen;
    this.#seen = new Map();
    for (const [tenantId, { users, keys, sessions, tokens }] of seen) {
      const db = this.#databases.for(tenantId);
      await recordAccess(db, users);
      await recordKeyUses(db, keys);
      await recordSessionUses(db, sessions);
      await recordTokenUses(db, tokens);
    }
  }
}
