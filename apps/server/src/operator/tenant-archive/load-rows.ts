/** Writes the rows of an archive as the rows of a tenant that no request reads yet. */
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { type BackupTable, type ReadablePlace, readParts } from '../backup/index.ts';
import { type CopiedTable, readSequences, writeRows } from '../copy/index.ts';
import { OperatorError } from '../operator-error.ts';
import { ROOT } from './archive-file.ts';
import { type TenantManifest, travellingTables } from './manifest.ts';

/** Pages of rows that one statement inserts: foreign keys are checked at its end. 64 MB. */
const PIECE_PAGES = 8_192;
/** Table that lasts until the end of the transaction. */
const WAITING = 'pg_temp.portico_rows';
/**
 * Numbers left free above the position of a sequence. A sequence is read and set without a lock;
 * other sessions do not take as many numbers meanwhile.
 */
const SEQUENCE_GAP = 1_000;

/** @throws OperatorError unless archive and database have the same tables with the same columns */
export async function requireSameTables(to: pg.Client, { tables }: TenantManifest): Promise<void> {
  const here = (await travellingTables(to)).map(({ sql, columns }) => `${sql}: ${columns}`).sort();
  const there = tables.map(({ name, columns }) => `${name}: ${columns}`).sort();
  const other = here.find((text, index) => there[index] !== text) ?? there[here.length];
  if (other !== undefined) throw new OperatorError(`The archive has other tables than this installation: ${other}.`);
}

/**
 * Writes the rows of all tables, in a transaction of the owner for the tenant.
 * @param to within a transaction that has set app.tenant_id
 */
export async function loadRows(
  to: pg.Client,
  archive: ReadablePlace,
  manifest: TenantManifest,
  tenantId: number,
): Promise<void> {
  const known = new Map((await travellingTables(to)).map((table) => [table.sql, table]));
  for (const table of manifest.tables) {
    if (table.rows > 0) await loadTable(to, archive, table, known.get(table.name) as CopiedTable, tenantId);
  }
}

async function loadTable(
  to: pg.Client,
  archive: ReadablePlace,
  table: BackupTable,
  { sql, columns, refersToItself }: CopiedTable,
  tenantId: number,
): Promise<void> {
  // COPY does not write to a table under row security.
  await to.query(
    `CREATE TEMP TABLE portico_rows ON COMMIT DROP AS SELECT tenant_id, ${columns} FROM ${sql} WITH NO DATA`,
  );
  await to.query(`ALTER TABLE ${WAITING} ALTER COLUMN tenant_id SET DEFAULT ${tenantId}`);
  const unzipped = createGunzip();
  const passing = pipeline(readParts(archive, ROOT, table.parts), unzipped);
  passing.catch(() => undefined);
  const rows = await writeRows(unzipped, to, { sql: WAITING, columns, refersToItself: false });
  await passing;
  if (rows !== table.rows)
    throw new OperatorError(`The archive has ${rows} rows of ${sql} instead of ${table.rows}. Nothing was imported.`);
  const insert = `INSERT INTO ${sql} (tenant_id, ${columns})
    SELECT w.tenant_id, ${columns} FROM ${WAITING} w WHERE w.tenant_id = $1`;
  if (refersToItself) await to.query(insert, [tenantId]);
  else {
    const { rows: sizes } = await to.query<{ pages: number }>(
      `SELECT (pg_relation_size('${WAITING}') / current_setting('block_size')::int)::int AS pages`,
    );
    for (let page = 0; page < sizes[0]!.pages; page += PIECE_PAGES)
      await to.query(`${insert} AND w.ctid >= $2::tid AND w.ctid < $3::tid`, [
        tenantId,
        `(${page},0)`,
        `(${page + PIECE_PAGES},0)`,
      ]);
  }
  await to.query(`DROP TABLE ${WAITING}`);
}

/**
 * Moves sequences above the ids of the other installation, which it may have told to others even
 * where the rows are gone.
 */
export async function raiseSequences(to: pg.Client, { sequences }: TenantManifest): Promise<void> {
  const here = new Set((await readSequences(to)).map(({ name }) => name));
  for (const { name, value, used } of sequences) {
    if (!used || !here.has(name)) continue;
    await to.query(`SELECT setval($1::regclass, $2::bigint + ${SEQUENCE_GAP}) FROM ${name} WHERE last_value <= $2`, [
      name,
      value,
    ]);
  }
}
