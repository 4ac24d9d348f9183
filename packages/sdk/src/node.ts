/** The client library of Portico for Node.js: all of index.ts, with key files, uploads by path and a token cache on disk. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { PorticoCoreClient } from './client.ts';
import type { ClientOptions, Platform } from './client-options.ts';
import { ConfigurationError } from './errors.ts';
import { contentTypeOf, type FileSource } from './files.ts';
import { sendMultipartStream } from './node-multipart.ts';
import { version } from './version.ts';

const nodePlatform: Platform = {
  readKeyFile: async (path) => {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      throw new ConfigurationError(`The key file cannot be read: ${(error as Error).message}`, { cause: error });
    }
  },
  openPath: openFile,
  sendMultipart: sendMultipartStream,
  userAgent: `portico-sdk/${version} node/${process.versions.node}`,
};

async function openFile(path: string): Promise<FileSource> {
  const found = await stat(path).catch((error: Error) => {
    throw new ConfigurationError(`The file cannot be read: ${error.message}`, { cause: error });
  });
  if (!found.isFile()) throw new ConfigurationError(`${path} is not a file.`);
  const name = basename(path);
  return {
    name,
    type: contentTypeOf(name),
    size: found.size,
    stream: () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
  };
}

/** A client of one tenant: `new PorticoClient({ baseUrl, credentials })`. */
export class PorticoClient extends PorticoCoreClient {
  constructor(options: ClientOptions) {
    super(options, nodePlatform);
  }
}

export { DiskTokenCache, defaultCacheDirectory } from './disk-token-cache.ts';
export * from './exports.ts';
