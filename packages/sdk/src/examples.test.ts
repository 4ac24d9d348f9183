/**
 * The examples that use a portal run on every available Node.js: 20, and the one in this
 * repository.
 */
import { execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWireServer, type WireServer } from './testing/wire-server.ts';

const example = (name: string) => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

/** The running Node.js, the versions on the machine, and the one of the packages. */
const nodes = [
  ...new Set(
    [process.execPath, ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))]
      .filter((path) => existsSync(path))
      .map((path) => realpathSync(path)),
  ),
];

let folder: string;
let keyFile: string;
let server: WireServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-examples-'));
  keyFile = join(folder, 'key.json');
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  writeFileSync(
    keyFile,
    JSON.stringify({ type: 'service_account', private_key_id: 1, private_key: privateKey, client_id: 2 }),
    { mode: 0o600 },
  );
  server = await startWireServer(({ path }) =>
    path.includes('create-access-token')
      ? undefined
      : {
          body: {
            userData: { firstName: 'Demo', lastName: 'Integration' },
            communities: [{ id: 2, name: 'Ideas' }],
            items: [{ id: 7, communityId: 2, customId: '7', title: 'A post', status: 'CREATED' }],
            totalItemsCount: 1,
            nextSyncToken: 'next',
          },
        },
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

describe.each(nodes)('examples on %s', (node) => {
  const run = promisify(execFile);

  it('sign in and list', async () => {
    const { stdout } = await run(node, [example('first-look.mjs'), keyFile, server.origin]);
    expect(stdout).toContain('Signed in as Demo Integration');
    expect(stdout).toContain('7  A post');
  });

  it('say that there is no community yet', async () => {
    const empty = await startWireServer(({ path }) =>
      path.includes('create-access-token')
        ? undefined
        : { body: { userData: { firstName: 'Demo', lastName: 'Integration' }, communities: [] } },
    );
    try {
      const { stdout } = await run(node, [example('first-look.mjs'), keyFile, empty.origin]);
      expect(stdout.trim()).toBe('Signed in as Demo Integration; there is no community yet.');
    } finally {
      await empty.close();
    }
  });

  it('keep a community in step', async () => {
    const out = join(folder, `${nodes.indexOf(node)}.ndjson`);
    await run(node, [example('sync-community.mjs'), server.origin, keyFile, '2', out, '--once']);
    expect(readFileSync(out, 'utf8')).toContain('"title":"A post"');
    expect(readFileSync(`${out}.token`, 'utf8')).toBe('next');
  });

  it('receive messages of a webhook, each once', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const receiver = spawn(node, [example('webhook-receiver.mjs'), '0'], { env: { ...process.env, SECRET: secret } });
    let output = '';
    receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    try {
      await expect.poll(() => output).toMatch(/port \d+/);
      const body = JSON.stringify({ type: 'post.created', timestamp: '2026-11-28T18:00:00Z', data: { postId: 7 } });
      const send = async (key: string) => {
        const at = new Date();
        const headers = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(key).sign('msg_1', at, body),
        };
        const address = `http://127.0.0.1:${/port (\d+)/.exec(output)?.[1]}/`;
        return (await fetch(address, { method: 'POST', headers, body })).status;
      };
      expect(await send(secret)).toBe(204);
      expect(await send(secret)).toBe(204);
      expect(await send(`whsec_${Buffer.alloc(32, 8).toString('base64')}`)).toBe(401);
      await expect.poll(() => output.match(/"postId":7/g)).toHaveLength(1);
    } finally {
      receiver.kill();
    }
  });
});
