/** A backup as one ZIP archive on a stream such as standard output. It can be written only. */
import { Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { BackupPlace } from './place.ts';

/** From this size on an entry needs the long form of the format. Bytes. */
const LONG_FORM = 0xffff_ffff;

export function openArchive(output: Writable): BackupPlace {
  const zip = new ZipFile();
  const failed = new Promise<never>((_, reject) => {
    zip.on('error', reject);
    output.on('error', reject);
  });
  // Each write waits for it; an archive without a write has no one to tell.
  failed.catch(() => undefined);
  zip.outputStream.pipe(output);
  return {
    address: 'standard output',
    writesAtOnce: 1,
    readable: false,
    put: async (path, bytes, size) => {
      const source = Readable.from(bytes, { objectMode: false });
      zip.addReadStream(source, path.slice(path.indexOf('/') + 1), {
        size,
        compress: false,
        mode: 0o100600,
        forceZip64Format: size >= LONG_FORM,
      });
      await Promise.race([finished(source, { writable: false }), failed]);
    },
    settle: async () => undefined,
    read: async () => undefined,
    names: async () => [],
    list: async function* () {},
    removeFile: async () => undefined,
    remove: async () => undefined,
    close: async () => {
      const ended = finished(zip.outputStream as Readable, { writable: false });
      zip.end();
      await Promise.race([ended, failed]);
    },
  };
}
