import { closeSync, copyFileSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

/** Above this size, in bytes, the log is put aside; one older file is kept, so it never takes much more than twice this. */
export const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Puts a log that has grown too large aside as `<file>.1` and empties it. Copy and truncate, not rename: the server
 * writes on through the file it was given at its start, at the end of it wherever that is. Lines written between the
 * two steps are lost, which a log can bear.
 */
export function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_LIMIT_BYTES) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

/** Opens the log for a server to append to, mode 0600: error messages may quote data. The caller closes it. */
export function openLog(file: string): { fd: number; size: number } {
  const fd = openSync(file, 'a', 0o600);
  return { fd, size: fstatSync(fd).size };
}

/** The server's complaints since `offset` (bytes), as one text without the prefix of each line; '' when there are none. */
export function complaintsSince(file: string, offset: number): string {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(64 * 1024);
    const length = readSync(fd, buffer, 0, buffer.length, offset);
    const lines = buffer.subarray(0, length).toString('utf8').split('\n');
    const wanted = lines.filter((line) => /\b(FATAL|PANIC|HINT|DETAIL|unshare): /.test(line));
    const texts = (wanted.length > 0 ? wanted : lines.filter((line) => line !== '').slice(-1)).slice(-3);
    return texts
      .map((line) =>
        line
          .replace(/^.*?\b(FATAL|PANIC|HINT|DETAIL): +/, '')
          .trim()
          .replace(/\.$/, ''),
      )
      .join('; ');
  } finally {
    closeSync(fd);
  }
}
