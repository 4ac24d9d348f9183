/**
 * Files in a local directory (or one that all nodes share). Layout below the root:
 *   incoming/<host>-<pid>-<random>       receptions that are under way
 *   removed/<tenant>-<sha256>-<random>   files between their removal and their deletion
 *   tenants/<tenant>/<aa>/<sha256>       files, named by their content; `aa` are its first two digits
 * A name on disk is made of digits and hexadecimal only: nothing that a client sends becomes part of a path.
 */
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, link, mkdir, open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import {
  type ByteRange,
  FileNotStoredError,
  type FileStorage,
  FileTooLargeError,
  type ReceivedFile,
  StorageFullError,
  StorageUnavailableError,
  type StoredFileInfo,
} from './storage.ts';
import { notePassed } from './used-buffers.ts';

const KEY = /^(\d{1,16})\/([0-9a-f]{2})\/([0-9a-f]{64})$/;
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/**
 * Bytes gathered before they are written; a reception holds twice this in memory. Few enough that
 * many receptions side by side hold less than passes between two collections (used-buffers.ts):
 * buffers that outlive two collections are freed late.
 */
const WRITE_BYTES = 128 * 1024;
const READ_BYTES = 256 * 1024;
/** A reception of a process that is gone is not removed before this, in case its id is one of another machine. */
const DEAD_PROCESS_GRACE_MS = 10 * 60_000;

/** How old a measurement of the free space may be. Milliseconds. */
const ROOM_FRESH_MS = 1_000;

/**
 * Opens (and creates) a directory of files, and removes the remains of receptions whose processes
 * died.
 * @param minFreeBytes room of its file system that is kept free: nothing is taken in beyond it
 */
export async function openDirectoryStorage(root: string, minFreeBytes = 0): Promise<FileStorage> {
  const storage = new DirectoryStorage(resolve(root), minFreeBytes);
  await storage.prepare();
  return storage;
}

class DirectoryStorage implements FileStorage {
  readonly #incoming: string;
  readonly #removed: string;
  readonly #tenants: string;
  /** Directories that are there, durably, once the promise is kept. */
  readonly #known = new Map<string, Promise<void>>();
  readonly #prefix = `${hostname().replaceAll(/[^A-Za-z0-9.]/g, '_')}-${process.pid}-`;

  readonly #root: string;
  readonly #minFreeBytes: number;
  #room: { free: Promise<number>; at: number } | undefined;
  /** Bytes that receptions of this process have taken since the free space was last measured. */
  #takenSince = 0;

  constructor(root: string, minFreeBytes: number) {
    this.#root = root;
    this.#minFreeBytes = minFreeBytes;
    this.#incoming = join(root, 'incoming');
    this.#removed = join(root, 'removed');
    this.#tenants = join(root, 'tenants');
  }

  async prepare(): Promise<void> {
    for (const directory of [this.#incoming, this.#removed, this.#tenants]) await this.#ensure(directory);
    const cutoff = Date.now() - DEAD_PROCESS_GRACE_MS;
    await this.#sweepIncoming((name, modifiedAt) => isOfDeadProcess(name) && modifiedAt < cutoff);
  }

  /** Bytes that this process may still store; at most a second old. */
  async freeBytes(): Promise<number> {
    const now = performance.now();
    if (!this.#room || now - this.#room.at > ROOM_FRESH_MS) {
      const free = reaching(() => statfs(this.#root)).then(({ bavail, bsize }) => bavail * bsize);
      this.#room = { free, at: now };
      this.#takenSince = 0;
    }
    return (await this.#room.free) - this.#takenSince;
  }

  async requireRoom(bytes: number): Promise<void> {
    await reaching(() => access(this.#incoming, constants.W_OK | constants.X_OK));
    await this.#requireFree(bytes);
  }

  async #requireFree(bytes: number): Promise<void> {
    if ((await this.freeBytes()) - bytes >= this.#minFreeBytes) return;
    const kept = { directory: this.#root, bytes: this.#minFreeBytes };
    throw new StorageFullError(`less than ${kept.bytes} bytes would be free in the directory of files`, kept);
  }

  /** Passes bytes on while there is room: how many will come is often not declared, and others write too. */
  async *#whileRoom(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of source) {
      await this.#requireFree(chunk.byteLength);
      this.#takenSince += chunk.byteLength;
      yield chunk;
    }
  }

  async receive(
    tenantId: number,
    source: AsyncIterable<Uint8Array>,
    { maxBytes }: { maxBytes: number },
  ): Promise<ReceivedFile> {
    await this.requireRoom(0);
    const path = join(this.#incoming, `${this.#prefix}${randomBytes(12).toString('hex')}`);
    const handle = await reaching(() => open(path, 'wx+', FILE_MODE));
    try {
      const { size, md5, sha256 } = await writeAll(handle, this.#whileRoom(source), maxBytes);
      await reaching(() => handle.sync());
      return this.#received(tenantId, path, handle, { size, md5, sha256 });
    } catch (error) {
      await handle.close();
      await reaching(() => removeIfThere(path));
      throw error;
    }
  }

  #received(tenantId: number, path: string, handle: FileHandle, facts: Digests): ReceivedFile {
    const storageKey = `${tenantId}/${facts.sha256.slice(0, 2)}/${facts.sha256}`;
    let open = true;
    const close = async () => {
      if (open) await handle.close();
      open = false;
    };
    return {
      ...facts,
      storageKey,
      read: async (start, length) => {
        const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, facts.size - start)));
        let filled = 0;
        while (filled < buffer.length) {
          const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, start + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return buffer.subarray(0, filled);
      },
      publish: async () => {
        // Closed first: Windows renames no open file.
        await close();
        await reaching(() => this.#publish(path, storageKey, facts.size));
      },
      discard: async () => {
        if (!open) return;
        await close();
        await reaching(() => removeIfThere(path));
      },
    };
  }

  /** Replaces an equal file that is there already: so its time says when it was last taken into use. */
  async #publish(from: string, storageKey: string, size: number): Promise<void> {
    const to = this.#path(storageKey);
    try {
      await this.#ensure(dirname(to));
      try {
        await rename(from, to);
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
        // An operator removed the (empty) directory.
        this.#known.delete(dirname(to));
        await this.#ensure(dirname(to));
        await rename(from, to);
      }
    } catch (error) {
      const known = await this.stat(storageKey);
      await unlink(from);
      // Windows refuses to replace a file that is open; the same bytes are there then.
      if (!hasCode(error, 'EPERM', 'EACCES', 'EBUSY') || known?.size !== size) throw error;
    }
    await syncDirectory(dirname(to));
  }

  async open(storageKey: string, range?: ByteRange): Promise<Readable> {
    const path = this.#path(storageKey);
    let handle: FileHandle;
    try {
      handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    } catch (error) {
      // Without the directories of tenants, none of their files is missing: the whole place is away.
      const lost = hasCode(error, 'ENOENT') && (await reaching(() => statFile(this.#tenants))) !== undefined;
      if (lost) throw new FileNotStoredError(storageKey, { cause: error });
      throw unreachable(error);
    }
    if (range && range.end < range.start) {
      await handle.close();
      return Readable.from([]);
    }
    return streamOf(handle, range);
  }

  async stat(storageKey: string): Promise<StoredFileInfo | undefined> {
    return statFile(this.#path(storageKey));
  }

  /**
   * The file is first moved aside and then checked: between a check and a deletion in place, a
   * writer could put a fresh copy there, which would be lost. A fresh copy that was moved aside is
   * put back.
   */
  async deleteOlderThan(storageKey: string, cutoff: number): Promise<boolean> {
    const path = this.#path(storageKey);
    const before = await statFile(path);
    if (!before) return true;
    if (before.modifiedAt >= cutoff) return false;
    const [tenant, , sha256] = storageKey.split('/');
    const aside = join(this.#removed, `${tenant}-${sha256}-${randomBytes(12).toString('hex')}`);
    try {
      await rename(path, aside);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return true;
      throw error;
    }
    const taken = await statFile(aside);
    const fresh = taken !== undefined && taken.modifiedAt >= cutoff;
    if (fresh) await this.#putBack(aside, path);
    await removeIfThere(aside);
    return !fresh;
  }

  /** A file that was placed there meanwhile is an equal one. */
  async #putBack(aside: string, path: string): Promise<void> {
    try {
      await link(aside, path);
      await syncDirectory(dirname(path));
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'ENOENT')) throw error;
    }
  }

  async *list(tenantId: number): AsyncIterable<readonly string[]> {
    const directory = join(this.#tenants, String(tenantId));
    for (const shard of await namesIn(directory)) {
      const keys = (await namesIn(join(directory, shard)))
        .map((name) => `${tenantId}/${shard}/${name}`)
        .filter((key) => KEY.test(key));
      if (keys.length > 0) yield keys;
    }
  }

  async sweep(cutoff: number): Promise<number> {
    const restored = await this.#restoreRemoved(cutoff);
    return restored + (await this.#sweepIncoming((_name, modifiedAt) => modifiedAt < cutoff));
  }

  async #sweepIncoming(isLeftOver: (name: string, modifiedAt: number) => boolean): Promise<number> {
    let count = 0;
    for (const name of await namesIn(this.#incoming)) {
      const path = join(this.#incoming, name);
      const info = await statFile(path);
      if (info && isLeftOver(name, info.modifiedAt) && (await removeIfThere(path))) count++;
    }
    return count;
  }

  /**
   * Puts back the remains of a process that died between moving a file aside and checking it: the
   * file may be a fresh one. If nothing refers to it, it is found again as a file without a row.
   */
  async #restoreRemoved(cutoff: number): Promise<number> {
    let count = 0;
    for (const name of await namesIn(this.#removed)) {
      const aside = join(this.#removed, name);
      const info = await statFile(aside);
      const [tenant, sha256 = ''] = name.split('-');
      if (!info || info.changedAt >= cutoff) continue;
      await this.#putBack(aside, this.#path(`${tenant}/${sha256.slice(0, 2)}/${sha256}`));
      if (await removeIfThere(aside)) count++;
    }
    return count;
  }

  /** @throws FileNotStoredError for a text that is no key */
  #path(storageKey: string): string {
    const match = KEY.exec(storageKey);
    if (!match || match[3]?.slice(0, 2) !== match[2]) throw new FileNotStoredError(storageKey);
    return join(this.#tenants, match[1] as string, match[2] as string, match[3] as string);
  }

  /** Makes a directory and its parents durably; concurrent callers wait too. */
  #ensure(directory: string): Promise<void> {
    let made = this.#known.get(directory);
    if (!made) {
      made = makeDirectory(directory);
      this.#known.set(directory, made);
      made.catch(() => this.#known.delete(directory));
    }
    return made;
  }
}

/** The bytes of a file that is open, which is closed with the stream. */
function streamOf(handle: FileHandle, range: ByteRange | undefined): Readable {
  let position = range?.start ?? 0;
  const end = range ? range.end + 1 : Number.POSITIVE_INFINITY;
  return new Readable({
    highWaterMark: READ_BYTES,
    read() {
      const length = Math.min(READ_BYTES, end - position);
      if (length <= 0) {
        this.push(null);
        return;
      }
      handle.read(Buffer.allocUnsafeSlow(length), 0, length, position).then(
        ({ bytesRead, buffer }) => {
          position += bytesRead;
          notePassed(bytesRead);
          this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead));
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      handle.close().then(
        () => done(error),
        (closing: Error) => done(error ?? closing),
      );
    },
  });
}

async function makeDirectory(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
  if (first === undefined) return;
  for (let made = directory; ; made = dirname(made)) {
    await syncDirectory(dirname(made));
    if (made === first) break;
  }
}

interface Digests {
  size: number;
  md5: string;
  sha256: string;
}

/** Writes a source to a file. While a block is written the next one is gathered and hashed. */
async function writeAll(handle: FileHandle, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Digests> {
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let size = 0;
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  let position = 0;
  let writing: Promise<void> | undefined;
  const flush = async () => {
    await writing;
    if (gatheredBytes === 0) return;
    const [chunks, bytes, at] = [gathered, gatheredBytes, position];
    writing = reaching(() => writeBlock(handle, chunks, bytes, at));
    // A failure surfaces at the next await; until then it must not count as unhandled.
    writing.catch(() => undefined);
    position += gatheredBytes;
    notePassed(gatheredBytes);
    gathered = [];
    gatheredBytes = 0;
  };
  try {
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new FileTooLargeError(maxBytes);
      md5.update(chunk);
      sha256.update(chunk);
      gathered.push(chunk);
      gatheredBytes += chunk.byteLength;
      if (gatheredBytes >= WRITE_BYTES) await flush();
    }
    await flush();
  } finally {
    // The file is closed next in any case: no write may be under way then.
    await writing;
  }
  return { size, md5: md5.digest('base64'), sha256: sha256.digest('hex') };
}

async function writeBlock(handle: FileHandle, chunks: Uint8Array[], bytes: number, position: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks, position);
  if (bytesWritten === bytes) return;
  // A short write (a full disk says so at the next attempt).
  const rest = Buffer.concat(chunks).subarray(bytesWritten);
  for (let done = 0; done < rest.length; ) {
    done += (await handle.write(rest, done, rest.length - done, position + bytesWritten + done)).bytesWritten;
  }
}

/** Makes names in a directory durable. Windows has no such call and needs none. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @returns whether the file was there: another node may have removed it. */
async function removeIfThere(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function statFile(path: string): Promise<(StoredFileInfo & { changedAt: number }) | undefined> {
  try {
    const info = await stat(path);
    return { size: info.size, modifiedAt: info.mtimeMs, changedAt: info.ctimeMs };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Whether a reception's name is of a process of this machine that runs no more. */
function isOfDeadProcess(name: string): boolean {
  const match = /^(.+)-(\d+)-[0-9a-f]{24}$/.exec(name);
  if (!match || match[1] !== hostname().replaceAll(/[^A-Za-z0-9.]/g, '_')) return false;
  try {
    process.kill(Number(match[2]), 0);
    return false;
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
}

/**
 * Runs work on the directory itself, whose failures do not concern a file: a share that is away, a
 * file system that became read-only, a process with too many open files.
 * @throws StorageUnavailableError for every error of the system except a full disk
 */
async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreachable(error);
  }
}

function unreachable(error: unknown): unknown {
  const ofSystem = error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
  return ofSystem && !hasCode(error, 'ENOSPC', 'EDQUOT') ? new StorageUnavailableError(error) : error;
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
