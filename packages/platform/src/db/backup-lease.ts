/**
 * The lease of a running backup. While a backup holds it, no file is removed from the storage, so
 * that every file of the backup's snapshot can still be read. The lease is a lock of a database
 * session: it ends with the session, and so with the process or the machine of the backup.
 */
import type pg from 'pg';
import { openClient } from './open-client.ts';

const LOCK = `hashtextextended('portico.backup', 0)`;
/** How long a backup waits for removals of files that are under way. Milliseconds. */
const LOCK_MS = 30_000;
/** SQLSTATE: a lock was not granted in that time. */
const LOCK_NOT_AVAILABLE = '55P03';
/** The server notices a machine that is gone after about two minutes. Seconds, and attempts. */
const KEEP_ALIVE = { idle: 60, interval: 15, count: 4 };

/**
 * SQL that says whether no backup runs, as `free`; `$1` is the tenant. Asked after the rows of a
 * file are gone: a backup that begins later does not see these rows, and needs no such file.
 */
export const noBackupRunsSql = `SELECT pg_try_advisory_xact_lock_shared(${LOCK}) AS free WHERE $1::bigint IS NOT NULL`;

/** A held lease. */
interface BackupLease {
  /** @throws Error when the session has ended, and the lease with it */
  check(): Promise<void>;
  release(): Promise<void>;
}

/** @returns undefined when another backup holds the lease */
export async function takeBackupLease(database: pg.ClientConfig): Promise<BackupLease | undefined> {
  const client = await openClient({ ...database, keepAlive: true });
  try {
    const { idle, interval, count } = KEEP_ALIVE;
    await client.query(`SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0`);
    await client.query(
      `SET tcp_keepalives_idle = ${idle}; SET tcp_keepalives_interval = ${interval}; SET tcp_keepalives_count = ${count}`,
    );
    // A transaction: behind a pooler, a lock of a session would be another client's.
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_MS}`);
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
  } catch (error) {
    await client.end();
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return undefined;
    throw error;
  }
  return {
    check: async () => void (await client.query('SELECT')),
    release: async () => {
      // The end of the session alone would release the lock a moment later. A lost session holds none.
      await client.query('COMMIT').catch(() => undefined);
      await client.end();
    },
  };
}
