import type { TenantDb } from '@portico/platform/db/tenant-db';

const DAY_MS = 86_400_000;

/** Figures about the use of a tenant. */
interface UseFigures {
  /** Sessions of browsers that have not been removed yet. */
  readonly sessions: number;
  /** Accounts that were used within 24 hours. */
  readonly active: number;
}

/** Counts sessions and active accounts of a tenant. @param now epoch milliseconds */
export async function readUseFigures(db: TenantDb, now: number): Promise<UseFigures> {
  const [row] = await db.query<UseFigures>(
    `SELECT (SELECT count(*) FROM user_sessions WHERE tenant_id = $1 AND NOT unconfirmed) AS sessions,
            (SELECT count(*) FROM users
              WHERE tenant_id = $1 AND last_access_at > $2 AND deleted_at IS NULL AND NOT system_account) AS active`,
    [db.tenantId, new Date(now - DAY_MS)],
  );
  return row!;
}
