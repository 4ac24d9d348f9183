/**
 * Errors that an operator can fix, said in one sentence. Every other error is a bug and keeps its
 * stack.
 */

import { EmbeddedPostgresError, writeFailures } from '@portico/embedded-postgres';
import { MigrationError } from '@portico/platform/db/migration-error';
import { isFull } from '@portico/platform/db/pg-errors';
import { StorageFullError } from '@portico/platform/files/storage';
import { ConfigError } from './config/config.ts';
import { DatabaseError } from './database.ts';
import { ServingProcessError } from './several/serving-process-error.ts';

interface SystemError extends Error {
  code?: string;
  syscall?: string;
  path?: string;
  port?: number;
  address?: string;
  hostname?: string;
}

/**
 * @param metricsPort the port of /metrics, to tell which of two listeners failed
 * @returns the sentence, or undefined for an error that an operator cannot fix
 */
export function operatorSentence(error: unknown, metricsPort: number | undefined): string | undefined {
  if (
    error instanceof ConfigError ||
    error instanceof MigrationError ||
    error instanceof DatabaseError ||
    error instanceof EmbeddedPostgresError
  ) {
    return error.message;
  }
  if (error instanceof ServingProcessError) return error.sentence;
  if (error instanceof StorageFullError && error.kept) {
    const { directory, bytes } = error.kept;
    return `less than ${bytes} bytes (PORTICO_MIN_FREE_BYTES) would be free in ${directory}, and the demo tenant needs room: make room there, choose another directory with PORTICO_FILES_DIR, lower PORTICO_MIN_FREE_BYTES, or start without the demo by PORTICO_DEMO=false.`;
  }
  const { code, syscall, path, port, address, hostname } = error as SystemError;
  const metrics = port !== undefined && port === metricsPort;
  const portVariable = metrics ? 'PORTICO_METRICS_PORT' : 'PORT';
  const hostVariable = metrics ? 'PORTICO_METRICS_HOST' : 'HOST';
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `port ${port} is in use; stop what uses it or set ${portVariable} to another one.`;
  }
  if (syscall === 'listen' && code === 'EACCES') {
    return `this user may not listen on port ${port}; set ${portVariable} to a port from 1024 on, or allow it.`;
  }
  if ((syscall === 'listen' && code === 'EADDRNOTAVAIL') || syscall === 'getaddrinfo') {
    return `${address ?? hostname} is not an address of this machine; set ${hostVariable} to one that is.`;
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return 'this process may not open as many files as it needs; raise the limit (ulimit -n, LimitNOFILE of systemd) to 1024 or more.';
  }
  const reason = code === undefined ? undefined : writeFailures[code];
  if (reason !== undefined && path !== undefined) {
    return `${path} cannot be written (${reason}): correct that, or choose other directories with PORTICO_DATA_DIR and PORTICO_FILES_DIR.`;
  }
  if (isFull(error)) {
    const said = error instanceof Error ? error.message : String(error);
    return `a disk is full (${said}): make room where the database and PORTICO_FILES_DIR are, or choose other directories with PORTICO_DATA_DIR and PORTICO_FILES_DIR.`;
  }
  return undefined;
}
