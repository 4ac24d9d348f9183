/**
 * Server functions of the `portico` command: operator commands and imports, on the installation of
 * the environment.
 */

import { makeWritableDirectory } from '@portico/platform/make-directory';
import pg from 'pg';
import type { Log } from '../kernel/scope.ts';
import {
  type CopyReport,
  checkMail as checkConfiguredMail,
  checkStorage as checkOpenedStorage,
  copyDatabase as copyBetween,
  type MailCheck,
  OperatorError,
  OperatorSession,
  type StorageCheck,
} from '../operator/index.ts';
import { type Config, readConfig } from './config/config.ts';
import { DatabaseUrlError, parseDatabaseUrl } from './config/database-url.ts';
import { openDatabase } from './database.ts';
import { openSealer } from './sealer.ts';
import { createServices, openMail, openStorage, type Services } from './services.ts';

export * from '../operator/index.ts';
export {
  checkBackup,
  findBackups,
  makeBackup,
  makeBackupKey,
  removeBackups,
  reportBackup,
  restoreInstallation,
  restoreInstallationTo,
} from './backup.ts';
export { examine, type Finding } from './doctor/index.ts';

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => process.stderr.write(`${message ?? JSON.stringify(fields)}\n`),
  error: (fields, message) => process.stderr.write(`${message ?? JSON.stringify(fields)}\n`),
};

/**
 * Opens the installation that the environment names, runs `work`, and closes it again.
 * @param options.lostKeys opens it also where the database holds secrets that no configured key opens
 */
export async function withOperator<T>(
  work: (session: OperatorSession, services: Services) => Promise<T>,
  env = process.env,
  options: { lostKeys?: boolean } = {},
): Promise<T> {
  const config: Config = readConfig(env);
  const database = await openDatabase(config, quiet, 'command');
  try {
    // Operator commands have no time limit.
    const sealer = await openSealer(config, database.owner, options);
    const services = await createServices({ config, database: database.service, sealer, log: quiet, statementMs: 0 });
    const owner = new pg.Client(database.owner);
    // An idle connection that breaks fails its next statement; without a listener it would end the process.
    owner.on('error', () => undefined);
    await owner.connect();
    try {
      return await work(new OperatorSession(services, owner, database.owner), services);
    } finally {
      await owner.end();
      await services.close();
    }
  } finally {
    await database.close();
  }
}

/** Checks the configured storage; ends at the first failure that the other checks depend on. */
export function checkStorage(env: Readonly<NodeJS.ProcessEnv> = process.env): AsyncGenerator<StorageCheck> {
  const config = readConfig(env);
  return checkOpenedStorage(config, async () => {
    if (!config.s3) makeWritableDirectory(config.filesDir);
    return await openStorage(config);
  });
}

/** Checks the configured mail server; ends at the first failure. @param to gets a mail; undefined: none is sent */
export function checkMail(
  to: string | undefined,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): AsyncGenerator<MailCheck> {
  const config = readConfig(env);
  return checkConfiguredMail(config.mail, () => openMail(config), to);
}

/**
 * Takes an answer to a mail of notifications.
 * @param raw the mail as the mail server hands it over; undefined: it is too large
 * @throws OperatorError where answers are not taken; other errors pass, and the mail is to be handed over again
 */
export async function receiveMail(raw: Uint8Array | undefined) {
  const { replies } = readConfig(process.env);
  if (!replies) throw new OperatorError('PORTICO_MAIL_REPLIES is not set: answers to mails are not taken.');
  const { receiveReply } = await import('../jobs/receive-replies.ts');
  return withOperator((_session, services) => receiveReply(services, replies, raw));
}

/**
 * Copies the installation that the environment names into an empty database, whose schema and role are made.
 * @param to address of the database, as its owner
 * @throws OperatorError, DatabaseError, MigrationError: one sentence
 */
export async function copyDatabase(to: string, tell: (sentence: string) => void): Promise<CopyReport> {
  const config = readConfig(process.env);
  const database = readAddress(to);
  const source = await openDatabase(config, quiet, 'command');
  try {
    // The scope is of servers: one transaction works everywhere.
    const target = await openDatabase({ ...config, database, databaseScope: 'transaction' }, quiet, 'command', {
      address: '--to',
    });
    return await copyBetween(source.owner, target.owner, tell);
  } finally {
    await source.close();
  }
}

function readAddress(to: string): pg.ClientConfig {
  try {
    return parseDatabaseUrl(to);
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    throw new OperatorError(`The address given by --to ${error.message}`, { cause: error });
  }
}
