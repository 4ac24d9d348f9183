/** Checks of the machine that the service runs on: configuration, permissions, room, clock. */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { constants, existsSync, readdirSync, statSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { readCertificate } from '../certificate.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { unknownVariables, variables } from '../config/variables.ts';
import { sealingKeyFile } from '../sealer.ts';
import { count, type Finding, findingsOf } from './finding.ts';

type Env = Readonly<NodeJS.ProcessEnv>;

const DAY_MS = 86_400_000;
/** A certificate is reported from so many days before its end. */
const CERTIFICATE_DAYS = 14;
/** Room that decoders of files may take below the directory of temporary files. Bytes. */
const TEMPORARY_BYTES = 2 * 1024 ** 3;
/** A disk with a smaller free part than this is reported. */
const SMALL_PART = 0.1;
/** A file system with fewer free entries than this cannot take many files. */
const FEW_ENTRIES = 10_000;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** Entries of directories that are compared with the owner of the directory. */
const MOST_ENTRIES = 1_000;
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** Checks variables, the certificate, and how the network reaches the service. @param now epoch milliseconds */
export function* checkConfiguration(config: Config, env: Env, now: number): Generator<Finding> {
  const { ok, warning, problem } = findingsOf('configuration');
  const unknown = unknownVariables(env);
  for (const { name, meant } of unknown)
    yield warning(`${name} is not a variable of Portico.`, meant ? `Rename it to ${meant}.` : 'Remove it.');
  if (!LOOPBACK.includes(config.host) && !config.tls && config.trustedProxies.length === 0)
    yield warning(
      `The service listens on ${config.host} without TLS, and trusts no proxy.`,
      'Set PORTICO_TLS_CERT_FILE and PORTICO_TLS_KEY_FILE, or PORTICO_TRUSTED_PROXIES behind a proxy.',
    );
  if (config.tls) {
    try {
      const { validTo } = new X509Certificate(readCertificate(config.tls).cert);
      const days = Math.floor((Date.parse(validTo) - now) / DAY_MS);
      const renew = `Renew ${config.tls.certFile}; the service reads it again by itself.`;
      if (days < 0) yield problem(`The certificate ended on ${validTo}.`, renew);
      else if (days < CERTIFICATE_DAYS) yield warning(`The certificate ends in ${days} days.`, renew);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      yield problem(error.message, 'Correct the files.');
    }
  }
  if (config.backup.recipients.length > 0 && config.backup.identities.length > 0)
    yield warning(
      'The private key of encrypted backups is where they are made: whoever breaks in here reads all of them.',
      'Remove PORTICO_BACKUP_IDENTITY, and keep the key on another machine.',
    );
  const set = variables.filter(({ name }) => env[name] || env[`${name}_FILE`]).length;
  yield ok(`${count(set, 'variable is', 'variables are')} set.`);
}

/** Checks owners and modes of the data directory and of files with secrets. */
export async function* checkPermissions(config: Config, env: Env): AsyncGenerator<Finding> {
  const { ok, warning, problem } = findingsOf('permissions');
  const directories = [config.dataDir, ...(config.s3 ? [] : [config.filesDir])].filter(existsSync);
  for (const directory of directories) {
    const refusal = await access(directory, constants.W_OK | constants.X_OK).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    const { uid: owner, mode } = statSync(directory);
    if (refusal === 'EROFS')
      yield problem(`${directory} is mounted read-only.`, 'Mount it writable; after a disk error, repair it first.');
    else if (refusal !== undefined)
      yield problem(
        `This user may not write to ${directory}.`,
        `Run the command as the user of the service, or make that user the owner: chown -R USER ${directory}.`,
      );
    else if (process.getuid && owner !== process.getuid())
      yield warning(
        `${directory} belongs to the user ${owner}, and this command runs as ${process.getuid()}.`,
        'Run the command as the user of the service, with its environment.',
      );
    const closed = isBelow(directory, config.dataDir) && isClosed(config.dataDir);
    if (directory === config.filesDir && (mode & 0o007) !== 0 && !closed)
      yield warning(`Every user of this machine may enter ${directory}, which holds files.`, `chmod o= ${directory}`);
    // Where root starts the service, the embedded database belongs to an account without rights.
    if (refusal === undefined && owner !== 0) yield* checkEntries(directory, owner);
  }
  const secrets = variables.filter(({ secret }) => secret).map(({ name }) => env[`${name}_FILE`]);
  const files = [sealingKeyFile(config), ...secrets].filter((file) => file !== undefined && existsSync(file));
  for (const file of files as string[]) {
    // Secrets of containers are mounted one by one, for every account of the container.
    if (file.startsWith('/run/secrets/') || (statSync(file).mode & 0o007) === 0) continue;
    yield problem(`Every user of this machine may use ${file}, which holds a secret.`, `chmod o= ${file}`);
  }
  yield ok(
    `${count(directories.length, 'directory', 'directories')} and ${count(files.length, 'secret file', 'secret files')}.`,
  );
}

const isClosed = (path: string): boolean => (statSync(path).mode & 0o007) === 0;

const isBelow = (path: string, above: string): boolean => resolve(path).startsWith(`${resolve(above)}${sep}`);

/** Finds entries of a directory that the owner of the directory does not own, as a command of root leaves them. */
function* checkEntries(directory: string, owner: number): Generator<Finding> {
  const foreign = readdirSync(directory)
    .slice(0, MOST_ENTRIES)
    .filter((name) => (statSync(join(directory, name), { throwIfNoEntry: false })?.uid ?? owner) !== owner)
    // Of the file system itself.
    .filter((name) => name !== 'lost+found');
  if (foreign.length > 0)
    yield findingsOf('permissions').problem(
      `The owner of ${directory} does not own ${foreign.slice(0, 3).join(', ')} in it.`,
      `chown -R --reference=${directory} ${directory}`,
    );
}

/** Checks the room on the disks of the database, of the files and of temporary files. */
export async function* checkRoom(config: Config): AsyncGenerator<Finding> {
  const { ok, warning, problem } = findingsOf('room');
  const places = [
    ...(config.database ? [] : [{ what: 'database', path: config.dataDir, least: config.minFreeBytes }]),
    ...(config.s3 ? [] : [{ what: 'files', path: config.filesDir, least: config.minFreeBytes }]),
    { what: 'temporary files', path: tmpdir(), least: TEMPORARY_BYTES / 2 },
  ];
  const rooms: string[] = [];
  for (const { what, path, least } of places) {
    const { bavail, blocks, bsize, files, ffree } = await statfs(existing(path));
    const free = bavail * bsize;
    const said = `${sizeOf(free)} are free for ${what} at ${path}`;
    const remedy = 'Make room there, or enlarge the disk.';
    if (free < least) yield problem(`${said}, less than ${sizeOf(least)}.`, remedy);
    else if (free < 2 * least || bavail < blocks * SMALL_PART) yield warning(`Only ${said}.`, remedy);
    else rooms.push(said);
    // Some file systems count no entries.
    if (files > 0 && ffree < FEW_ENTRIES)
      yield problem(`The file system of ${path} takes only ${ffree} more files.`, remedy);
  }
  if (rooms.length > 0) yield ok(`${rooms.join('; ')}.`);
}

const sizeOf = (bytes: number): string =>
  bytes < GIB ? `${(bytes / MIB).toFixed(1)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;

/** The path, or the nearest directory above it that exists. */
export function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}

/**
 * Checks the clock against that of the database server, where it is another machine, and asks systemd whether it is set
 * by the network.
 * @param databaseMs the database's clock less this machine's, milliseconds; undefined: not compared
 */
export async function* checkClock(databaseMs: number | undefined): AsyncGenerator<Finding> {
  const { ok, warning, problem } = findingsOf('clock');
  const remedy = 'Set the clocks by the network (systemd-timesyncd, chrony).';
  const seconds = Math.abs(databaseMs ?? 0) / 1_000;
  if (seconds > 2)
    yield problem(`This machine and the database server differ by ${seconds.toFixed(1)} s: sign-ins fail.`, remedy);
  else if ((await networkTime()) === 'no')
    yield warning('The clock of this machine is not set by the network.', remedy);
  else
    yield ok(
      databaseMs === undefined
        ? `${new Date().toISOString()}, compared with no other.`
        : `It differs from the database server's by ${seconds.toFixed(1)} s.`,
    );
}

/** `yes`, `no`, or undefined where nothing tells. */
async function networkTime(): Promise<string | undefined> {
  const args = ['show', '--property=NTPSynchronized', '--value'];
  return promisify(execFile)('timedatectl', args, { timeout: 3_000 }).then(
    ({ stdout }) => stdout.trim(),
    // No systemd: nothing is known.
    () => undefined,
  );
}
