/** Failures of the embedded server; stable names for callers and tests. */
export type EmbeddedPostgresErrorCode =
  /** No server binaries exist for this operating system and processor. */
  | 'unsupported_platform'
  /** The platform is supported, but its npm package is not installed. */
  | 'no_binaries'
  /** The binaries are there and do not run, not even as a private copy. */
  | 'binaries_unusable'
  /** The data directory cannot be made or written. */
  | 'data_dir_unwritable'
  /** The database files belong to another operating system user. */
  | 'wrong_owner'
  /** The database files were made by another major version of PostgreSQL. */
  | 'version_mismatch'
  /** Another live process uses the data directory. */
  | 'in_use'
  /** The user id has no account, and the tool that makes a cluster insists on one. */
  | 'no_account'
  | 'initdb_failed'
  | 'start_failed'
  | 'start_timeout'
  /** No directory is short, private and reachable enough for the socket. */
  | 'socket'
  | 'password_mismatch'
  /** The pointer in the data directory names a place where no database is, or another directory's. */
  | 'relocated_missing'
  /** The cluster was copied while its server ran. */
  | 'copied'
  /** The caller's signal ended the start. */
  | 'aborted'
  /** The running server went away and could not be brought back. */
  | 'lost';

/**
 * A failure of the embedded PostgreSQL. `message` is one sentence for the operator: the problem,
 * its place, and the remedy. It can be printed as it is; it holds no secret.
 */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddedPostgresError';
    this.code = code;
  }
}

/** The `code` of a Node system error ('EACCES', …), or undefined for anything else. */
export function errno(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Why a file or directory cannot be written, by error code of the system. */
export const writeFailures: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file has that name',
  ENOENT: 'a directory above it cannot be made',
};
