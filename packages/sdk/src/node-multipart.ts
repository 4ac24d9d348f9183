/** Multipart in Node.js: the bytes are read as they are sent, so that a file of any size takes little memory. */
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FileSource, MultipartAnswer, SendMultipart } from './files.ts';

/**
 * Sends the parameters, then the file, as one request whose length is known beforehand. An answer that comes before all is
 * sent ends the sending: it is a refusal, and the rest is not read.
 */
export const sendMultipartStream: SendMultipart = async ({ url, params, file, userAgent, limit, onProgress }) => {
  const boundary = `----portico-${randomBytes(16).toString('hex')}`;
  const { head, tail } = frame(boundary, params, file);
  // Not fetch: it gives up the connection, and with it the answer, when one comes before all is sent.
  const outgoing = (url.startsWith('https:') ? requestTls : request)(url, {
    method: 'POST',
    signal: limit.signal,
    agent: false,
    headers: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': head.byteLength + file.size + tail.byteLength,
      ...(userAgent !== undefined && { 'User-Agent': userAgent }),
    },
  });
  const body = Readable.from(parts(head, file, tail, onProgress));
  try {
    return await new Promise<MultipartAnswer>((resolve, reject) => {
      outgoing.once('response', (response) => {
        body.unpipe(outgoing);
        answerOf(response).then(resolve, reject);
      });
      outgoing.once('error', reject);
      body.once('error', reject);
      body.pipe(outgoing);
    });
  } finally {
    body.destroy();
    outgoing.destroy();
  }
};

async function answerOf(response: IncomingMessage): Promise<MultipartAnswer> {
  const requestId = response.headers['x-request-id'];
  return {
    status: response.statusCode ?? 0,
    text: await text(response),
    requestId: typeof requestId === 'string' ? requestId : undefined,
  };
}

function frame(boundary: string, params: Readonly<Record<string, string>>, file: FileSource) {
  const encoder = new TextEncoder();
  const fields = Object.entries(params).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const head = `${fields.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\nContent-Type: ${file.type}\r\n\r\n`;
  return { head: encoder.encode(head), tail: encoder.encode(`\r\n--${boundary}--\r\n`) };
}

/** As browsers write names in multipart headers. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

async function* parts(head: Uint8Array, file: FileSource, tail: Uint8Array, onProgress: (sentBytes: number) => void) {
  yield head;
  let sent = 0;
  for await (const chunk of file.stream() as unknown as AsyncIterable<Uint8Array>) {
    sent += chunk.byteLength;
    yield chunk;
    onProgress(sent);
  }
  if (sent !== file.size) throw new Error(`the file changed while it was sent: ${sent} of ${file.size} bytes`);
  if (sent === 0) onProgress(0);
  yield tail;
}
