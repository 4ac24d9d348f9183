/**
 * Opens the archive of a community for reading: untrusted input. Names, kinds and sizes of all
 * entries are checked first. Nothing is unpacked to a disk, and bytes are read by ranges.
 */
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { communityArchiveLimits as limits } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { FileStorage } from '@portico/platform/files';
import { exceededLimit, type StructureLimits } from '@portico/platform/text';
import { Turns } from '@portico/platform/turns';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { invalid } from '../../../kernel/errors.ts';
import { storedPlace } from '../../files/index.ts';
import { ImportError } from '../source/errors.ts';
import { ARCHIVE_FORMAT, type ArchiveHead, ENTRIES, FILE_ENTRY, fileEntry } from './format.ts';

/** What is wrong with an archive, and where. */
export class ArchiveFault extends ImportError {
  constructor(entry: string, fault: string, line?: number) {
    super(`${entry}${line === undefined ? '' : `, line ${line}`}: ${fault}`);
  }
}

/** Runs work on an archive of a request; its faults become errors of the field with the upload. */
export async function answeringFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ArchiveFault) throw invalid('contentRef', 'INVALID_VALUE', error.message);
    throw error;
  }
}

/** An archive whose entries were checked. */
export interface CommunityArchive {
  readonly head: ArchiveHead;
  /** Number of files, and their bytes. */
  readonly filesCount: number;
  readonly filesBytes: number;
  /** Whether there is a file of this number. */
  hasFile(number: number): boolean;
  /** @throws ArchiveFault */
  file(number: number): Promise<Readable>;
  /** The definition, not checked yet. @throws ArchiveFault */
  definition(): Promise<object>;
  /** Reads the lines of an entry, each a JSON value with the number of its line. @throws ArchiveFault */
  lines(entry: 'posts' | 'people'): AsyncGenerator<{ line: number; value: unknown; bytes: number }>;
  close(): void;
}

/**
 * Opens an upload as an archive.
 * @returns undefined where its bytes are not stored
 * @throws ArchiveFault for a file that is no archive of a community, or a hostile one
 */
export async function openCommunityArchive(
  db: TenantExecutor,
  storage: FileStorage,
  contentRef: string,
): Promise<CommunityArchive | undefined> {
  const place = await storedPlace(db, contentRef);
  if (!place) return undefined;
  const zip = await openZip(storage, place.storageKey, place.size);
  try {
    const entries = await readEntries(zip);
    const archive = new OpenArchive(zip, entries);
    return Object.assign(archive, { head: await archive.readHead() });
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Reads ranges of a stored file. */
class StoredReader extends RandomAccessReader {
  readonly #storage: FileStorage;
  readonly #key: string;

  constructor(storage: FileStorage, key: string) {
    super();
    this.#storage = storage;
    this.#key = key;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const pass = new PassThrough();
    this.#storage
      .open(this.#key, { start, end: end - 1 })
      .then((source) => pipeline(source, pass))
      .catch((error: Error) => pass.destroy(error));
    return pass;
  }
}

const NO_ZIP = 'The file is no ZIP archive, or is cut off';

async function openZip(storage: FileStorage, key: string, size: number): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(new StoredReader(storage, key), size, {
      lazyEntries: true,
      autoClose: false,
      strictFileNames: true,
    });
  } catch (error) {
    throw asFault(NO_ZIP, error);
  }
}

/** Errors of the storage pass; errors of the reader of ZIP files are faults of the archive. */
function asFault(entry: string, error: unknown): unknown {
  if (error instanceof ArchiveFault || !(error instanceof Error)) return error;
  const plain = error.constructor === Error || 'code' in error;
  const ofZlib = String((error as { code?: unknown }).code ?? 'Z_').startsWith('Z_');
  return plain && ofZlib ? new ArchiveFault(entry, error.message) : error;
}

/** Unix kind of a file, in the upper half of its external attributes. */
const KIND = 0o170000;
const REGULAR = 0o100000;
const UNIX = 3;

const mostBytes: Readonly<Record<string, number>> = {
  [ENTRIES.head]: 64 * 1024,
  [ENTRIES.definition]: limits.definitionBytes,
  [ENTRIES.people]: limits.peopleBytes,
  [ENTRIES.posts]: limits.postsBytes,
};

/** @throws ArchiveFault for an entry that no archive of a community has */
async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const most = limits.files + Object.keys(ENTRIES).length;
  if (zip.entryCount > most) throw new ArchiveFault(NO_ENTRY, `there are more than ${most} entries`);
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize } = entry;
      checkEntry(entry);
      if (entries.has(fileName)) throw new ArchiveFault(fileName, 'there are two entries of this name');
      bytes += uncompressedSize;
      if (bytes > limits.bytes)
        throw new ArchiveFault(fileName, `the entries unpack to more than ${limits.bytes} bytes`);
      entries.set(fileName, entry);
      if (entries.size > most) throw new ArchiveFault(fileName, `there are more than ${most} entries`);
    }
  } catch (error) {
    throw asFault(NO_ENTRY, error);
  }
  for (const name of Object.values(ENTRIES))
    if (!entries.has(name)) throw new ArchiveFault(name, 'the entry is missing');
  return entries;
}

const NO_ENTRY = 'The list of entries';

function checkEntry(entry: Entry): void {
  const { fileName, uncompressedSize, externalFileAttributes, versionMadeBy } = entry;
  const shown = fileName.slice(0, 100).toWellFormed();
  const allowed = mostBytes[fileName] ?? (FILE_ENTRY.test(fileName) ? limits.fileBytes : undefined);
  if (allowed === undefined) throw new ArchiveFault(shown, 'an archive of a community has no such entry');
  const kind = versionMadeBy >> 8 === UNIX ? (externalFileAttributes >>> 16) & KIND : 0;
  if (kind !== 0 && kind !== REGULAR) throw new ArchiveFault(shown, 'it is a link or another special file');
  if (entry.isEncrypted()) throw new ArchiveFault(shown, 'it is encrypted');
  if (!entry.canDecodeFileData()) throw new ArchiveFault(shown, 'its kind of compression is unknown');
  if (uncompressedSize > allowed) throw new ArchiveFault(shown, `it unpacks to more than ${allowed} bytes`);
}

class OpenArchive {
  readonly filesCount: number;
  readonly filesBytes: number;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
    const files = [...entries.values()].filter(({ fileName }) => FILE_ENTRY.test(fileName));
    this.filesCount = files.length;
    this.filesBytes = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  }

  hasFile(number: number): boolean {
    return this.#entries.has(fileEntry(number));
  }

  file(number: number): Promise<Readable> {
    return this.#open(fileEntry(number));
  }

  close(): void {
    this.#zip.close();
  }

  async readHead(): Promise<ArchiveHead> {
    const head = (await this.#json(ENTRIES.head)) as Partial<ArchiveHead>;
    const fault = (text: string) => new ArchiveFault(ENTRIES.head, text);
    if (head.kind !== 'community') throw fault('it is no archive of a community');
    if (head.format !== ARCHIVE_FORMAT)
      throw fault(`another version of Portico reads its format; this one reads format ${ARCHIVE_FORMAT}`);
    if (typeof head.portal !== 'string' || head.portal.length > MOST_NAME) throw fault('"portal" is no name');
    if (!Number.isSafeInteger(head.madeAt)) throw fault('"madeAt" is no time');
    return head as ArchiveHead;
  }

  definition(): Promise<object> {
    return this.#json(ENTRIES.definition);
  }

  async *lines(kind: 'posts' | 'people'): AsyncGenerator<{ line: number; value: unknown; bytes: number }> {
    const name = ENTRIES[kind];
    let line = 0;
    const turns = new Turns();
    for await (const bytes of this.#lines(name)) {
      line += 1;
      if (bytes.length === 0) continue;
      yield { line, value: await parsed(turns, name, bytes, line), bytes: bytes.length };
    }
  }

  async *#lines(name: string): AsyncGenerator<Buffer> {
    let rest: Buffer[] = [];
    let length = 0;
    const source = await this.#open(name);
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        let from = 0;
        for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
          yield Buffer.concat([...rest, chunk.subarray(from, end)]);
          rest = [];
          length = 0;
          from = end + 1;
        }
        const left = chunk.subarray(from);
        length += left.length;
        if (length > limits.line) throw new ArchiveFault(name, `a line has more than ${limits.line} bytes`);
        if (left.length > 0) rest.push(left);
      }
      if (length > 0) yield Buffer.concat(rest);
    } catch (error) {
      throw asFault(name, error);
    } finally {
      source.destroy();
    }
  }

  async #json(name: string): Promise<object> {
    try {
      return await parsed(new Turns(), name, Buffer.concat(await (await this.#open(name)).toArray()));
    } catch (error) {
      throw asFault(name, error);
    }
  }

  async #open(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (!entry) throw new ArchiveFault(name, 'the entry is missing');
    try {
      return await this.#zip.openReadStreamPromise(entry);
    } catch (error) {
      throw asFault(name, error);
    }
  }
}

const LF = 0x0a;
const MOST_NAME = 1_000;
/** JSON beyond these limits is refused: parsing it would keep others waiting. */
const STRUCTURE: StructureLimits = { levels: 64, containers: 50_000, members: 10_000 };

const BEYOND: Readonly<Record<keyof StructureLimits, string>> = {
  levels: `it is nested deeper than ${STRUCTURE.levels} levels`,
  containers: `it has more than ${STRUCTURE.containers} lists and objects`,
  members: `it has an object with more than ${STRUCTURE.members} members`,
};

/** @throws ArchiveFault for text that is no JSON object */
async function parsed(turns: Turns, entry: string, bytes: Buffer, line?: number): Promise<object> {
  const fault = (text: string) => new ArchiveFault(entry, text, line);
  if (turns.isOver) await turns.next();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fault('it is not text in UTF-8');
  }
  const exceeded = exceededLimit(text, STRUCTURE);
  if (exceeded) throw fault(BEYOND[exceeded]);
  if (turns.isOver) await turns.next();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fault('it is no JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fault('it is no JSON object');
  return value;
}
