/** A refused upload ends at once, with the answer of the server. */
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { UploadError } from './errors.ts';
import { Files } from './files.ts';
import { sendMultipartStream } from './node-multipart.ts';

const SIZE = 200 * 1024 * 1024;
let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/**
 * A storage that refuses by the headers alone.
 * @param reads whether it continues to read the refused body
 */
async function refusing(reads: boolean, pulled: (bytes: number) => void): Promise<unknown> {
  server = createServer((request, response) => {
    if (reads) request.resume();
    response.writeHead(413, { 'Content-Type': 'application/json', 'X-Request-Id': 'request-1' });
    response.end(
      JSON.stringify({ code: 'UPLOAD_TOO_LARGE', message: 'The file is too large.', requestId: 'request-1' }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const files = new Files({
    begin: async () => ({
      contentRef: 'x',
      uploadUrl: `http://127.0.0.1:${port}/`,
      uploadMultipartRequestBodyParams: {},
    }),
    linkOf: async () => undefined,
    fetch,
    send: sendMultipartStream,
    openPath: async () => ({
      name: 'large.bin',
      type: 'application/octet-stream',
      size: SIZE,
      stream: () => {
        let sent = 0;
        return new ReadableStream<Uint8Array>({
          pull(controller) {
            const chunk = new Uint8Array(64 * 1024);
            sent += chunk.byteLength;
            pulled(sent);
            controller.enqueue(chunk);
            if (sent >= SIZE) controller.close();
          },
        });
      },
    }),
    userAgent: undefined,
  });
  return files.upload('large.bin', { timeoutMs: 10_000 }).catch((error: unknown) => error);
}

describe('an upload that is refused', () => {
  it.each([
    ['reads on', true],
    ['reads nothing of it', false],
  ])('ends at once with the code and the request id, when the server %s', async (_name, reads) => {
    let sent = 0;
    const error = await refusing(reads, (bytes) => {
      sent = bytes;
    });
    expect(error).toBeInstanceOf(UploadError);
    expect(error).toMatchObject({
      status: 413,
      code: 'UPLOAD_TOO_LARGE',
      requestId: 'request-1',
      message: 'upload: 413 The file is too large.',
    });
    // The rest of the file was not even read.
    expect(sent).toBeLessThan(SIZE);
  });
});
