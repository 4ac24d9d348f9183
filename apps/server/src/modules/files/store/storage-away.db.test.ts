/**
 * The directory of files disappears, as a network share does, and comes back: responses to clients
 * and operators meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../../../../test/support/file-server.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

let place: string;
let root: string;
let portal: TestPortal;
let tenant: TestTenant;
let userId: number;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'portico-away-'));
  root = join(place, 'files');
  portal = await createTestPortal({ env: { PORTICO_FILES_DIR: root, PORTICO_MIN_FREE_BYTES: '0' } });
  tenant = await portal.createTenant();
  userId = await tenant.createUser({ admin: true });
});
afterAll(async () => {
  await portal.close();
  await rm(place, { recursive: true, force: true, maxRetries: 10 });
});

interface Begun {
  contentRef: string;
  temporaryDownloadUrl: string;
  uploadMultipartRequestBodyParams: Record<string, string>;
}

const begin = () => tenant.request(userId, 'POST', '/portal/api/core/storage/upload-new-attachment');
const here = (url: string) => new URL(new URL(url).pathname + new URL(url).search, portal.origin).href;

async function upload({ uploadMultipartRequestBodyParams: fields }: Begun, text: string) {
  const boundary = randomUUID();
  const parts = Object.entries(fields).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  parts.push(
    `Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${text}`,
  );
  return send(`${portal.origin}/portal/storage/upload`, {
    method: 'POST',
    headers: { Host: tenant.host, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(`${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`),
  });
}

const read = (begun: Begun) => send(here(begun.temporaryDownloadUrl), { headers: { Host: tenant.host } });
const ready = async () => (await fetch(`${portal.origin}/readyz`)).json();

it('answers 503 while the directory is away, and all is there when it is back', async () => {
  const first = (await begin()).body;
  expect((await upload(first, 'first')).status).toBe(204);
  const begun = (await begin()).body;
  await rename(root, join(place, 'elsewhere'));

  const refused = await begin();
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '5']);
  for (const answer of [await upload(begun, 'second'), await read(first)])
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
  expect(await ready()).toEqual({ status: 'ok', uploads: 'refused' });
  expect((await tenant.request(userId, 'GET', '/portal/api/core/auth/current-user-data')).status).toBe(200);

  await rename(join(place, 'elsewhere'), root);
  expect(await ready()).toEqual({ status: 'ok' });
  expect((await upload(begun, 'second')).status).toBe(204);
  expect((await read(first)).bytes.toString()).toBe('first');
  expect((await read(begun)).bytes.toString()).toBe('second');
});
