/** Addresses that outgoing requests may reach, tested against real servers on loopback. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { isPublicAddress, OutgoingError, outgoingFetch } from './index.ts';

const servers: Server[] = [];
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    await promise;
  }
});

test('addresses of private, local and reserved networks are not public', () => {
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    'localhost',
    '',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  for (const address of ['8.8.8.8', '172.15.0.1', '172.32.0.1', '193.0.0.1', '2606:4700::1111', '2a00:1450:4002::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

test('a server inside is asked only where its host is listed, and by http only on loopback', async () => {
  let asked = 0;
  const host = await serve((_request, response) => {
    asked++;
    response.end('{}');
  });
  const port = host.split(':')[1];
  // A connection is refused before anything is said on it, also the beginning of TLS.
  let connections = 0;
  servers.at(-1)!.on('connection', () => connections++);
  const outside = outgoingFetch({ internalHosts: [], timeoutMs: 1_000 });
  for (const address of [
    `http://${host}/`,
    `https://${host}/`,
    `https://localhost:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://2130706433:${port}/`,
    `https://0x7f.1:${port}/`,
  ])
    await expect(outside(address), address).rejects.toThrow(OutgoingError);
  expect([asked, connections]).toEqual([0, 0]);
  const inside = outgoingFetch({ internalHosts: [host, `localhost:${port}`], timeoutMs: 1_000 });
  expect(await (await inside(`http://${host}/`)).text()).toBe('{}');
  expect(asked).toBe(1);
  // Listed, but not on loopback: without encryption it is not asked.
  const listed = outgoingFetch({ internalHosts: ['10.0.0.1'], timeoutMs: 1_000 });
  await expect(listed('http://10.0.0.1/')).rejects.toThrow('not allowed');
});

test('redirects are not followed, and time and size are bounded', async () => {
  const host = await serve((request, response) => {
    if (request.url === '/redirect') response.writeHead(302, { Location: '/other' }).end();
    else if (request.url === '/large') response.end('x'.repeat(20_000));
    else if (request.url === '/empty') response.writeHead(204).end();
    else if (request.url === '/echo') request.pipe(response);
  });
  const fetch = outgoingFetch({ internalHosts: [host], timeoutMs: 300, maxBytes: 10_000 });
  expect((await fetch(`http://${host}/redirect`)).status).toBe(302);
  expect((await fetch(`http://${host}/empty`)).status).toBe(204);
  const echo = await fetch(`http://${host}/echo`, { method: 'POST', body: new URLSearchParams({ a: 'b c' }) });
  expect(await echo.text()).toBe('a=b+c');
  await expect(fetch(`http://${host}/large`)).rejects.toThrow('more than 10000 bytes');
  await expect(fetch(`http://${host}/never`)).rejects.toThrow(OutgoingError);
  await expect(fetch(`http://${host}/never`, { signal: AbortSignal.abort() })).rejects.toThrow(OutgoingError);
});
