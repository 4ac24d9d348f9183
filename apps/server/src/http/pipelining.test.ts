/** Requests that a client sends on one connection without waiting for the answers. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServer } from './server.ts';

let app: FastifyInstance;
let accepted: Socket;
let running = 0;
let most = 0;
let held: PromiseWithResolvers<void>;

beforeEach(async () => {
  app = createServer({ logger: false, trustProxy: false });
  running = most = 0;
  held = Promise.withResolvers();
  const work = async (answer: unknown) => {
    most = Math.max(most, ++running);
    await held.promise;
    running -= 1;
    return answer;
  };
  app.get('/number/:number', async ({ params }) => work((params as { number: string }).number));
  app.post('/echo', async ({ body }) => work(body));
  app.server.on('connection', (socket) => {
    accepted = socket;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

function open(): Socket {
  return connect({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port });
}

const get = (number: number, connection = 'keep-alive') =>
  `GET /number/${number} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;

test('are served one after the other, in their order, whatever they are', async () => {
  const client = open();
  const body = JSON.stringify({ long: 'x'.repeat(300_000) });
  const post = `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const numbers = Array.from({ length: 500 }, (_, number) => number);
  client.write(
    numbers.map((number) => get(number)).join('') + post + body + get(500) + post + body + get(501, 'close'),
  );
  held.resolve();
  const answers = await text(client);
  const bodies = [...answers.matchAll(/\r\n\r\n(\d+)(?=HTTP|$)/g)].map(([, number]) => Number(number));
  expect(bodies).toEqual([...numbers, 500, 501]);
  expect(answers.split(body)).toHaveLength(3);
  expect(most).toBe(1);
});

test('are not read while many others wait', async () => {
  const client = open();
  const request = get(7);
  const count = 50_000;
  client.write(request.repeat(count));
  await expect.poll(() => running).toBe(1);
  // A first piece is read before it shows that requests wait in it.
  await expect.poll(() => accepted?.isPaused()).toBe(true);
  const { bytesRead } = accepted;
  expect(bytesRead).toBeLessThan((request.length * count) / 4);
  client.write(get(8, 'close'));
  held.resolve();
  const answers = await text(client);
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(count + 1);
  expect(answers.endsWith('8')).toBe(true);
  expect(most).toBe(1);
});

test('are dropped with their connection, and others go on', async () => {
  const client = open();
  client.write(get(1) + get(2) + get(3));
  await expect.poll(() => running).toBe(1);
  client.destroy();
  await expect.poll(() => accepted.destroyed).toBe(true);
  const other = open();
  await once(other, 'connect');
  other.write(get(4, 'close'));
  await expect.poll(() => running).toBe(2);
  held.resolve();
  expect(await text(other)).toContain('4');
  expect(most).toBe(2);
});
