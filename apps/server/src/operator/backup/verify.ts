/** Verifies a backup: whether it is complete, unchanged and readable, and which keys it needs. */
import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { findBackup, readManifestOf } from './inventory.ts';
import type { BackupFile, BackupManifest, BackupTable } from './manifest.ts';
import { BackupDamage, type BackupPlace, openParts, readStored, requireIdentity } from './place.ts';
import { findProgram } from './programs.ts';
import { inParallel, readFileList, unzipped } from './stored-files.ts';

/** Result of a verification. */
export interface VerifiedBackup {
  readonly manifest: BackupManifest;
  /** One sentence each; none: the backup is intact. */
  readonly problems: readonly string[];
  /** Limits of the verification, one sentence each. */
  readonly notes: readonly string[];
}

/** Files read at once. */
const READS_AT_ONCE = 4;
/** Problems after which the others are not listed. */
const MOST_PROBLEMS = 100;

/** @param name undefined: the newest whole one  @throws OperatorError when there is no such backup */
export async function verifyBackup(place: BackupPlace, name: string | undefined): Promise<VerifiedBackup> {
  const { manifest, folder } = await findBackup(place, name);
  requireIdentity(place, manifest);
  const problems: string[] = [];
  const notes: string[] = [];
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      // Anything else is a failure of the place, not of the backup.
      if (!isDamage(error)) throw error;
      problems.push(`${(error as Error).message}.`);
    }
  };
  const { database } = manifest;
  if (database.method === 'rows') {
    for (const table of database.tables) await attempt(() => verifyTable(place, folder, manifest, table));
  } else {
    await attempt(async () => void notes.push(...(await verifyDump(place, folder, manifest))));
  }
  if (manifest.base) {
    const { parts } = manifest.base;
    await attempt(async () => {
      for await (const _ of unzipped(openParts(place, folder, manifest, parts)));
    });
  }
  for (const holder of manifest.files.holders) {
    if (!(await readManifestOf(place, holder))) problems.push(`the backup ${holder}, which holds files, is missing.`);
  }
  await attempt(() => verifyFiles(place, folder, manifest, attempt));
  return { manifest, problems: problems.slice(0, MOST_PROBLEMS), notes };
}

/** Damage that a reader of the backup meets: checksums, the compression, the lines of a list. */
function isDamage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof BackupDamage || error instanceof SyntaxError || /^(Z_|ERR_BROTLI)/.test(String(code));
}

/** Reads all rows of a table and counts them. */
async function verifyTable(
  place: BackupPlace,
  folder: string,
  manifest: BackupManifest,
  table: BackupTable,
): Promise<void> {
  const unzipped = createGunzip();
  const passing = pipeline(openParts(place, folder, manifest, table.parts), unzipped);
  passing.catch(() => undefined);
  let rows = 0;
  for await (const chunk of unzipped as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
  }
  await passing;
  if (rows !== table.rows) throw new BackupDamage(`the table ${table.name} has ${rows} rows instead of ${table.rows}`);
}

/** Has pg_restore read the whole archive. @returns notes */
async function verifyDump(place: BackupPlace, folder: string, manifest: BackupManifest): Promise<string[]> {
  if (manifest.database.method !== 'pg_dump') return [];
  const bytes = openParts(place, folder, manifest, manifest.database.parts);
  const program = await findProgram('pg_restore', Number.parseInt(manifest.postgres, 10));
  if (program === undefined) {
    await Readable.from(bytes).resume().toArray();
    return [
      `No pg_restore of version ${manifest.postgres} was found: only the checksums of the database were compared.`,
    ];
  }
  const child = spawn(program, ['--file=/dev/null'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // It ends early only with an error of its own, which is told below.
  await pipeline(bytes, child.stdin).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  if ((await ended) !== 0) throw new BackupDamage(`pg_restore cannot read the database: ${said.trim()}`);
  return [];
}

async function verifyFiles(
  place: BackupPlace,
  folder: string,
  manifest: BackupManifest,
  attempt: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const verify = (file: BackupFile) =>
    attempt(async () => {
      for await (const _ of readStored(place, folder, file));
    });
  let count = 0;
  for await (const _ of inParallel(readFileList(place, manifest, folder), READS_AT_ONCE, verify)) count += 1;
  if (count !== manifest.files.count)
    throw new BackupDamage(`the list of files has ${count} lines instead of ${manifest.files.count}`);
}
