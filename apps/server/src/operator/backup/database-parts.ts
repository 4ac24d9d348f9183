/** Writes the database of a snapshot: the rows of each table, or an archive of pg_dump. */
import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { readRows, readSequences } from '../copy/index.ts';
import { OperatorError } from '../operator-error.ts';
import type { BackupDatabase, BackupTable, Progress } from './manifest.ts';
import { type BackupPlace, putSealedParts } from './place.ts';
import type { DumpProgram } from './programs.ts';
import type { Snapshot } from './snapshot.ts';

/** Rows compress well at the lowest level; higher ones take a multiple of the time. */
const LEVEL = 1;

/** Writes the rows of every table. @param folder of the backup */
export async function putRows(
  snapshot: Pick<Snapshot, 'client' | 'tables'>,
  place: BackupPlace,
  folder: string,
  progress?: Progress,
): Promise<BackupDatabase & { method: 'rows' }> {
  const { client, tables } = snapshot;
  const written: BackupTable[] = [];
  for (const [index, table] of tables.entries()) {
    progress?.('Copying the rows', index / tables.length);
    const rows = readRows(client, table);
    const path = `database/${String(index + 1).padStart(3, '0')}-${table.sql.replaceAll(/\W/g, '')}.copy.gz`;
    const parts = await putSealedParts(place, folder, path, compressed(rows));
    const { sql: name, columns, refersToItself } = table;
    written.push({ name, columns, refersToItself, rows: rows.rowCount, parts });
  }
  // Numbers are taken outside of transactions: read last, a sequence is never behind the rows.
  return { method: 'rows', tables: written, sequences: await readSequences(client) };
}

/** Writes the archive that pg_dump makes of the snapshot. @throws OperatorError with its message */
export async function putDump(
  snapshot: Snapshot,
  place: BackupPlace,
  folder: string,
  { program, env }: DumpProgram,
): Promise<BackupDatabase> {
  const args = ['--format=custom', '--compress=1', `--snapshot=${snapshot.id}`];
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  ended.catch(() => undefined);
  try {
    const parts = await putSealedParts(place, folder, 'database/dump', child.stdout);
    const code = await ended;
    if (code !== 0) throw new OperatorError(`${program} ended with ${code}: ${said.trim().replaceAll(/\s+/g, ' ')}`);
    return { method: 'pg_dump', parts };
  } finally {
    child.kill();
  }
}

/** The bytes of a stream, compressed. Fails with the stream. */
export async function* compressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: LEVEL });
  const passing = pipeline(source, gzip);
  passing.catch(() => undefined);
  yield* gzip as AsyncIterable<Uint8Array>;
  await passing;
}
