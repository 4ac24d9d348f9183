import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { NativeFiles } from './binaries.ts';
import { copyNativeFiles, healLinks, locateNativeFiles, probeNativeFiles } from './binaries.ts';
import { EmbeddedPostgresError, errno } from './errors.ts';
import type { Launch } from './launch.ts';
import {
  canReach,
  isRoot,
  launchAs,
  launchAsSelf,
  launchInUserNamespace,
  prefixWorks,
  unprivilegedAccount,
} from './launch.ts';
import type { EmbeddedPostgresLog } from './types.ts';

/** Place of the server's files, and the user that runs the server. */
export type Placement = {
  launch: Launch;
  nativeDir: string;
  /** The directory that holds the cluster (`postgres`), the socket (`run`) and private copies of the binaries. */
  home: string;
};

/** The cluster's directory below its home. */
export const clusterDirOf = (home: string): string => path.join(home, 'postgres');

/** The directory of finished files of the log, beside the cluster: the server writes there. */
export const logArchiveOf = (home: string): string => path.join(home, 'log-archive');

/** Makes the directory of finished files of the log. */
export function prepareLogArchive(home: string, launch: Launch): void {
  const directory = logArchiveOf(home);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  secure(directory, launch.owner);
}

/** True once the cluster is complete: it is made aside and renamed, so that half a cluster never has this name. */
export const clusterExists = (home: string): boolean => existsSync(path.join(clusterDirOf(home), 'PG_VERSION'));

/**
 * Finds the directory that holds the cluster: the data directory itself, or where a pointer in it leads.
 *
 * @throws EmbeddedPostgresError `relocated_missing` when the pointer leads nowhere, or when the data directory is a
 *   copy of another one that still exists (two directories must not share a database unknowingly).
 */
export function findHome(dataDir: string): string {
  const file = pointerFile(dataDir);
  let pointer: { path: string; dataDir: string };
  try {
    pointer = JSON.parse(readFileSync(file, 'utf8')) as { path: string; dataDir: string };
  } catch (error) {
    if (errno(error) === 'ENOENT') return dataDir;
    throw error;
  }
  if (!existsSync(pointer.path)) {
    throw new EmbeddedPostgresError(
      'relocated_missing',
      `The database of ${dataDir} should be in ${pointer.path}, which does not exist: bring it back, or remove ${file} to begin with an empty database.`,
    );
  }
  if (pointer.dataDir !== dataDir && existsSync(pointerFile(pointer.dataDir))) {
    throw new EmbeddedPostgresError(
      'relocated_missing',
      `${dataDir} is a copy of ${pointer.dataDir}, whose database is in ${pointer.path}: remove ${file} to begin with an empty database here.`,
    );
  }
  return pointer.path;
}

/**
 * Decides which user runs the server and which copy of the binaries it uses. The cluster must not
 * be running.
 *
 * An ordinary user runs the server as itself. Root cannot, so it tries in this order, and takes the
 * first that reaches both the data and a working copy of the binaries: the present owner of the
 * cluster; an unprivileged account; a user namespace, which also reaches files readable by root
 * only; the same with a private copy of the binaries beside the data; and last everything below
 * `relocationRoot`, with a pointer left in the data directory. The mode of an existing directory is
 * never changed.
 *
 * @throws EmbeddedPostgresError `unsupported_platform`, `no_binaries`, `binaries_unusable`,
 *   `no_account`.
 */
export async function place(
  dataDir: string,
  home: string,
  options: { relocationRoot: string; log: EmbeddedPostgresLog },
): Promise<Placement> {
  const source = locateNativeFiles();
  const inPlace = healLinks(source.dir);
  const candidates = isRoot() ? rootLaunches(home) : [launchAsSelf()];
  const failures: string[] = [];
  const found = await firstThatWorks(candidates, source, home, inPlace, failures);
  if (found) return found;
  if (isRoot() && home === dataDir) {
    const account = unprivilegedAccount();
    if (account !== null) {
      const elsewhere = relocate(dataDir, options.relocationRoot, account);
      options.log({
        level: 'info',
        msg: 'The database is kept outside of the data directory, which only root can reach.',
        path: elsewhere,
      });
      const moved = await firstThatWorks([launchAs(account)], source, elsewhere, false, failures);
      if (moved) {
        writeFileSync(pointerFile(dataDir), `${JSON.stringify({ path: elsewhere, dataDir })}\n`, { mode: 0o644 });
        return moved;
      }
    }
  }
  throw new EmbeddedPostgresError(
    candidates.length === 0 ? 'no_account' : 'binaries_unusable',
    candidates.length === 0
      ? 'PostgreSQL refuses to run as root and this system has no other account: start Portico as an ordinary user, or set DATABASE_URL.'
      : `The embedded PostgreSQL does not run on this machine (${failures.at(-1) ?? 'no way to reach its files'}; it needs glibc on Linux): set DATABASE_URL to the address of a PostgreSQL 15 or newer.`,
  );
}

function rootLaunches(home: string): Launch[] {
  const launches: Launch[] = [];
  const account = unprivilegedAccount();
  const namespaced = launchInUserNamespace();
  if (clusterExists(home)) {
    const owner = statSync(clusterDirOf(home));
    if (owner.uid !== 0) launches.push(launchAs({ name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid }));
    else if (namespaced) launches.push(namespaced);
  }
  if (account) launches.push(launchAs(account));
  if (namespaced) launches.push(namespaced);
  return launches;
}

async function firstThatWorks(
  launches: Launch[],
  source: NativeFiles,
  home: string,
  inPlace: boolean,
  failures: string[],
): Promise<Placement | null> {
  // A process that launches as its own user has just written its lock there; the system decides by
  // its groups and access lists.
  const reaching = launches.filter((launch) => !isRoot() || canReach(home, launch.owner));
  for (const copied of inPlace ? [false, true] : [true]) {
    for (const launch of reaching) {
      // Where the system forbids user namespaces, a copy of the binaries changes nothing.
      if (copied && !(await prefixWorks(launch))) continue;
      const nativeDir = copied ? await copyNativeFiles(source, home) : source.dir;
      const failure = await probeNativeFiles(nativeDir, launch);
      if (failure === null) return { launch, nativeDir, home };
      failures.push(failure);
    }
  }
  return null;
}

function pointerFile(dataDir: string): string {
  return path.join(dataDir, 'postgres-location.json');
}

function relocate(dataDir: string, relocationRoot: string, account: { uid: number; gid: number }): string {
  if (!existsSync(relocationRoot)) {
    mkdirSync(relocationRoot, { recursive: true });
    chmodSync(relocationRoot, 0o755);
  }
  const home = path.join(relocationRoot, shortHash(dataDir));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  chownSync(home, account.uid, account.gid);
  if (clusterExists(dataDir) && !clusterExists(home)) {
    // Made in place by an earlier start on a system that permitted it then. Possibly another file system: copy, then
    // rename, so that a start that dies here leaves one whole cluster.
    const draft = path.join(home, `postgres.draft-${randomUUID()}`);
    copyCluster(clusterDirOf(dataDir), draft);
    renameSync(draft, clusterDirOf(home));
    rmSync(clusterDirOf(dataDir), { recursive: true, force: true });
  }
  return home;
}

/** Node's own recursive copy loses the modes of directories, and the server refuses a cluster that others may enter. */
function copyCluster(source: string, target: string): void {
  mkdirSync(target);
  chmodSync(target, statSync(source).mode & 0o7777);
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const from = path.join(source, entry.name);
    const to = path.join(target, entry.name);
    if (entry.isDirectory()) copyCluster(from, to);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}

/** Gives a tree to a user, where it is not that user's yet. */
export function giveTo(owner: { uid: number; gid: number }, target: string): void {
  const stat = lstatSync(target);
  if (stat.isDirectory()) for (const entry of readdirSync(target)) giveTo(owner, path.join(target, entry));
  // The root of the tree comes last: a start that dies in between finds the old owner there and begins again.
  if (stat.uid !== owner.uid || stat.gid !== owner.gid) lchownSync(target, owner.uid, owner.gid);
}

/**
 * Makes the private directory of the socket and empties it. `<home>/run` where the system's limit on socket paths
 * permits, otherwise a short directory of mode 0700 below the system's directory for temporary files.
 *
 * @throws EmbeddedPostgresError `socket`.
 */
export function prepareSocketDir(home: string, launch: Launch): string {
  const near = path.join(home, 'run');
  if (socketPathFits(near)) {
    mkdirSync(near, { recursive: true, mode: 0o700 });
    secure(near, launch.owner);
    emptySocketDir(near);
    return near;
  }
  for (const parent of new Set([os.tmpdir(), '/tmp', '/var/tmp'])) {
    const name = path.join(parent, `portico-${shortHash(home)}`);
    if (!socketPathFits(`${name}-XXXXXX`) || !existsSync(parent) || !canReach(parent, launch.owner)) continue;
    try {
      return shortSocketDir(name, launch.owner);
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(errno(error) ?? '')) throw error;
    }
  }
  throw new EmbeddedPostgresError(
    'socket',
    `The path ${home} is too long for a database socket and no short directory for temporary files can be written: choose a shorter data directory.`,
  );
}

function shortSocketDir(name: string, owner: { uid: number; gid: number }): string {
  try {
    mkdirSync(name, { mode: 0o700 });
    secure(name, owner);
    return name;
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
  // Left by an earlier start, or put there by another user: every user may write to the parent.
  const stat = lstatSync(name);
  if (stat.isDirectory() && stat.uid === owner.uid && (stat.mode & 0o077) === 0) {
    emptySocketDir(name);
    return name;
  }
  const other = mkdtempSync(`${name}-`);
  secure(other, owner);
  return other;
}

function secure(directory: string, owner: { uid: number; gid: number }): void {
  chmodSync(directory, 0o700);
  const stat = statSync(directory);
  if (stat.uid !== owner.uid || stat.gid !== owner.gid) chownSync(directory, owner.uid, owner.gid);
}

/**
 * No server of this cluster runs, so the files here are remains, and would stop the next one if its
 * number is in use.
 */
function emptySocketDir(directory: string): void {
  for (const entry of readdirSync(directory)) {
    if (entry.startsWith('.s.PGSQL.')) rmSync(path.join(directory, entry), { force: true });
  }
}

/** Removes a socket directory that lies outside of `home`; one below `home` stays for the next start. */
export function removeSocketDir(home: string, socketDir: string): void {
  if (socketDir === path.join(home, 'run') || !path.basename(socketDir).startsWith('portico-')) return;
  rmSync(socketDir, { recursive: true, force: true });
}

/** Bytes a path of a unix socket may have, without the closing zero. */
const SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/** Port number in the socket's name; each cluster has a directory of its own, so all can have the same. */
export const SOCKET_PORT = 5432;

function socketPathFits(directory: string): boolean {
  return Buffer.byteLength(path.join(directory, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_BYTES;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
