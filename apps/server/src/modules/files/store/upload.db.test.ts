import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttachmentScanner,
  type FileStorage,
  openDirectoryStorage,
  ScannerError,
  ScannerLimitError,
} from '@portico/platform/files';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { form, formHead, formTail, formType, send, startFileServer } from '../../../../test/support/file-server.ts';
import { longForm } from '../../../../test/support/long-form.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/portal.ts';
import type { Clock, Scope } from '../../../kernel/scope.ts';
import { beginUpload } from './begin-upload.ts';

const LIMIT = 64 * 1024 * 1024;

interface Row extends Record<'md5' | 'sha256', string | null> {
  state: number;
  mimeType: string | null;
  size: number | null;
  storageKey: string | null;
}

describe('upload of files', () => {
  let portal: TestPortal;
  let tenant: TestTenant;
  let root: string;
  let storage: FileStorage;
  let app: FastifyInstance;
  let origin: string;
  let scope: Scope;
  let headers: Record<string, string>;

  beforeAll(async () => {
    portal = await createTestPortal();
    tenant = await portal.createTenant();
    root = await mkdtemp(join(tmpdir(), 'portico-upload-'));
    storage = await openDirectoryStorage(root);
    ({ app, origin } = await startFileServer(portal.services, storage));
    scope = { ...(await tenant.scope(await tenant.createUser())), baseUrl: `http://${tenant.host}` };
    headers = { Host: tenant.host, 'Content-Type': formType };
  });
  afterAll(async () => {
    await app.close();
    await portal.close();
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  });

  const begin = async (maxBytes = LIMIT, as: Scope = scope) => {
    const started = await beginUpload(as, maxBytes);
    return { contentRef: started.contentRef!, fields: started.uploadMultipartRequestBodyParams!, started };
  };
  const post = (fields: Record<string, string>, data: Buffer, name?: string) =>
    send(`${origin}/portal/storage/upload`, { method: 'POST', headers, body: form(fields, data, name) });
  const row = async (contentRef: string) => {
    const [found] = await scope.db.query<Row>(
      `SELECT state, mime_type AS "mimeType", size, md5, sha256, storage_key AS "storageKey"
         FROM file_contents WHERE tenant_id = $1 AND content_ref = $2`,
      [scope.tenant.id, contentRef],
    );
    return found;
  };
  const leftOvers = async () => (await readdir(join(root, 'incoming'))).length;

  it('follows the published flow: begin, send the form, get 204', async () => {
    const { started, contentRef, fields } = await begin();
    expect(contentRef).toMatch(/^[0-9a-f]{64}$/);
    expect(started.uploadUrl).toBe(`http://${tenant.host}/portal/storage/upload`);
    expect(fields['key']).toBe(`temporary-uploads/${contentRef}`);
    expect(JSON.parse(Buffer.from(fields['policy']!, 'base64').toString())).toMatchObject({
      conditions: [
        ['eq', '$key', fields['key']],
        ['content-length-range', 0, LIMIT],
      ],
    });
    expect(await row(contentRef)).toMatchObject({ state: 0, storageKey: null });
    const download = `${origin}${new URL(started.temporaryDownloadUrl!).pathname}`;
    expect((await send(download, { headers })).status).toBe(404);

    const data = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(300_000)]);
    const answer = await post(fields, data);
    expect(answer.status).toBe(204);
    expect(answer.bytes.length).toBe(0);
    expect(answer.headers['x-request-id']).toBeDefined();
    expect(await row(contentRef)).toMatchObject({
      state: 1,
      mimeType: 'image/png',
      size: data.length,
      md5: createHash('md5').update(data).digest('base64'),
      sha256: createHash('sha256').update(data).digest('hex'),
    });
    const served = await send(download, { headers });
    expect(served.status).toBe(200);
    expect(served.bytes.equals(data)).toBe(true);
  });

  it('takes empty files, and equal ones twice', async () => {
    for (let count = 0; count < 2; count++) {
      const { contentRef, fields } = await begin();
      expect((await post(fields, Buffer.alloc(0))).status).toBe(204);
      expect(await row(contentRef)).toMatchObject({ state: 1, size: 0, mimeType: 'application/octet-stream' });
    }
  });

  it('takes names of any kind without letting them touch anything', async () => {
    for (const name of ['../../../etc/passwd', 'a'.repeat(4_000), 'Perché.txt', 'x%22; name=%22key', '..\\..\\b', '']) {
      const { contentRef, fields } = await begin();
      expect((await post(fields, Buffer.from('text'), name)).status, name).toBe(204);
      expect(await row(contentRef)).toMatchObject({ state: 1, mimeType: 'text/plain', size: 4 });
    }
    expect((await readdir(root)).sort()).toEqual(['incoming', 'removed', 'tenants']);
  });

  it('finds the kind from the bytes, not from the name or from what the client says', async () => {
    const { contentRef, fields } = await begin();
    await post(fields, Buffer.from('<!doctype html><script>alert(1)</script>'), 'picture.png');
    expect(await row(contentRef)).toMatchObject({ mimeType: 'text/html' });
  });

  it('lets a policy be used once', async () => {
    const { contentRef, fields } = await begin();
    expect((await post(fields, Buffer.from('first'))).status).toBe(204);
    const again = await post(fields, Buffer.from('second'));
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT']);
    expect(await row(contentRef)).toMatchObject({ size: 5 });

    const race = await begin();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => post(race.fields, Buffer.from(`number ${index}`))),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 409, 409, 409, 409, 409, 409, 409]);
    expect(await leftOvers()).toBe(0);
  });

  it('refuses policies that were altered, have expired or are of another tenant', async () => {
    const { contentRef, fields } = await begin(100);
    const altered = Buffer.from(
      Buffer.from(fields['policy']!, 'base64').toString().replace(',100]', ',9999]'),
    ).toString('base64');
    const { fields: others } = await begin();
    const foreign = await portal.createTenant();
    const foreignScope = await foreign.scope(await foreign.createUser());
    const past: Clock = { now: () => Date.now() - 2 * 3_600_000 - 1_000 };
    const refused: Record<string, string>[] = [
      { ...fields, policy: altered },
      { ...fields, policy: 'e30=' },
      { ...fields, signature: `${fields['signature']}x` },
      { ...fields, signature: '' },
      { ...fields, signature: others['signature']! },
      { ...fields, key: others['key']! },
      { ...fields, key: '../x' },
      (await begin(LIMIT, foreignScope)).fields,
      (await begin(LIMIT, { ...scope, clock: past })).fields,
    ];
    for (const item of refused) {
      const answer = await post(item, Buffer.from('x'));
      expect([answer.status, answer.body.code], JSON.stringify(item)).toEqual([403, 'INVALID_LINK']);
      expect(answer.body.requestId).toBeDefined();
    }
    for (const name of ['key', 'policy', 'signature']) {
      const { [name]: _left, ...rest } = fields;
      const answer = await post(rest, Buffer.from('x'));
      expect([answer.status, answer.body.validationErrors.list[0].field]).toEqual([400, name]);
    }
    expect(await row(contentRef)).toMatchObject({ state: 0 });
    expect(await leftOvers()).toBe(0);
  });

  it('keeps to the limit of the policy, whether the size is declared or not', async () => {
    const { fields, contentRef } = await begin(10_000);
    for (const size of [10_001, 3_000_000]) {
      const answer = await post(fields, randomBytes(size));
      expect([answer.status, answer.body.code]).toEqual([413, 'UPLOAD_TOO_LARGE']);
    }
    async function* undeclared(): AsyncIterable<Buffer> {
      yield formHead(fields);
      for (let count = 0; count < 100; count++) yield randomBytes(65_536);
      yield formTail;
    }
    const answer = await send(`${origin}/portal/storage/upload`, { method: 'POST', headers, body: undeclared() });
    expect(answer.status).toBe(413);
    expect(await row(contentRef)).toMatchObject({ state: 0 });
    expect(await leftOvers()).toBe(0);
    expect((await post(fields, randomBytes(10_000))).status).toBe(204);
  });

  it('keeps to the quota of the tenant', async () => {
    const small = await portal.createTenant();
    await portal.services.databases
      .for(small.tenant.id)
      .execute('UPDATE tenant_settings SET attachment_quota_bytes = 1000 WHERE tenant_id = $1', [small.tenant.id]);
    const smallScope = await small.scope(await small.createUser());
    const upload = async (size: number) => {
      const { fields } = await begin(LIMIT, smallScope);
      return send(`${origin}/portal/storage/upload`, {
        method: 'POST',
        headers: { ...headers, Host: small.host },
        body: form(fields, randomBytes(size)),
      });
    };
    expect((await upload(700)).status).toBe(204);
    expect((await upload(301)).status).toBe(413);
    expect((await upload(300)).status).toBe(204);
    expect((await upload(1)).status).toBe(413);
    expect((await upload(0)).status).toBe(204);

    const narrow = await portal.createTenant();
    await portal.services.databases
      .for(narrow.tenant.id)
      .execute('UPDATE tenant_settings SET attachment_quota_bytes = 1000 WHERE tenant_id = $1', [narrow.tenant.id]);
    const narrowScope = await narrow.scope(await narrow.createUser());
    const sideBySide = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { fields } = await begin(LIMIT, narrowScope);
        return send(`${origin}/portal/storage/upload`, {
          method: 'POST',
          headers: { ...headers, Host: narrow.host },
          body: form(fields, randomBytes(400)),
        });
      }),
    );
    expect(sideBySide.map((answer) => answer.status).sort()).toEqual([204, 204, 413, 413, 413, 413]);
    // Neither the bytes of rejected uploads are kept, nor room for them.
    const kept: string[] = [];
    for await (const keys of storage.list(narrow.tenant.id)) kept.push(...keys);
    expect(kept).toHaveLength(2);
    expect(await leftOvers()).toBe(0);
    const sizes = await narrowScope.db.query<{ size: number | null }>(
      'SELECT size FROM file_contents WHERE tenant_id = $1 ORDER BY size',
      [narrow.tenant.id],
    );
    expect(sizes.map((one) => one.size)).toEqual([400, 400, null, null, null, null]);

    // A policy used several times at once: one file stays.
    const { fields } = await begin(LIMIT, narrowScope);
    const repeated = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        send(`${origin}/portal/storage/upload`, {
          method: 'POST',
          headers: { ...headers, Host: narrow.host },
          body: form(fields, randomBytes(100 + index)),
        }),
      ),
    );
    expect(repeated.map((answer) => answer.status).sort()).toEqual([204, 409, 409, 409]);
    const now: string[] = [];
    for await (const keys of storage.list(narrow.tenant.id)) now.push(...keys);
    expect(now).toHaveLength(3);
  });

  it('takes in nothing that the scanner refuses or cannot check', async () => {
    const scanner: AttachmentScanner = {
      scan: async (bytes) => {
        let text = '';
        for await (const piece of bytes) text += Buffer.from(piece).toString('latin1');
        if (text.includes('too large')) throw new ScannerLimitError('limit');
        // Longer than the time limit of a slow upload: all of it has arrived.
        if (text === 'slow') await sleep(4_000);
        if (text.includes('silence')) throw new ScannerError('no answer');
        return text.includes('EICAR') ? { clean: false, name: 'Eicar' } : { clean: true };
      },
    };
    const scanned = await startFileServer(portal.services, storage, {
      scanner,
      arrival: { bytes: 1_024, windowMs: 1_500, restMs: 1_500 },
    });
    try {
      for (const [text, status] of [
        ['EICAR', 400],
        ['too large', 413],
        ['silence', 503],
        ['fine', 204],
        ['slow', 204],
      ] as const) {
        const { contentRef, fields } = await begin();
        const answer = await send(`${scanned.origin}/portal/storage/upload`, {
          method: 'POST',
          headers,
          body: form(fields, Buffer.from(text)),
        });
        expect(answer.status, text).toBe(status);
        expect((await row(contentRef))!.state).toBe(status === 204 ? 1 : 0);
      }
      expect(await leftOvers()).toBe(0);
    } finally {
      await scanned.app.close();
    }
  });

  it('answers clearly what is no upload', async () => {
    const url = `${origin}/portal/storage/upload`;
    const { fields } = await begin();
    const noFile = Buffer.from(
      form(fields, Buffer.alloc(0)).toString('latin1').replace('name="file"', 'name="data"'),
      'latin1',
    );
    expect((await send(url, { method: 'POST', headers, body: noFile })).status).toBe(400);
    expect((await send(url, { method: 'POST', headers, body: Buffer.from('nonsense') })).status).toBe(400);
    expect((await send(url, { method: 'POST', headers })).status).toBe(400);
    const json = await send(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: Buffer.from('{}'),
    });
    expect([json.status, json.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const put = await send(url, { method: 'PUT', headers, body: form(fields, Buffer.from('x')) });
    expect([put.status, put.headers.allow]).toEqual([405, 'POST']);
    expect(
      (
        await send(url, {
          method: 'POST',
          headers: { ...headers, Host: 'nobody.test' },
          body: form(fields, Buffer.from('x')),
        })
      ).status,
    ).toBe(404);
    expect((await post(fields, Buffer.from('x'))).status).toBe(204);
  });

  it('holds few forms whose policy is not checked yet, for a short time', async () => {
    const narrow = await startFileServer(portal.services, storage, {
      policyWaits: { uploads: 4, milliseconds: 3_000 },
    });
    const port = Number(new URL(narrow.origin).port);
    const { fields } = await begin();
    const head = formHead(fields);
    let givenUp = 0;
    /** Sends all but the end of the last headers: the file has not begun. @returns status and whether it may try again */
    const stall = () => {
      const socket = connect(port, '127.0.0.1');
      const { promise, resolve } = Promise.withResolvers<[number, boolean]>();
      socket.setEncoding('utf8').once('data', (text: string) => {
        const status = Number(text.split(' ')[1]);
        if (status === 503) givenUp++;
        resolve([status, /^retry-after: 1\r$/im.test(text)]);
        socket.destroy();
      });
      socket.write(
        `POST /portal/storage/upload HTTP/1.1\r\nHost: ${tenant.host}\r\nContent-Type: ${formType}\r\nContent-Length: 90000\r\n\r\n`,
      );
      socket.write(head.subarray(0, head.length - 4));
      return promise;
    };
    try {
      const stalled = Array.from({ length: 9 }, stall);
      // Five are aborted for newer ones; the other four are read.
      await expect.poll(() => givenUp).toBe(5);
      const answer = await send(`${narrow.origin}/portal/storage/upload`, {
        method: 'POST',
        headers,
        body: form(fields, Buffer.from('in earnest')),
      });
      expect(answer.status).toBe(204);
      const answers = await Promise.all(stalled);
      expect(answers.filter(([status, retry]) => status === 503 && retry)).toHaveLength(6);
      expect(answers.filter(([status]) => status === 408)).toHaveLength(3);
    } finally {
      await narrow.app.close();
    }
  });

  it('reads little of a form before its policy is checked, and keeps nothing of a refused one', async () => {
    const { fields, contentRef } = await begin();
    const big = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, 'x'.repeat(64_000)]));
    const attacks: [Record<string, string>, number][] = [
      [big, 400],
      [{ ...big, ...fields }, 400],
      [{ ...fields, signature: 'x'.repeat(40_000) }, 400],
      [{ ...fields, signature: `${fields['signature']}x` }, 403],
    ];
    for (const [attack, status] of attacks) {
      portal.takeStatements();
      const answer = await post(attack, randomBytes(2_000_000));
      expect(answer.status).toBe(status);
      // A request without a policy runs no database statement.
      expect(portal.takeStatements()).toEqual([]);
    }
    expect(await leftOvers()).toBe(0);
    expect((await row(contentRef))!.state).toBe(0);
  });

  it('leaves nothing of uploads that break, and takes the file afterwards', async () => {
    const { contentRef, fields } = await begin();
    const whole = form(fields, randomBytes(200_000));
    const port = Number(new URL(origin).port);
    const raw = (length: number) =>
      `POST /portal/storage/upload HTTP/1.1\r\nHost: ${tenant.host}\r\nContent-Type: ${formType}\r\nContent-Length: ${length}\r\n\r\n`;
    // The line is cut in the middle of the file, at its end, or within the last boundary.
    for (const length of [60_000, whole.length - formTail.length, whole.length - 3]) {
      const socket = connect(port, '127.0.0.1');
      socket.write(raw(whole.length));
      // The end of the connection comes after all that was sent.
      await new Promise((done) => socket.write(whole.subarray(0, length), done));
      socket.destroy();
    }
    // Nothing more arrives.
    const impatient = await startFileServer(portal.services, storage, {
      arrival: { bytes: 1_024, windowMs: 500, restMs: 500 },
    });
    const stalled = connect(Number(new URL(impatient.origin).port), '127.0.0.1');
    const closed = new Promise((done) => stalled.once('close', done));
    stalled.on('error', () => undefined).resume();
    stalled.write(raw(whole.length));
    stalled.write(whole.subarray(0, 60_000));
    await closed;
    await impatient.app.close();
    // The declared length ends before the last boundary does.
    const short = await send(`${origin}/portal/storage/upload`, {
      method: 'POST',
      headers,
      body: whole.subarray(0, whole.length - 5),
    });
    expect(short.status).toBe(400);
    await expect.poll(leftOvers).toBe(0);
    expect(await row(contentRef)).toMatchObject({ state: 0 });
    expect((await send(`${origin}/portal/storage/upload`, { method: 'POST', headers, body: whole })).status).toBe(204);
    expect(await row(contentRef)).toMatchObject({ state: 1, size: 200_000 });
  });

  it('loses none of many parallel uploads', async () => {
    const [uploads, size] = longForm ? [200, 5 << 20] : [20, 1 << 20];
    const sent = await Promise.all(
      Array.from({ length: uploads }, async (_, index) => {
        const data = randomBytes(size);
        data.writeUInt32BE(index);
        const { contentRef, fields } = await begin();
        async function* body(): AsyncIterable<Buffer> {
          yield formHead(fields);
          for (let at = 0; at < size; at += 65_536) yield data.subarray(at, at + 65_536);
          yield formTail;
        }
        const answer = await send(`${origin}/portal/storage/upload`, { method: 'POST', headers, body: body() });
        return { contentRef, status: answer.status, sha256: createHash('sha256').update(data).digest('hex') };
      }),
    );
    expect(new Set(sent.map((upload) => upload.status))).toEqual(new Set([204]));
    for (const upload of sent) {
      const stored = (await row(upload.contentRef))!;
      expect(stored).toMatchObject({ state: 1, size, sha256: upload.sha256 });
      const hash = createHash('sha256');
      for await (const chunk of await storage.open(stored.storageKey!)) hash.update(chunk as Buffer);
      expect(hash.digest('hex')).toBe(upload.sha256);
    }
    expect(await leftOvers()).toBe(0);
  }, 300_000);
});
