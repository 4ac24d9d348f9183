/** Backups in a bucket of an S3-compatible store. */
import { Readable } from 'node:stream';
import { S3Objects } from '@portico/platform/files/s3/objects';
import { S3_MAX_BYTES, type S3Options } from '@portico/platform/files/s3/options';
import { OperatorError } from '../operator-error.ts';
import { isBackupName } from './manifest.ts';
import { type BackupPlace, MANIFEST } from './place.ts';

const WRITES_AT_ONCE = 8;
/** Smaller files are sent from memory, so that a request that failed can be sent again. Bytes. */
const SENT_FROM_MEMORY = 32 * 1024 * 1024;

export function openBucket(options: S3Options): BackupPlace {
  const objects = new S3Objects(options);
  const { prefix } = options;
  return {
    address: `s3://${options.bucket}/${prefix}`,
    writesAtOnce: WRITES_AT_ONCE,
    readable: true,
    put: async (path, bytes, size) => {
      if (size > S3_MAX_BYTES)
        throw new OperatorError(`${path} has ${size} bytes; stores take at most ${S3_MAX_BYTES} by one request.`);
      const source = Readable.from(bytes, { objectMode: false });
      const body = size <= SENT_FROM_MEMORY ? Buffer.concat(await source.toArray()) : source;
      await objects.put(prefix + path, body, size);
    },
    settle: async () => undefined,
    read: (path) => objects.get(prefix + path),
    names: async () => (await objects.folders(prefix)).filter(isBackupName).sort(),
    list: async function* (folder) {
      for await (const page of objects.list(prefix + folder))
        for (const { key } of page) yield key.slice(prefix.length);
    },
    removeFile: (path) => objects.delete(prefix + path),
    remove: async (name) => {
      if (!isBackupName(name)) throw new Error(`${name} is no backup`);
      await objects.delete(`${prefix}${name}/${MANIFEST}`);
      for await (const page of objects.list(`${prefix}${name}/`)) {
        for (const { key } of page) await objects.delete(key);
      }
    },
    close: async () => objects.close(),
  };
}
