/** The state of the database at one moment, which a backup reads while the portal writes. */

import { hasCitus } from '@portico/platform/db/citus';
import { openClient } from '@portico/platform/db/open-client';
import { listSealingKeyIds } from '@portico/platform/db/sealing-keys';
import type pg from 'pg';
import { type CopiedTable, readTables } from '../copy/index.ts';
import { OperatorError } from '../operator-error.ts';

/** How long a table is waited for that a migration changes. Milliseconds. */
const LOCK_MS = 30_000;
/** Values are written so that every server reads them alike. */
export const plainValuesSql = `SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1;
  SET bytea_output = 'hex'; SET timezone = 'UTC'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`;

/** An open transaction that sees one moment, and properties of the database at this moment. */
export interface Snapshot {
  readonly client: pg.Client;
  /** Name by which other sessions, such as those of pg_dump, see the same moment. */
  readonly id: string;
  readonly moment: Date;
  readonly schema: number;
  readonly postgres: string;
  readonly tenants: number;
  readonly tables: readonly CopiedTable[];
  readonly encryptionKeys: readonly string[];
  end(): Promise<void>;
}

/**
 * Begins to read the database as it is now.
 * @throws OperatorError for a role that row security binds, for Citus, and where there is no
 *   installation
 */
export async function openSnapshot(database: pg.ClientConfig): Promise<Snapshot> {
  const client = await openClient(database);
  try {
    await client.query(plainValuesSql);
    await requireReadable(client);
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL lock_timeout = ${LOCK_MS}`);
    const tables = await readTables(client);
    // A migration waits for the end: it would replace tables that are still to be read.
    await client.query(`LOCK TABLE ${tables.map(({ sql }) => sql).join(', ')} IN ACCESS SHARE MODE`);
    const { rows } = await client.query<{
      id: string;
      moment: Date;
      schema: number;
      postgres: string;
      tenants: number;
    }>(
      `SELECT pg_export_snapshot() AS id, now() AS moment, current_setting('server_version') AS postgres,
              (SELECT max(version) FROM portico_migrations) AS schema, (SELECT count(*)::int FROM tenants) AS tenants`,
    );
    return {
      client,
      ...rows[0]!,
      tables,
      encryptionKeys: await listSealingKeyIds(client),
      end: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function requireReadable(client: pg.Client): Promise<void> {
  if (await hasCitus(client))
    throw new OperatorError(
      'The database is a cluster (Citus), which has no snapshot of all its nodes: archive the log of each node, as docs/operating/citus.md says, and report that backup with "portico backup report".',
    );
  const { rows } = await client.query<{ role: string; free: boolean; installed: boolean }>(
    `SELECT current_user AS role, rolsuper OR rolbypassrls AS free, to_regclass('public.portico_migrations') IS NOT NULL AS installed
       FROM pg_roles WHERE rolname = current_user`,
  );
  const { role, free, installed } = rows[0]!;
  if (!installed)
    throw new OperatorError('The database holds no installation of Portico: there is nothing to back up.');
  if (free) return;
  throw new OperatorError(
    `The role "${role}" does not see all rows: make a role that does, as docs/operating/backup.md says, and name it in PORTICO_BACKUP_DATABASE_URL.`,
  );
}
