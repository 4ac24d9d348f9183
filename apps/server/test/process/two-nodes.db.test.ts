/**
 * The example for operators does what it says, and its proxy meets the requirements of the guide.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { currentCluster } from '../support/index.ts';
import { administrator, asClient, ROOT, Surroundings } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

describe('examples/two-nodes.mjs', { timeout: 400_000 }, () => {
  it('restarts two nodes behind a proxy without a failed request, and leaves nothing', async () => {
    const example = surroundings.run(process.execPath, [join(ROOT, 'examples/two-nodes.mjs')], {
      DATABASE_URL: currentCluster().ownerUrl,
    });
    const { code } = await example.exited;
    expect(example.stderr).toBe('');
    expect(code).toBe(0);
    expect(example.stdout).toMatch(/node-1 ended with exit code 0[\s\S]*node-2 ended with exit code 0/);
    expect(example.stdout).toMatch(/\d{2,} requests, none failed/);
    expect(example.stdout).toContain('6. Everything was ended and removed.');
    const left = await asClient(administrator(), (client) =>
      client.query(
        `SELECT datname AS name FROM pg_database WHERE datname LIKE 'portico\\_example\\_%'
         UNION SELECT rolname FROM pg_roles WHERE rolname LIKE 'portico\\_example\\_%'`,
      ),
    );
    expect(left.rows).toEqual([]);
  });
});

describe('its proxy', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  /** A node that answers with the body of the request. */
  async function echo(name: string) {
    const server = createServer((incoming, answer) => incoming.pipe(answer));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { name, server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  const load = (file: string) => import(pathToFileURL(join(ROOT, 'examples', file)).href);

  it('sends a request with its body to the other node when the connection is refused', async () => {
    const { selfSignedCertificate } = await load('self-signed-certificate.mjs');
    const { startProxy } = await load('two-nodes/proxy.mjs');
    const { cert, key } = selfSignedCertificate(['localhost']);
    const nodes = [await echo('node-1'), await echo('node-2')];
    nodes[0]?.server.close().closeAllConnections();
    const proxy = await startProxy({ cert, key, nodes });
    const body = 'x'.repeat(200_000);
    const ask = async () => {
      const outgoing = request({
        port: proxy.port,
        host: '127.0.0.1',
        servername: 'localhost',
        ca: cert,
        method: 'POST',
      });
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve).once('error', reject);
      });
      outgoing.end(body);
      const answer = await answered;
      return { status: answer.statusCode, node: answer.headers['x-served-by'], whole: (await text(answer)) === body };
    };
    const expected = { status: 200, node: 'node-2', whole: true };
    try {
      for (let round = 0; round < 4; round++) {
        // The health check has not noticed yet that the node is gone.
        for (const { name } of nodes) proxy.healthy.add(name);
        expect(await ask()).toEqual(expected);
      }
      // It has not been answered in time by the one that works.
      proxy.healthy.clear();
      expect(await ask()).toEqual(expected);
    } finally {
      await proxy.close();
    }
  });
});
