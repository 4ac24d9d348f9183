/** The record of backups in the database, from which `/metrics` tells how old the newest is. */
import type pg from 'pg';
import { openClient } from './open-client.ts';

/** A finished backup, of Portico or of another tool. */
interface BackupRecord {
  readonly tool: string;
  readonly name: string;
  readonly kind: string;
  /** Where it is, in words. */
  readonly place: string;
  /** The time whose state it holds. */
  readonly moment: Date;
  readonly bytes: number | null;
}

/** Records kept for each tool. */
const KEPT = 1_000;

/** Records a backup. A database of an earlier schema keeps no record. @param owner of the database */
export async function recordBackup(owner: pg.ClientConfig, record: BackupRecord): Promise<void> {
  const client = await openClient(owner);
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `SELECT to_regclass('public.portico_backups') IS NOT NULL AS there`,
    );
    if (!rows[0]?.there) return;
    const { tool, name, kind, place, moment, bytes } = record;
    await client.query(
      `INSERT INTO portico_backups (tool, name, kind, place, moment, finished_at, bytes)
       VALUES ($1, $2, $3, $4, $5, now(), $6)
       ON CONFLICT (tool, name) DO UPDATE
         SET kind = EXCLUDED.kind, place = EXCLUDED.place, moment = EXCLUDED.moment,
             finished_at = EXCLUDED.finished_at, bytes = EXCLUDED.bytes`,
      [tool, name, kind, place, moment, bytes],
    );
    await client.query(
      `DELETE FROM portico_backups WHERE tool = $1 AND moment <
         (SELECT moment FROM portico_backups WHERE tool = $1 ORDER BY moment DESC OFFSET ${KEPT - 1} LIMIT 1)`,
      [tool],
    );
  } finally {
    await client.end();
  }
}
