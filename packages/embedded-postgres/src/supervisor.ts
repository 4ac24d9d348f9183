import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adoptOwnership, checkCluster, createCluster, createPassword, readPassword, resetPassword } from './cluster.ts';
import { noteStart, wasCopiedRunning } from './copied.ts';
import { EmbeddedPostgresError, errno, writeFailures } from './errors.ts';
import { isRoot } from './launch.ts';
import type { DataDirLock, LockHolder, LockPurpose } from './lock.ts';
import { acquireLock } from './lock.ts';
import { rotateLog } from './log-file.ts';
import {
  clusterDirOf,
  clusterExists,
  findHome,
  place,
  prepareLogArchive,
  prepareSocketDir,
  removeSocketDir,
} from './placement.ts';
import type { Postmaster } from './postmaster.ts';
import { ARCHIVE_SETTINGS, endPostmaster, isRunning, recover, startPostmaster } from './postmaster.ts';
import { connectionString, openDatabase, otherClients, ownerConnection } from './session.ts';
import type { EmbeddedPostgres, EmbeddedPostgresConnection, EmbeddedPostgresOptions } from './types.ts';

/** How often a new server is tried before a start gives up. */
const START_ATTEMPTS = 3;
/** How long a starting server may take: crash recovery replays its log first. */
const START_TIMEOUT_MS = 300_000;
/** A server that ends unasked more often than this within {@link RESTART_WINDOW_MS} is given up. */
const RESTARTS = 5;
const RESTART_WINDOW_MS = 5 * 60_000;
/** A start may need room for two files of the write-ahead log. Bytes. */
const START_ROOM_BYTES = 32 * 1024 * 1024;
/** How often a start is tried on a disk that is full. Milliseconds. */
const ROOM_INTERVAL_MS = 5_000;
const WATCH_INTERVAL_MS = 500;
const ROTATE_INTERVAL_MS = 60_000;

type Running = {
  postmaster: Postmaster;
  home: string;
  adopted: boolean;
  connection: EmbeddedPostgresConnection;
  version: string;
};

/**
 * Makes the data directory if needed and says its real name.
 *
 * @throws EmbeddedPostgresError `data_dir_unwritable`.
 */
export function prepareDataDir(dataDir: string): string {
  try {
    if (!existsSync(dataDir)) {
      makeDirectory(path.resolve(dataDir), 0o700);
      // Made by root, the account that the server runs as must be able to pass through; it can list nothing.
      if (isRoot()) chmodSync(dataDir, 0o711);
    }
    return realpathSync(dataDir);
  } catch (error) {
    throw unwritable(dataDir, error);
  }
}

/** As `mkdir -p`; Node's own recursive form never returns where a directory exists and takes no entries (`/proc`). */
function makeDirectory(directory: string, mode: number): void {
  const parent = path.dirname(directory);
  if (!existsSync(parent)) makeDirectory(parent, 0o777);
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    // Another start made it in the same moment. Should it be no directory, the lock cannot be written.
    if (errno(error) !== 'EEXIST') throw error;
  }
}

function unwritable(dataDir: string, error: unknown): EmbeddedPostgresError {
  const code = errno(error) ?? String(error);
  return new EmbeddedPostgresError(
    'data_dir_unwritable',
    `The data directory ${dataDir} cannot be written (${writeFailures[code] ?? code}): correct that, or choose another one with PORTICO_DATA_DIR.`,
    error,
  );
}

/** Takes the lock; the caller's errors about the directory become sentences. */
export function lockDataDir(dataDir: string, purpose: LockPurpose): { lock: DataDirLock } | { holder: LockHolder } {
  try {
    return acquireLock(dataDir, purpose);
  } catch (error) {
    throw unwritable(dataDir, error);
  }
}

/** The refusal for a data directory that a live process holds. */
export function inUse(dataDir: string, holder: LockHolder): EmbeddedPostgresError {
  const what = holder.purpose === 'server' ? 'Portico already runs' : 'A portico command is running';
  return new EmbeddedPostgresError(
    'in_use',
    `${what} with the data directory ${dataDir} (process ${holder.pid}): stop it first, or choose another directory with PORTICO_DATA_DIR.`,
  );
}

/**
 * Holds a cluster for this process through its lock: starts it, watches it, restarts it, stops it.
 */
export class Supervisor implements EmbeddedPostgres {
  readonly logFile: string;
  private readonly options: EmbeddedPostgresOptions;
  private readonly dataDir: string;
  private readonly lock: DataDirLock;
  private readonly purpose: LockPurpose;
  private running: Running | undefined;
  private readonly stopping = new AbortController();
  private stopped: Promise<void> | undefined;
  private recovering: Promise<void> | undefined;
  private readonly timers: NodeJS.Timeout[] = [];
  /** Times of unexpected ends, in epoch milliseconds. */
  private restarts: number[] = [];
  private lost = false;

  /** @param dataDir real path, whose `lock` the caller holds and hands over. */
  constructor(dataDir: string, lock: DataDirLock, purpose: LockPurpose, options: EmbeddedPostgresOptions) {
    this.dataDir = dataDir;
    this.lock = lock;
    this.purpose = purpose;
    this.options = options;
    this.logFile = path.join(dataDir, 'postgres.log');
  }

  get adminUrl(): string {
    return connectionString(this.connection);
  }
  get connection(): EmbeddedPostgresConnection {
    return this.state.connection;
  }
  get pid(): number {
    return this.state.postmaster.pid;
  }
  get adopted(): boolean {
    return this.state.adopted;
  }
  get version(): string {
    return this.state.version;
  }
  get clusterDir(): string {
    return clusterDirOf(this.state.home);
  }

  /** Brings the server up; on failure frees the data directory again. Call it once. */
  async start(): Promise<void> {
    try {
      this.running = await this.bringUp(this.options.signal);
    } catch (error) {
      this.lock.release();
      if (this.options.signal?.aborted && !(error instanceof EmbeddedPostgresError)) {
        throw new EmbeddedPostgresError('aborted', 'The start of the embedded PostgreSQL was called off.', error);
      }
      throw error;
    }
    if (!this.lock.stillOurs()) {
      // Both found the same stale lock; the other one has it and uses this same server.
      throw new EmbeddedPostgresError(
        'in_use',
        `Another start took the data directory ${this.dataDir} at the same moment: stop it first, or choose another directory with PORTICO_DATA_DIR.`,
      );
    }
    this.watch();
  }

  stop(): Promise<void> {
    this.stopped ??= this.bringDown();
    return this.stopped;
  }

  private get state(): Running {
    if (!this.running) throw new Error('The embedded PostgreSQL has not been started.');
    return this.running;
  }

  private async bringUp(signal: AbortSignal | undefined): Promise<Running> {
    const { log } = this.options;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const home = findHome(this.dataDir);
      checkCluster(home);
      const known = readPassword(this.dataDir);
      const expectedSocketDir = path.join(home, 'run');
      this.requireNoCopy(home);
      const found = clusterExists(home)
        ? await recover(clusterDirOf(home), { log, timeoutMs: START_TIMEOUT_MS, expectedSocketDir })
        : null;
      const adopted = found && known !== null ? await this.adopt(found, home, known) : null;
      if (adopted) return adopted;
      // Runs, and cannot be reached any more (its directory was moved, its password file is gone): start it anew.
      if (found) await endPostmaster(found, clusterDirOf(home), this.stopTimeoutMs);
      try {
        return await this.bringUpNew(home, known, signal);
      } catch (error) {
        const again =
          error instanceof EmbeddedPostgresError &&
          error.code === 'start_failed' &&
          attempt < START_ATTEMPTS &&
          // The log would be applied again, to the same end.
          !error.message.includes('recovery target');
        if (!again) throw error;
        log({ level: 'warn', msg: `${error.message} Trying again.`, attempt });
        await sleep(200 * attempt);
      }
    }
  }

  private async bringUpNew(home: string, known: string | null, signal?: AbortSignal): Promise<Running> {
    const { log, relocationRoot = '/var/lib/portico', settings = {}, skipInitialSync: skipSync = false } = this.options;
    const { archiveLog = false, startTimeoutMs = START_TIMEOUT_MS } = this.options;
    try {
      const placement = await place(this.dataDir, home, { relocationRoot, log });
      const clusterDir = clusterDirOf(placement.home);
      log({ level: 'debug', msg: 'Starting the embedded PostgreSQL.', clusterDir, as: placement.launch.label });
      const password = known ?? readPassword(this.dataDir) ?? createPassword(this.dataDir);
      const fresh = !clusterExists(placement.home);
      if (fresh) {
        log({ level: 'info', msg: 'Making the files of a new database.', clusterDir });
        await createCluster(placement, password, { skipSync, signal });
      } else {
        adoptOwnership(placement);
        if (known === null) {
          log({ level: 'warn', msg: 'The file with the password of the database is missing: setting a new one.' });
          await resetPassword(placement, password);
        }
      }
      signal?.throwIfAborted();
      const socketDir = prepareSocketDir(placement.home, placement.launch);
      rotateLog(this.logFile);
      noteStart(this.dataDir, clusterDir);
      if (archiveLog) prepareLogArchive(placement.home, placement.launch);
      const start = {
        settings: { ...(archiveLog && ARCHIVE_SETTINGS), ...settings },
        ...{ logFile: this.logFile, timeoutMs: startTimeoutMs, log, signal },
      };
      const postmaster = await startPostmaster(placement, socketDir, start);
      try {
        return await this.complete(postmaster, { home: placement.home, password, adopted: false, fresh });
      } catch (error) {
        await endPostmaster(postmaster, clusterDir, this.stopTimeoutMs);
        throw error;
      }
    } catch (error) {
      const system = errno(error);
      if (system !== undefined && ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(system))
        throw unwritable(home, error);
      throw error;
    }
  }

  /** @throws EmbeddedPostgresError `copied` */
  private requireNoCopy(home: string): void {
    if (this.options.startCopy || !clusterExists(home) || !wasCopiedRunning(this.dataDir, clusterDirOf(home))) return;
    throw new EmbeddedPostgresError(
      'copied',
      `The database in ${clusterDirOf(home)} was copied while it ran, so rows may be missing or damaged: restore a backup ("portico backup restore"), or start it as it is, once, with PORTICO_START_COPY=true.`,
    );
  }

  private async adopt(postmaster: Postmaster, home: string, password: string): Promise<Running | null> {
    const { log } = this.options;
    try {
      const running = await this.complete(postmaster, { home, password, adopted: true, fresh: false });
      log({
        level: 'info',
        msg: 'Took over the database server that an earlier start left running.',
        pid: postmaster.pid,
      });
      return running;
    } catch (error) {
      log({
        level: 'warn',
        msg: 'The running database server does not answer and is started anew.',
        cause: String(error),
      });
      return null;
    }
  }

  private async complete(
    postmaster: Postmaster,
    as: { home: string; password: string; adopted: boolean; fresh: boolean },
  ): Promise<Running> {
    const connection = ownerConnection(postmaster.socketDir, as.password);
    const version = await openDatabase(connection, as.fresh);
    return { postmaster, home: as.home, adopted: as.adopted, connection, version };
  }

  private get stopTimeoutMs(): number {
    return this.options.stopTimeoutMs ?? 15_000;
  }

  private watch(): void {
    this.watchChild();
    // The only way to notice the end of an adopted server, which is not a child of this process.
    this.timers.push(setInterval(() => this.noticeEnd(), WATCH_INTERVAL_MS).unref());
    this.timers.push(setInterval(() => rotateLog(this.logFile), ROTATE_INTERVAL_MS).unref());
  }

  private watchChild(): void {
    this.state.postmaster.child?.once('exit', () => this.noticeEnd());
  }

  private noticeEnd(): void {
    if (this.stopping.signal.aborted || this.recovering || this.lost) return;
    if (isRunning(this.state.postmaster, this.clusterDir)) return;
    this.recovering = this.bringBack().finally(() => {
      this.recovering = undefined;
    });
  }

  private async bringBack(): Promise<void> {
    const { log } = this.options;
    const { pid } = this.state.postmaster;
    log({ level: 'error', msg: 'The embedded PostgreSQL ended unexpectedly.', pid, logFile: this.logFile });
    const now = Date.now();
    this.restarts = [...this.restarts.filter((at) => now - at < RESTART_WINDOW_MS), now];
    try {
      const tooOften = this.restarts.length > RESTARTS && !(await this.lacksRoom());
      if (this.options.restart === false || tooOften) {
        throw new EmbeddedPostgresError('lost', `The embedded PostgreSQL ended unexpectedly: see ${this.logFile}.`);
      }
      this.running = await this.bringUpWithRoom(this.stopping.signal);
      this.watchChild();
      log({ level: 'info', msg: 'The embedded PostgreSQL is back.', pid: this.pid });
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.lost = true;
      const lost = error instanceof Error ? error : new Error(String(error));
      log({ level: 'error', msg: lost.message });
      this.options.onLost?.(lost);
    }
  }

  /** As {@link bringUp}. A full disk, which ends a server and keeps the next one from starting, is waited for. */
  private async bringUpWithRoom(signal: AbortSignal): Promise<Running> {
    for (;;) {
      try {
        return await this.bringUp(signal);
      } catch (error) {
        if (signal.aborted || !(await this.lacksRoom())) throw error;
        const msg = `${error instanceof Error ? error.message : String(error)} The disk is full: make room for ${this.dataDir}. The database then comes back by itself.`;
        this.options.log({ level: 'error', msg });
        await sleep(ROOM_INTERVAL_MS, undefined, { signal });
      }
    }
  }

  private async lacksRoom(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.clusterDir);
    return bavail * bsize < (this.options.startRoomBytes ?? START_ROOM_BYTES);
  }

  private async bringDown(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers) clearInterval(timer);
    await this.recovering;
    const { postmaster, home, connection } = this.state;
    try {
      if (
        this.purpose === 'command' &&
        isRunning(postmaster, this.clusterDir) &&
        (await otherClients(connection)) > 0
      ) {
        return;
      }
      await endPostmaster(postmaster, this.clusterDir, this.stopTimeoutMs);
      removeSocketDir(home, postmaster.socketDir);
    } finally {
      this.lock.release();
    }
  }
}
