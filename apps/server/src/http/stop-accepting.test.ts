/** A connection that is requested in the moment before its listener is closed is refused, never set up and then reset. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { untilNoneIsLost } from './stop-accepting.ts';

/** A client beside this thread, which waits for a sign before it connects. It tells how that ended. */
const CLIENT = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { state, host, port } } = require('node:worker_threads');
  parentPort.postMessage('waiting');
  Atomics.wait(state, 0, 0);
  const socket = connect({ host, port });
  socket.once('connect', () => { Atomics.store(state, 1, 1); Atomics.notify(state, 1); });
  socket.once('error', (error) => parentPort.postMessage(error.code));
`;

// Other systems than Linux do not tell which connections wait. A machine without IPv6 has no ::1.
const HOSTS = ['127.0.0.1', '0.0.0.0', ...(existsSync('/proc/self/net/if_inet6') ? ['::1'] : [])];
const cases = it.skipIf(!existsSync('/proc/self/net/tcp'));

cases.each(HOSTS)('refuses a connection that comes just before the close: %s', async (host) => {
  const server = createServer((socket) => socket.destroy());
  server.listen({ host, port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const state = new Int32Array(new SharedArrayBuffer(8));
  const client = new Worker(CLIENT, {
    eval: true,
    workerData: { state, host: host === '0.0.0.0' ? '127.0.0.1' : host, port },
  });
  expect(await once(client, 'message')).toEqual(['waiting']);
  await untilNoneIsLost(server, performance.now() + 10_000);
  // Nothing is accepted from here to the close.
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
  expect(Atomics.wait(state, 1, 0, 300)).toBe('timed-out');
  server.close();
  expect(await once(client, 'message')).toEqual(['ECONNREFUSED']);
  await client.terminate();
});
