/** A push service on loopback, and the keys of a browser that subscribed there. */
import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import ece from 'http_ece';

interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface TestPushService {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** Messages in the order of their arrival. */
  readonly taken: ReceivedPush[];
  /** Returns the status of the answer to a message; default 201. A test replaces it. */
  answer: (received: ReceivedPush) => number;
  close(): Promise<void>;
}

/** Starts a push service. */
export async function startPushService(): Promise<TestPushService> {
  const taken: ReceivedPush[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const received = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
    taken.push(received);
    const status = service.answer(received);
    response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const service: TestPushService = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    answer: () => 201,
    close: async () => {
      server.closeAllConnections();
      const ended = Promise.withResolvers<void>();
      server.close(() => ended.resolve());
      await ended.promise;
    },
  };
  return service;
}

/** Keys of a browser, with an independent implementation of RFC 8291 that decrypts what arrives. */
export function browserKeys() {
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  return {
    p256dh,
    auth,
    /** Returns the message in the body of a request. */
    read: (body: Buffer) =>
      JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth }).toString()),
  };
}
