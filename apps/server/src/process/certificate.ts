/** The TLS certificate of the service: read at start and reloaded when its files change. */
import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Log } from '../kernel/scope.ts';
import { ConfigError } from './config/config.ts';

interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/**
 * Polling interval. Polling works where notifications do not: replaced files, changed symbolic links (certbot,
 * Kubernetes), network file systems. Milliseconds.
 */
const INTERVAL_MS = 2_000;
/** Failed checks before logging: renewals write one file, then the other. */
const PATIENCE = 3;

/** @throws ConfigError with one sentence when a file cannot be read or the two do not belong together */
export function readCertificate(files: CertificateFiles): Certificate {
  const read = (variable: string, file: string) => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new ConfigError(`${variable} cannot be read: ${(error as Error).message}.`, { cause: error });
    }
  };
  const certificate = {
    cert: read('PORTICO_TLS_CERT_FILE', files.certFile),
    key: read('PORTICO_TLS_KEY_FILE', files.keyFile),
  };
  try {
    createSecureContext(certificate);
  } catch (error) {
    throw new ConfigError(
      `PORTICO_TLS_CERT_FILE and PORTICO_TLS_KEY_FILE cannot be used together: ${(error as Error).message}.`,
      { cause: error },
    );
  }
  return certificate;
}

/**
 * Uses a renewed certificate for new connections; while the files are invalid, the old one stays in use.
 * @returns stops polling
 */
export function followCertificate(server: Server, files: CertificateFiles, log: Log): () => void {
  let used = versionOf(files);
  let failures = 0;
  const look = () => {
    const version = versionOf(files);
    if (version === used) return;
    try {
      server.setSecureContext(readCertificate(files));
      used = version;
      failures = 0;
      log.info({}, 'the TLS certificate was reloaded');
    } catch (error) {
      failures++;
      if (failures === PATIENCE) log.error({ err: error }, 'the new TLS certificate cannot be used; the old one stays');
    }
  };
  const timer = setInterval(look, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Fingerprint of the files, to detect changes. */
function versionOf(files: CertificateFiles): string {
  return [files.certFile, files.keyFile]
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : 'absent';
    })
    .join(', ');
}
