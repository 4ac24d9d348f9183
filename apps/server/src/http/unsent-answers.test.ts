/** Answers that clients do not read. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LocalLimits } from '../kernel/node-limits.ts';
import { handleError } from './errors.ts';
import { registerUnsentAnswers, UnsentAnswers } from './unsent-answers.ts';

/** Size of an answer: much more than the system takes for a connection. Bytes. */
const ANSWER = 16 * 1024 * 1024;

let app: FastifyInstance;
let unsent: UnsentAnswers;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  unsent = new UnsentAnswers(new LocalLimits(), { ofAccount: 3 * ANSWER, ofNode: 5 * ANSWER });
  app = Fastify();
  app.setErrorHandler(handleError);
  registerUnsentAnswers(app, unsent);
  app.addHook('onRequest', async (request) => {
    request.signedInScope = { actor: { userId: Number(request.headers['x-account']) } } as never;
  });
  app.get('/large', async () => Buffer.alloc(ANSWER, 'a'));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Asks for an answer and does not read it. */
async function ask(account: number): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port });
  sockets.push(socket);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET /large HTTP/1.1\r\nHost: a\r\nX-Account: ${account}\r\n\r\n`);
  return socket;
}

/** Asks and reads. @returns the status */
async function read(account: number): Promise<number> {
  const { port } = app.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/large`, { headers: { 'X-Account': String(account) } });
  await answer.arrayBuffer();
  return answer.status;
}

const waiting = (bytes: number) => expect.poll(() => unsent.bytes, { timeout: 20_000 }).toBe(bytes);

it('refuse further ones of their account alone, until they are read or given up', async () => {
  for (let count = 1; count <= 3; count++) {
    await ask(1);
    await waiting(count * ANSWER);
  }
  expect(await read(1)).toBe(429);
  expect(await read(2)).toBe(200);
  sockets[0]!.resume();
  sockets[1]!.destroy();
  await waiting(ANSWER);
  expect(await read(1)).toBe(200);
  await waiting(ANSWER);
});

it('are given up for the others, those of the account that holds most first', async () => {
  for (let count = 1; count <= 3; count++) {
    await ask(1);
    await waiting(count * ANSWER);
  }
  const other = await ask(2);
  await waiting(4 * ANSWER);
  const closed = once(sockets[0]!.resume(), 'close');
  await ask(3);
  await ask(4);
  await closed;
  await expect.poll(() => unsent.bytes, { timeout: 20_000 }).toBeLessThanOrEqual(5 * ANSWER);
  expect(other.destroyed).toBe(false);
});
