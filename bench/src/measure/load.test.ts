/** The load: everything that is sent is accounted for. */
import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { askOnce, encodeRequest, runLoad } from './load.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(answer: Parameters<typeof createServer>[1]): Promise<number> {
  server = createServer(answer as never);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const request = (path = '/') => encodeRequest({ method: 'GET', path, headers: { Host: 'portal.test' } });

it('sends as many requests as are enough, and names the host', async () => {
  const hosts = new Set<string | undefined>();
  const port = await listen((incoming, answer) => {
    hosts.add(incoming.headers.host);
    answer.end('x'.repeat(100_000));
  });
  const load = await runLoad({ port, connections: 4, seconds: 20, enough: 40, next: () => request() });
  expect(load).toMatchObject({ refused: 0, lost: 0 });
  expect(load.answers).toBeGreaterThanOrEqual(40);
  expect(load.answers).toBeLessThan(48);
  expect(load.bytesPerAnswer).toBeGreaterThan(100_000);
  expect(load.p50).toBeLessThanOrEqual(load.p99);
  expect([...hosts]).toEqual(['portal.test']);
});

it('tells refusals and lost connections apart and goes on', async () => {
  let number = 0;
  const port = await listen((incoming, answer) => {
    number += 1;
    if (number === 2) incoming.socket.destroy();
    else if (number === 4) answer.writeHead(503).end('busy');
    else answer.end('fine');
  });
  const load = await runLoad({ port, connections: 1, seconds: 20, enough: 8, next: () => request() });
  expect(load).toMatchObject({ refused: 1, lost: 1, answers: 7 });
});

it('reads answers of unknown length, sends bodies, hands on what was answered', async () => {
  const port = await listen((incoming, answer) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      answer.write('{"got":');
      setImmediate(() => answer.end(`${JSON.stringify(body)}}`));
    });
  });
  const post = { method: 'POST', path: '/', headers: {}, body: 'größer' };
  const seen: (string | undefined)[] = [];
  await runLoad({
    port,
    connections: 1,
    seconds: 20,
    enough: 2,
    bodies: true,
    next: (_, previous) => {
      seen.push(previous);
      return encodeRequest(post);
    },
  });
  expect(seen[0]).toBeUndefined();
  expect(seen[1]).toContain('größer');
});

it('asks once, and throws what a refusal says', async () => {
  const port = await listen((incoming, answer) => {
    answer.writeHead(incoming.url === '/good' ? 200 : 400).end('because');
  });
  expect(await askOnce(port, { method: 'GET', path: '/good', headers: {} })).toBe('because');
  await expect(askOnce(port, { method: 'GET', path: '/bad', headers: {} })).rejects.toThrow('400 because');
});
