/** Receiver of webhooks on loopback, which tests watch. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  readonly body: any;
}

export interface TestReceiver {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** Requests in the order of their arrival. */
  readonly taken: Received[];
  /** Answers a request; default 200. A test replaces it. */
  answer: (response: ServerResponse, received: Received) => void;
  /** Returns the requests to a path. */
  to(path: string): Received[];
  close(): Promise<void>;
}

/** Starts a receiver. */
export async function startTestReceiver(): Promise<TestReceiver> {
  const taken: Received[] = [];
  const receiver: TestReceiver = {
    host: '',
    taken,
    answer: (response) => void response.end(),
    to: (path) => taken.filter((one) => one.path === path),
    close: async () => {
      server.closeAllConnections();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const received = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as unknown };
    taken.push(received);
    receiver.answer(response, received);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return Object.assign(receiver, { host: `127.0.0.1:${(server.address() as AddressInfo).port}` });
}
