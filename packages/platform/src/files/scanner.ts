/**
 * Scans uploads for malware: the interface of a scanner, and the scanner that asks ClamAV. Off
 * unless configured. An upload is refused when the scanner finds something, and also when it cannot
 * be asked: unchecked files do not get in.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A scanner's result for a file. */
type ScanResult =
  | { readonly clean: true }
  /** `name`: the malware found. */
  | { readonly clean: false; readonly name: string };

/** Checks files before they are taken in. */
export interface AttachmentScanner {
  /** @throws ScannerError when the file could not be checked, ScannerLimitError when it is too large for the scanner */
  scan(bytes: AsyncIterable<Uint8Array>): Promise<ScanResult>;
}

/** The scanner did not answer, or not with a result. */
export class ScannerError extends Error {
  override name = 'ScannerError';
}

/** The file is larger than the scanner takes. */
export class ScannerLimitError extends ScannerError {
  override name = 'ScannerLimitError';
}

/** Where clamd listens (TCPSocket, TCPAddr of its configuration). */
interface ClamAvOptions {
  readonly host: string;
  readonly port: number;
  /** How long clamd may keep silent. Milliseconds; default 60 seconds. */
  readonly timeoutMs?: number;
}

/** A scanner that sends files to clamd by its command INSTREAM (clamd(8)). */
export function clamAvScanner(options: ClamAvOptions): AttachmentScanner {
  return {
    scan: async (bytes) => {
      const socket = connect(options.port, options.host);
      socket.setTimeout(options.timeoutMs ?? 60_000, () => socket.destroy(new Error('clamd keeps silent')));
      const answer = readAnswer(socket);
      // The sender gets a failure from the response; here it must not count as unhandled.
      answer.catch(() => undefined);
      try {
        await sendStream(socket, bytes);
        return toResult(await answer);
      } catch (error) {
        if (error instanceof ScannerError) throw error;
        throw new ScannerError(
          `clamd at ${options.host}:${options.port} could not be asked: ${(error as Error).message}`,
          {
            cause: error,
          },
        );
      } finally {
        socket.destroy();
      }
    },
  };
}

/** Lengths in four bytes, then that many bytes; a length of 0 ends. Stops early when clamd has answered already. */
async function sendStream(socket: Socket, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await once(socket, 'connect');
  socket.write('zINSTREAM\0');
  for await (const chunk of bytes) {
    if (chunk.byteLength === 0) continue;
    if (!socket.writable || socket.readableEnded) return;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.byteLength);
    socket.write(length);
    if (!socket.write(chunk)) await drained(socket);
  }
  if (socket.writable) socket.write(Buffer.alloc(4));
}

async function drained(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  socket.once('drain', done).once('close', done).once('end', done);
  await promise;
  socket.off('drain', done).off('close', done).off('end', done);
}

async function readAnswer(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (data: string) => {
    text += data;
    if (text.includes('\0')) resolve(text.slice(0, text.indexOf('\0')));
    else if (text.length > 10_000) reject(new ScannerError('clamd answers too much'));
  });
  socket.once('error', reject);
  socket.once('close', () => reject(new ScannerError('clamd closed the connection without an answer')));
  return promise;
}

function toResult(answer: string): ScanResult {
  const found = /^stream: (.+) FOUND$/.exec(answer);
  if (found) return { clean: false, name: found[1] as string };
  if (answer === 'stream: OK') return { clean: true };
  if (/size limit exceeded/i.test(answer))
    throw new ScannerLimitError('the file is larger than clamd takes (StreamMaxLength)');
  throw new ScannerError(`clamd answers ${JSON.stringify(answer.slice(0, 200))}`);
}
