/**
 * Copying an installation to another database server: from the embedded PostgreSQL to a server, to a cluster (Citus), or back.
 * Migrations make schema and roles there; rows, ids and the numbers of sequences are copied as they are, in one transaction that is
 * committed only when both sides hold the same.
 */

import { hasCitus, prepareSession } from '@portico/platform/db/citus';
import { parentsFirst, readForeignKeys } from '@portico/platform/db/foreign-keys';
import { openClient } from '@portico/platform/db/open-client';
import { copySealingKeyIds } from '@portico/platform/db/sealing-keys';
import type pg from 'pg';
import { voidMarksSql } from '../../modules/communities/index.ts';
import { adoptChangesSql } from '../../modules/records/index.ts';
import { OperatorError } from '../operator-error.ts';
import { type CopiedTable, copyRows } from './copy-rows.ts';

/** Each database has its own. */
const NOT_COPIED = ['portico_migrations', 'portico_owner_secrets'];
/** How long a table is waited for that others use. Milliseconds. */
const LOCK_MS = 10_000;
/** SQLSTATE: a lock was not granted in that time. */
const LOCK_NOT_AVAILABLE = '55P03';
/** Number of rows from which a table is reported. */
const TOLD_ROWS = 100_000;

/** Result of a copy. */
export interface CopyReport {
  tables: number;
  rows: number;
  /** Whether the target has Citus. */
  citus: boolean;
}

/**
 * Copies everything into an empty database of the same schema.
 * @param source the owner @param target the owner
 * @param tell called with a sentence for each step
 * @throws OperatorError when nodes use the source, the target holds rows, or both differ in the
 *   end: the target stays empty then
 */
export async function copyDatabase(
  source: pg.ClientConfig,
  target: pg.ClientConfig,
  tell: (sentence: string) => void,
): Promise<CopyReport> {
  const from = await openClient(source);
  try {
    const to = await openClient(target);
    try {
      return await copyBetween(from, to, tell);
    } finally {
      await to.end();
    }
  } finally {
    await from.end();
  }
}

async function copyBetween(from: pg.Client, to: pg.Client, tell: (sentence: string) => void): Promise<CopyReport> {
  await refuseNodes(from);
  const tables = await readTables(from);
  for (const client of [from, to]) await prepareCopy(client);
  // Rows are compared as texts, which a cluster makes on its workers: SET LOCAL reaches them.
  for (const client of [from, to]) await client.query(`BEGIN; SET LOCAL timezone = 'UTC'`);
  await lockTables(from, tables);
  const forced = await readForced(to);
  // Row security binds an owner that is no superuser, too. Here it is undone by ROLLBACK.
  for (const name of await readForced(from)) await from.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
  for (const name of forced) await to.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
  for (const table of tables) await refuseRows(to, table);

  tell(`Copying ${tables.length} tables.`);
  let rows = 0;
  for (const table of tables) {
    await copyRows(from, to, table);
    const count = await compare(from, to, table);
    rows += count;
    if (count >= TOLD_ROWS) tell(`${table.sql}: ${count} rows.`);
  }
  await copySequences(from, to);
  await copySealingKeyIds(from, to);
  // Ids of transactions of one server say nothing on another.
  await to.query(adoptChangesSql);
  await to.query(voidMarksSql);
  for (const name of forced) await to.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
  await to.query('COMMIT');
  await from.query('ROLLBACK');
  // By name: on a cluster a bare ANALYZE does not reach the rows.
  await to.query(`ANALYZE ${tables.map(({ sql }) => sql).join(', ')}`);
  return { tables: tables.length, rows, citus: await hasCitus(to) };
}

/** @throws OperatorError while a node is connected: the copy would miss its later writes */
async function refuseNodes(from: pg.Client): Promise<void> {
  const { rows } = await from.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name ~ ' schema \\d{1,6}$'`,
  );
  if (Number(rows[0]!.count) > 0)
    throw new OperatorError('Nodes or commands are connected to the database: stop all of them first.');
}

/** The copied tables; a table comes after the tables that it refers to. */
export async function readTables(from: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await from.query<{ name: string; columns: string[]; refersToItself: boolean }>(
    `SELECT c.relname AS name,
            ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attname) AS columns,
            EXISTS (SELECT FROM pg_constraint k WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.confrelid = c.oid) AS "refersToItself"
       FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($1)
        AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')
      ORDER BY c.relname`,
    [NOT_COPIED],
  );
  const byName = new Map(rows.map((row) => [row.name, row]));
  return parentsFirst([...byName.keys()], await readForeignKeys(from)).map((name) => {
    const { columns, refersToItself } = byName.get(name)!;
    return { sql: from.escapeIdentifier(name), columns: columns.join(', '), refersToItself };
  });
}

/** Lifts the time limits of a session that copies rows, and prepares a cluster for it. */
export async function prepareCopy(client: pg.Client): Promise<void> {
  // Each side waits while the other one works.
  await client.query(
    `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = ${LOCK_MS}`,
  );
  if (!(await hasCitus(client))) return;
  await prepareSession(client);
  await client.query(`SET citus.propagate_set_commands = 'local'`);
}

/** From now on nobody writes to the source. */
async function lockTables(from: pg.Client, tables: readonly CopiedTable[]): Promise<void> {
  try {
    await from.query(`LOCK TABLE ${tables.map(({ sql }) => sql).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new OperatorError('Others use the tables of the database; end their transactions first.', { cause: error });
  }
}

/** Tables whose owner is bound by row security, ready for SQL. */
export async function readForced(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relforcerowsecurity ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

/** @throws OperatorError when a table has rows */
export async function refuseRows(to: pg.Client, { sql }: CopiedTable): Promise<void> {
  const { rows } = await to.query(`SELECT FROM ${sql} LIMIT 1`);
  if (rows.length > 0)
    throw new OperatorError(`The database to copy to is not empty: it has rows in ${sql}. Give an empty one.`);
}

/** @returns how many rows there are  @throws OperatorError when the copy has others */
async function compare(from: pg.Client, to: pg.Client, { sql, columns }: CopiedTable): Promise<number> {
  const text = `SELECT count(*)::text AS rows, sum(hashtextextended(ROW(${columns})::text, 0))::text AS hash FROM ${sql}`;
  const [here, there] = await Promise.all(
    [from, to].map(async (client) => (await client.query<{ rows: string; hash: string | null }>(text)).rows[0]!),
  );
  if (here!.rows !== there!.rows || here!.hash !== there!.hash)
    throw new OperatorError(
      `The copy of ${sql} differs: ${there!.rows} rows for ${here!.rows}. Nothing was copied; check both servers.`,
    );
  return Number(here!.rows);
}

/** Where a sequence stands; `value` is a bigint as text. */
interface SequenceState {
  /** Ready for SQL. */
  readonly name: string;
  readonly value: string;
  readonly used: boolean;
}

async function copySequences(from: pg.Client, to: pg.Client): Promise<void> {
  for (const state of await readSequences(from)) await setSequence(to, state);
}

/** Sets a sequence to where another one stands. */
export async function setSequence(to: pg.ClientBase, { name, value, used }: SequenceState): Promise<void> {
  await to.query('SELECT setval($1::regclass, $2::bigint, $3)', [name, value, used]);
}

/** Reads where each sequence stands. */
export async function readSequences(from: pg.ClientBase): Promise<SequenceState[]> {
  const { rows } = await from.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' ORDER BY relname`,
  );
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const { rows: found } = await from.query<{ value: string; used: boolean }>(
      `SELECT last_value::text AS value, is_called AS used FROM ${name}`,
    );
    states.push({ name, ...found[0]! });
  }
  return states;
}
