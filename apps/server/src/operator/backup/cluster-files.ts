/**
 * The files of the embedded database as one stream: each is a line of JSON and then its bytes. They are copied while the
 * database runs; its archived log brings them to one moment.
 */
import { createReadStream, type Dirent } from 'node:fs';
import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BackupDamage } from './place.ts';

/** Directories that a server fills anew: they are made empty. */
const EMPTIED =
  /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|log-restore)$/;
const OMITTED = /^(?:postmaster\.(?:pid|opts)|.*\.signal|pgsql_tmp.*|pg_internal\.init.*|backup_label.*)$/;
const LONGEST_HEADER = 10_000;

interface Header {
  readonly path: string;
  /** Undefined for a directory. */
  readonly size?: number;
}

/** Reads the files of a cluster between `pg_backup_start` and `pg_backup_stop`. */
export async function* readCluster(clusterDir: string): AsyncGenerator<Uint8Array> {
  yield* readDirectory(clusterDir, '');
}

async function* readDirectory(root: string, path: string): AsyncGenerator<Uint8Array> {
  for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (OMITTED.test(entry.name)) continue;
    if (entry.isDirectory()) {
      yield header({ path: below });
      if (path !== '' || !EMPTIED.test(entry.name)) yield* readDirectory(root, below);
    } else yield* readFile(root, below, entry);
  }
}

async function* readFile(root: string, path: string, entry: Dirent): AsyncGenerator<Uint8Array> {
  if (!entry.isFile()) throw new Error(`${path} is no file`);
  const size = await stat(join(root, path)).then(
    (found) => found.size,
    // A table was dropped meanwhile: the log says so too.
    () => undefined,
  );
  if (size === undefined) return;
  yield* fileBytes(
    path,
    size,
    size === 0 ? [] : (createReadStream(join(root, path), { end: size - 1 }) as AsyncIterable<Buffer>),
  );
}

/** A file of the stream. A shorter one, cut meanwhile, is filled with zeros, which the log replaces. */
async function* fileBytes(
  path: string,
  size: number,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield header({ path, size });
  let left = size;
  try {
    for await (const chunk of bytes) {
      left -= chunk.byteLength;
      yield chunk;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  while (left > 0) {
    const zeros = Buffer.alloc(Math.min(left, 65_536));
    left -= zeros.length;
    yield zeros;
  }
}

/** A small file of the stream. */
export async function* textFile(path: string, text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  yield* fileBytes(path, bytes.length, [bytes]);
}

function header(of: Header): Uint8Array {
  return Buffer.from(`${JSON.stringify(of)}\n`);
}

/** Writes the files of a stream below a directory. @throws BackupDamage */
export async function writeCluster(directory: string, stream: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  const bytes = new Chunks(stream);
  for (let line = await bytes.line(); line !== undefined; line = await bytes.line()) {
    const { path, size } = JSON.parse(line) as Header;
    if (path.startsWith('/') || path.split('/').includes('..')) throw new BackupDamage(`the file name ${path}`);
    const target = join(directory, path);
    if (size === undefined) await mkdir(target, { recursive: true, mode: 0o700 });
    else {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const file = await open(target, 'wx', 0o600);
      try {
        for await (const chunk of bytes.take(size)) await file.writeFile(chunk);
      } finally {
        await file.close();
      }
    }
  }
}

/** Lines and pieces of a stream of bytes. */
class Chunks {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? Buffer.from(value) : Buffer.concat([this.#rest, value]);
    return true;
  }

  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) {
        const line = this.#rest.toString('utf8', 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (this.#rest.length > LONGEST_HEADER) throw new BackupDamage('the files of the database have no header');
      if (await this.#more()) continue;
      if (this.#rest.length > 0) throw new BackupDamage('the files of the database are cut off');
      return undefined;
    }
  }

  async *take(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more()))
        throw new BackupDamage('the files of the database are cut off');
      const chunk = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(chunk.length);
      left -= chunk.length;
      yield chunk;
    }
  }
}
