/**
 * `portico doctor`: examines the installation that the environment names and says what is wrong and how to correct it.
 * The command writes a small file to the storage and removes it again, changes nothing else, and works whether or not the
 * service runs. A database that is not running is started for the time of the command, never migrated.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { hasDatabase } from '@portico/embedded-postgres';
import { openClient } from '@portico/platform/db/open-client';
import type { FileStorage } from '@portico/platform/files';
import type pg from 'pg';
import { version } from '../../kernel/version.ts';
import { checkMail, checkStorage } from '../../operator/index.ts';
import { configuredKeyIds, withOwner } from '../backup.ts';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { DatabaseError, describeFailure } from '../database.ts';
import { openMail, openStorage } from '../services.ts';
import { operatorSentence } from '../start-errors.ts';
import { checkBackups } from './backups.ts';
import {
  checkIndexes,
  checkKeys,
  checkServer,
  checkTenants,
  checkVersions,
  readSchema,
  readServer,
} from './database.ts';
import { type Finding, findingsOf } from './finding.ts';
import { checkClock, checkConfiguration, checkPermissions, checkRoom } from './machine.ts';

export type { Finding } from './finding.ts';

/** How long the running service and a database server may take to answer. Milliseconds. */
const PATIENCE_MS = 5_000;

/** Examines the installation. Yields each finding as soon as it is known. */
export async function* examine(env: Readonly<NodeJS.ProcessEnv> = process.env): AsyncGenerator<Finding> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield findingsOf('configuration').problem(error.message, 'Correct the environment; the rest is examined then.');
    return;
  }
  const clock: { databaseMs?: number } = {};
  yield* guarded('configuration', checkConfiguration(config, env, Date.now()));
  yield* guarded('service', checkService(config));
  yield* guarded('permissions', checkPermissions(config, env));
  yield* guarded('room', checkRoom(config));
  yield* guarded('database', examineDatabase(config, clock));
  yield* guarded('clock', checkClock(config.database && clock.databaseMs));
  yield* guarded('storage', examineStorage(config));
  yield* guarded('mail', examineMail(config));
}

/** A check that fails in an unforeseen way is a finding too, and the others follow. */
async function* guarded(
  area: Finding['area'],
  checks: AsyncIterable<Finding> | Iterable<Finding>,
): AsyncGenerator<Finding> {
  try {
    yield* checks;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const said = code === undefined || message.includes(code) ? message : `${message} (${code})`;
    yield findingsOf(area).problem(`The check failed: ${said}.`, 'Remove this cause, then examine again.');
  }
}

/** Asks the service whether it is ready. */
async function* checkService(config: Config): AsyncGenerator<Finding> {
  const { ok, warning, problem } = findingsOf('service');
  const host = ['localhost', '0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const secure = config.tls !== undefined;
  const answer = await ask({ host, port: config.port, path: '/readyz' }, secure);
  const living = answer && (await ask({ host, port: config.port, path: '/healthz' }, secure));
  const runs = /"version":"([^"]+)"/.exec(living?.text ?? '')?.[1];
  if (runs !== undefined && runs !== version)
    yield warning(`The service that runs is version ${runs}; this command is of ${version}.`, 'Restart the service.');
  if (answer === undefined)
    yield warning(`No service answers on port ${config.port} of this machine.`, 'Start it; its output says why not.');
  else if (/"(?:writes|uploads)":"refused"/.test(answer.text))
    yield problem(`The service refuses writes or uploads: ${answer.text}`, 'Make room for the database and the files.');
  else if (answer.status === 200) yield ok('It is ready.');
  else yield problem(`/readyz answers ${answer.status}: ${answer.text}`, 'Read the log of the service.');
}

function ask(
  options: { host: string; port: number; path: string },
  secure: boolean,
): Promise<{ status: number; text: string } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; text: string } | undefined>();
  // The certificate names the portal, not this machine.
  const request = (secure ? requestHttps : requestHttp)({
    ...options,
    rejectUnauthorized: false,
    timeout: PATIENCE_MS,
  });
  request.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(0, 300);
    });
    response.on('close', () => resolve({ status: response.statusCode ?? 0, text: text.trim() }));
  });
  request.on('timeout', () => request.destroy());
  request.on('error', () => resolve(undefined));
  request.end();
  return promise;
}

async function* examineDatabase(config: Config, clock: { databaseMs?: number }): AsyncGenerator<Finding> {
  const { warning, problem } = findingsOf('database');
  if (!config.database && !hasDatabase(config.dataDir)) {
    yield warning(`The data directory ${config.dataDir} has no database yet.`, 'The first start creates it.');
    return;
  }
  const findings: Finding[] = [];
  try {
    await withOwner(config, async (owner) => {
      const client = await openClient({ connectionTimeoutMillis: PATIENCE_MS, ...owner });
      try {
        for await (const finding of examineOpened(client, config, clock)) findings.push(finding);
      } finally {
        await client.end();
      }
    });
  } catch (error) {
    const failure = config.database ? describeFailure(error, config.database, 'DATABASE_URL') : undefined;
    const sentence = (failure ?? (error instanceof DatabaseError ? error : undefined))?.message;
    const said = sentence ?? operatorSentence(error, undefined);
    if (said === undefined) throw error;
    findings.push(problem(said, 'The service cannot work without it.'));
  }
  yield* findings;
}

async function* examineOpened(
  client: pg.Client,
  config: Config,
  clock: { databaseMs?: number },
): AsyncGenerator<Finding> {
  const server = await readServer(client);
  clock.databaseMs = server.clockMs;
  yield* checkServer(server, config);
  const schema = await readSchema(client);
  yield* checkVersions(schema, version);
  // Tables of other versions may differ.
  if (schema.applied !== schema.known) return;
  yield* checkKeys(client, await configuredKeyIds(config));
  yield* checkIndexes(client);
  yield* checkTenants(client);
  yield* checkBackups(client, config, Date.now());
}

async function* examineStorage(config: Config): AsyncGenerator<Finding> {
  const { ok, problem } = findingsOf('storage');
  let steps = 0;
  let failures = 0;
  const open = (): Promise<{ storage: FileStorage; close: () => void }> => openStorage(config);
  for await (const step of checkStorage(config, open)) {
    steps += 1;
    if (step.ok) continue;
    failures += 1;
    yield problem(`It failed to ${step.tried}.`, step.problem);
  }
  if (failures === 0) yield ok(`${config.s3 ? `The bucket ${config.s3.bucket}` : config.filesDir}: ${steps} checks.`);
}

async function* examineMail(config: Config): AsyncGenerator<Finding> {
  const { ok, warning, problem } = findingsOf('mail');
  if (!config.mail) {
    yield warning(
      'No mail server is configured: people get no invitations and no notices.',
      'Set PORTICO_SMTP_URL and PORTICO_MAIL_FROM.',
    );
    return;
  }
  let failed = false;
  for await (const step of checkMail(config.mail, () => openMail(config), undefined)) {
    if (step.ok) continue;
    failed = true;
    yield problem(`It failed to ${step.tried}.`, step.problem);
  }
  if (!failed) yield ok('The mail server answers.');
}
