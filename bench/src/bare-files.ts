/**
 * The limit of uploads and downloads: a bare `node:http` server. `POST` takes one multipart body apart, hashes the part `file`
 * by SHA-256 and MD5, writes it, and answers once it is on the disk (fsync of the file, rename, fsync of the directory);
 * `GET` streams a file. No policy, no database, no sniffing of kinds, no headers but the length. Started by `files.ts` as a
 * process of its own with a directory as its argument; prints its port.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const directory = process.argv[2] as string;
/** Bytes of one write, while the next ones are gathered and hashed. */
const WRITE_BYTES = 512 * 1024;
const READ_BYTES = 256 * 1024;

/**
 * Yields the bytes of the last part in pieces as they arrive: earlier fields are searched through.
 */
async function* lastPart(request: IncomingMessage): AsyncIterable<Buffer> {
  const boundary = /boundary=(\S+)/.exec(request.headers['content-type'] ?? '')?.[1];
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let held: Buffer = Buffer.alloc(0);
  let inFile = false;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (!inFile) {
      const part = held.indexOf('name="file"');
      const start = part === -1 ? -1 : held.indexOf('\r\n\r\n', part);
      if (start === -1) continue;
      held = held.subarray(start + 4);
      inFile = true;
    }
    const end = held.indexOf(delimiter);
    if (end !== -1) {
      if (end > 0) yield held.subarray(0, end);
      held = Buffer.alloc(0);
      continue;
    }
    // A delimiter may begin at the end of the received bytes.
    const from = held.lastIndexOf('\r');
    const safe = from === -1 || held.length - from > delimiter.length ? held.length : from;
    if (safe > 0) yield held.subarray(0, safe);
    held = held.subarray(safe);
  }
}

async function upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = join(directory, `${randomUUID()}.part`);
  const handle = await open(path, 'wx');
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let gathered: Buffer[] = [];
  let bytes = 0;
  let writing: Promise<unknown> | undefined;
  const flush = async () => {
    await writing;
    writing = writeAll(handle, gathered);
    gathered = [];
    bytes = 0;
  };
  for await (const piece of lastPart(request)) {
    sha256.update(piece);
    md5.update(piece);
    gathered.push(piece);
    bytes += piece.length;
    if (bytes >= WRITE_BYTES) await flush();
  }
  await flush();
  await writing;
  await handle.sync();
  await handle.close();
  md5.digest();
  await rename(path, join(directory, sha256.digest('hex')));
  const parent = await open(directory, 'r');
  await parent.sync();
  await parent.close();
  response.writeHead(204).end();
}

async function writeAll(handle: FileHandle, pieces: Buffer[]): Promise<void> {
  if (pieces.length > 0) await handle.writev(pieces);
}

async function download(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = join(directory, (request.url as string).slice(1));
  const { size } = await stat(path);
  response.writeHead(200, { 'Content-Length': size, 'Content-Type': 'application/octet-stream' });
  await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), response);
}

const server = createServer((request, response) => {
  (request.method === 'POST' ? upload : download)(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.once('SIGTERM', () => process.exit(0));
