/** Sends requests from a thread of its own, so that the main thread does nothing but serve them. */
import { request } from 'node:http';
import { parentPort } from 'node:worker_threads';
import type { SentRequest } from './client.fixture.ts';

parentPort?.on('message', ({ url, method, headers, body }: SentRequest) => {
  const outgoing = request(url, { method, headers }, (incoming) => {
    let bytes = 0;
    let start = '';
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (start.length < 1_000) start += chunk.toString();
    });
    incoming.once('end', () => parentPort?.postMessage({ status: incoming.statusCode, bytes, start }));
  });
  outgoing.once('error', (error) => parentPort?.postMessage({ status: 0, bytes: 0, start: String(error) }));
  outgoing.end(body);
});
