import { randomBytes, randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { POSTGRES_MAJOR, programPath } from './binaries.ts';
import { EmbeddedPostgresError, errno } from './errors.ts';
import type { ProgramResult } from './launch.ts';
import { isRoot, runProgram } from './launch.ts';
import type { Placement } from './placement.ts';
import { clusterDirOf, giveTo } from './placement.ts';

/** The superuser of the embedded cluster. The service itself connects as a lesser role that the migrations make. */
export const OWNER_ROLE = 'portico_owner';

/** The database of the embedded cluster. */
export const DATABASE = 'portico';

/**
 * Reads the owner's password from `<dataDir>/postgres-password`.
 *
 * @returns null when there is none yet.
 * @throws EmbeddedPostgresError `wrong_owner` when the file is another user's.
 */
export function readPassword(dataDir: string): string | null {
  const file = passwordFile(dataDir);
  try {
    const password = readFileSync(file, 'utf8').trim();
    return password === '' ? null : password;
  } catch (error) {
    if (errno(error) === 'ENOENT') return null;
    if (errno(error) === 'EACCES') {
      throw new EmbeddedPostgresError(
        'wrong_owner',
        `The database in ${dataDir} belongs to another user (${file} cannot be read): start Portico as that user.`,
        error,
      );
    }
    throw error;
  }
}

/** Makes a password and keeps it in a file of mode 0600, before any server has it. */
export function createPassword(dataDir: string): string {
  const password = randomBytes(24).toString('base64url');
  const draft = `${passwordFile(dataDir)}.${randomUUID()}`;
  writeFileSync(draft, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, passwordFile(dataDir));
  return password;
}

/** The file with the password of the owner. */
export function passwordFile(dataDir: string): string {
  return path.join(dataDir, 'postgres-password');
}

/**
 * Refuses a cluster that this start could not serve.
 *
 * @throws EmbeddedPostgresError `version_mismatch`, `wrong_owner`.
 */
export function checkCluster(home: string): void {
  const clusterDir = clusterDirOf(home);
  let version: string;
  try {
    const owner = statSync(clusterDir).uid;
    if (!isRoot() && owner !== process.geteuid?.()) throw wrongOwner(clusterDir, owner);
    version = readFileSync(path.join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if (errno(error) === 'ENOENT') return;
    if (errno(error) === 'EACCES') throw wrongOwner(clusterDir, undefined);
    throw error;
  }
  if (version !== String(POSTGRES_MAJOR)) {
    throw new EmbeddedPostgresError(
      'version_mismatch',
      `The database in ${clusterDir} was made by PostgreSQL ${version} and this Portico carries ${POSTGRES_MAJOR}: start it with the Portico that made it, or choose another data directory.`,
    );
  }
}

function wrongOwner(clusterDir: string, owner: number | undefined): EmbeddedPostgresError {
  const who = owner === undefined ? 'another user' : `the user with id ${owner}`;
  return new EmbeddedPostgresError(
    'wrong_owner',
    `The database in ${clusterDir} belongs to ${who}: start Portico as that user or as root, or choose another data directory.`,
  );
}

/**
 * Removes a tree in which the initdb of a killed start may still write, or which it removes itself: Node's own removal
 * ends without an error, and without having removed all, when another process removes an entry first.
 */
async function removeContested(directory: string): Promise<void> {
  for (let round = 0; round < 100; round++) {
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    if (!existsSync(directory)) return;
    await sleep(50);
  }
}

/**
 * Makes the cluster: UTF-8, `C.UTF-8` (character classes of all scripts, comparison by code point), passwords by
 * SCRAM. It is made aside and renamed when complete.
 *
 * @throws EmbeddedPostgresError `initdb_failed`, `no_account`.
 */
export async function createCluster(
  placement: Placement,
  password: string,
  options: { skipSync: boolean; signal?: AbortSignal },
): Promise<void> {
  const { home, launch } = placement;
  for (const entry of readdirSync(home)) {
    // Left by starts that were killed here. Only the holder of the lock comes this far. Their initdb may live on for a
    // moment and write while we remove.
    if (entry.startsWith('postgres.draft-')) await removeContested(path.join(home, entry));
  }
  const draft = path.join(home, `postgres.draft-${randomUUID()}`);
  const data = path.join(draft, 'data');
  const secret = path.join(draft, 'password');
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(secret, password, { mode: 0o600 });
    for (const made of [secret, draft]) chownSync(made, launch.owner.uid, launch.owner.gid);
    const attempts: ProgramResult[] = [];
    // Systems without C.UTF-8 get the same order (C) and the character classes of the English locale.
    for (const locale of [['--locale=C.UTF-8'], ['--locale=en_US.UTF-8', '--lc-collate=C', '--lc-messages=C']]) {
      const args = [`--pgdata=${data}`, '--encoding=UTF8', ...locale, `--username=${OWNER_ROLE}`, `--pwfile=${secret}`];
      args.push('--auth=scram-sha-256', '--no-instructions', ...(options.skipSync ? ['--no-sync'] : []));
      const result = await runProgram(launch, programPath(placement.nativeDir, 'initdb'), args, {
        lookup: true,
        signal: options.signal,
      });
      options.signal?.throwIfAborted();
      if (result.code === 0) break;
      attempts.push(result);
      rmSync(data, { recursive: true, force: true });
    }
    const [first] = attempts;
    if (first && !existsSync(data)) throw initdbError(first, launch.lookupPrefix.length > 0);
    renameSync(data, clusterDirOf(home));
  } finally {
    await removeContested(draft);
  }
}

function initdbError(result: ProgramResult, borrowedName: boolean): EmbeddedPostgresError {
  const said = result.failure ?? errorLines(result.stderr);
  if (borrowedName) {
    return new EmbeddedPostgresError(
      'no_account',
      `PostgreSQL cannot make its database files for the user id ${process.geteuid?.()}, which has no entry in /etc/passwd (${said}): start Portico as a user that has one, or set DATABASE_URL.`,
    );
  }
  return new EmbeddedPostgresError('initdb_failed', `PostgreSQL could not make its database files: ${said}.`);
}

function errorLines(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => /\b(error|FATAL|PANIC):/.test(line));
  return (errors.length > 0 ? errors : lines.filter((line) => line !== '').slice(-1)).join('; ').replace(/\.$/, '');
}

/**
 * Gives everything in the cluster to the user that the server runs as: an earlier start may have run as another one.
 */
export function adoptOwnership(placement: Placement): void {
  const clusterDir = clusterDirOf(placement.home);
  const owner = statSync(clusterDir);
  if (isRoot() && owner.uid !== placement.launch.owner.uid) giveTo(placement.launch.owner, clusterDir);
}

/**
 * Gives the owner of a stopped cluster a new password, for a data directory that lost its password file.
 *
 * @throws EmbeddedPostgresError `password_mismatch`.
 */
export async function resetPassword(placement: Placement, password: string): Promise<void> {
  const result = await runProgram(
    placement.launch,
    programPath(placement.nativeDir, 'postgres'),
    ['--single', '-D', clusterDirOf(placement.home), 'postgres'],
    { input: `ALTER ROLE ${OWNER_ROLE} PASSWORD '${password}';\n` },
  );
  if (result.code !== 0 || /\b(ERROR|FATAL):/.test(result.stderr)) {
    throw new EmbeddedPostgresError(
      'password_mismatch',
      `The password of the embedded database is lost and could not be set anew: ${result.failure ?? errorLines(result.stderr)}.`,
    );
  }
}
