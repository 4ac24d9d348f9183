/** pg_dump and pg_restore, where the machine has them in a version that fits. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** Where packages of Linux distributions keep the programs of each version. */
const VERSIONED = [
  ['/usr/lib/postgresql', 'bin'],
  ['/usr', 'bin'],
] as const;

/** A program and the environment that names the database. */
export interface DumpProgram {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Finds a program of PostgreSQL.
 * @param server major version that it must know; a later program reads an earlier server
 * @returns its path; undefined when there is none
 */
export async function findProgram(name: 'pg_dump' | 'pg_restore', server: number): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...versioned()];
  let best: { path: string; version: number } | undefined;
  for (const folder of new Set(folders)) {
    const path = join(folder, name);
    if (!folder.startsWith('/') || !existsSync(path)) continue;
    const version = await versionOf(path);
    // The version of the server itself is best; a later one follows.
    if (version >= server && (best === undefined || version < best.version)) best = { path, version };
  }
  return best?.path;
}

function versioned(): string[] {
  return VERSIONED.flatMap(([root, bin]) =>
    existsSync(root)
      ? readdirSync(root)
          .filter((entry) => /^(pgsql-)?\d+$/.test(entry))
          .map((entry) => join(root, entry, bin))
      : [],
  );
}

/** @returns 0 for a program that cannot be run */
async function versionOf(path: string): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version']);
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? 0);
  } catch {
    // A wrapper without its program, another processor's: as good as none.
    return 0;
  }
}

/** The TLS mode of libpq that is as strict as ours, by the mode of the address. */
const STRICTNESS: Readonly<Record<string, string>> = {
  disable: 'disable',
  'no-verify': 'require',
  prefer: 'verify-full',
  require: 'verify-full',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
};

/**
 * The environment by which programs of PostgreSQL reach a database. The password is in no argument, which other users see.
 * @param address as DATABASE_URL
 */
export function programEnvironment(address: string): NodeJS.ProcessEnv {
  const { host, port, user, password, database } = new pg.Client({ connectionString: address });
  const parameters = new URLSearchParams(address.split('?')[1]);
  const parameter = (name: string) => parameters.get(name) ?? undefined;
  const mode = parameter('sslmode');
  const exact = parameter('uselibpqcompat') === 'true';
  const root = parameter('sslrootcert');
  const strict = mode !== undefined && (exact ? mode : STRICTNESS[mode]);
  const values: Record<string, string | undefined> = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password ?? undefined,
    PGDATABASE: database,
    PGOPTIONS: parameter('options'),
    ...(strict && { PGSSLMODE: strict, PGSSLROOTCERT: root ?? (strict === 'verify-full' ? 'system' : undefined) }),
    PGSSLCERT: parameter('sslcert'),
    PGSSLKEY: parameter('sslkey'),
  };
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return { PATH: process.env['PATH'], LC_ALL: 'C', ...Object.fromEntries(set) };
}
