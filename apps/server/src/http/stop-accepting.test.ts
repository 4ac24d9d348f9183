/** A connection that is requested in the moment before its listener is closed is refused, never set up and then reset. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
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

const SYN_SENT = '02';

/** Whether a connection to a port is requested and not set up. */
function isRequested(port: number): boolean {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/self/net/tcp', '/proc/self/net/tcp6'].filter(existsSync).some((table) =>
    readFileSync(table, 'latin1')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .some(([, , remote, state]) => remote?.endsWith(suffix) && state === SYN_SENT),
  );
}

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
  // Nothing is accepted from here to the close, as the event loop stands still.
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
  for (const end = performance.now() + 20_000; !isRequested(port); ) expect(performance.now()).toBeLessThan(end);
  expect(Atomics.load(state, 1)).toBe(0);
  server.close();
  expect(await once(client, 'message')).toEqual(['ECONNREFUSED']);
  await client.terminate();
});
