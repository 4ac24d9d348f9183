/** Checks of an upload sent directly to the storage, at the first reference to it. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type AttachmentScanner, ScannerError } from '@portico/platform/files';
import { startTestS3, type TestS3 } from '@portico/platform/files/s3/s3rver.fixture';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { form, formType, send } from '../../../../test/support/file-server.ts';
import {
  createTestPortal,
  createTestWorld,
  faults,
  settingsReadAnew,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import type { Log } from '../../../kernel/scope.ts';
import { dumpTenant } from '../../posts/writing/writing.fixture.ts';
import { beginUpload } from './begin-upload.ts';
import { takeInUploads, tryUploads } from './take-in.ts';

describe('uploads that went past the server', () => {
  let s3: TestS3;
  let portal: TestPortal;
  let world: TestWorld;
  const logged: unknown[] = [];

  beforeAll(async () => {
    s3 = await startTestS3();
    portal = await createTestPortal({ env: { ...s3.env }, log: logInto(logged) });
    world = await createTestWorld(portal);
  });
  afterAll(async () => {
    await portal.close();
    await s3.close();
  });

  const direct = () => portal.services.storage.direct!;
  const uploaded = async (data: Buffer, userId = world.people.author, in_ = world) => {
    const scope = await in_.scope(userId);
    const started = await beginUpload(scope, 1 << 30, direct());
    const answer = await sendForm(started, data);
    expect(answer.status, answer.bytes.toString()).toBe(204);
    return started.contentRef!;
  };
  const sendForm = (
    started: { uploadUrl?: string; uploadMultipartRequestBodyParams?: Record<string, string> },
    data: Buffer,
  ) =>
    send(started.uploadUrl!, {
      method: 'POST',
      headers: { 'Content-Type': formType },
      body: form(started.uploadMultipartRequestBodyParams!, data),
    });
  const state = async (contentRef: string) => {
    const [row] = await world.rows<{ state: number; size: number | null }>(
      'SELECT state, size FROM file_contents WHERE tenant_id = $1 AND content_ref = $2',
      [contentRef],
    );
    return row;
  };
  const storedKeys = async (in_: TestWorld) => {
    const keys: string[] = [];
    for await (const some of portal.services.storage.list(in_.db.tenantId)) keys.push(...some);
    return keys.sort();
  };
  const post = (attachments: object[], in_ = world) =>
    in_.send(in_.people.author, 'POST', `posts/manage/create-post/${in_.communityId}`, {
      title: 'A post',
      description: 'Some text',
      descriptionFormat: 2,
      announcement: false,
      attachments,
    });

  it('may not be larger than allowed, whatever the storage let through', async () => {
    const contentRef = await uploaded(randomBytes(2_001));
    const scope = await world.scope(world.people.author);
    const body = { attachments: [{ name: 'a', contentRef }] };
    await expect(takeInUploads(scope, body, { direct: direct(), maxBytes: 2_000 })).rejects.toMatchObject({
      errors: [{ field: 'attachments[0].contentRef', code: 'ATTACHMENT_TOO_LARGE', args: [2_000] }],
    });
    expect(await state(contentRef)).toMatchObject({ state: 0 });
    expect(await direct().receiveSent(world.db.tenantId, contentRef, { maxBytes: 5_000 })).toBeUndefined();
    expect(faults(await post(body.attachments))).toEqual(['attachments[0].contentRef: CONTENT_REF_INVALID']);
  });

  it('are looked at by the scanner, in whole', async () => {
    const scanner: AttachmentScanner = {
      scan: async (bytes) => {
        let text = '';
        for await (const piece of bytes) text += Buffer.from(piece).toString('latin1');
        if (text.includes('silence')) throw new ScannerError('no answer');
        return text.endsWith('EICAR') ? { clean: false, name: 'Eicar' } : { clean: true };
      },
    };
    const options = { direct: direct(), maxBytes: 1 << 30, scanner };
    const scope = await world.scope(world.people.author);
    const bad = await uploaded(Buffer.concat([randomBytes(300_000), Buffer.from('EICAR')]));
    const good = await uploaded(Buffer.from('fine'));
    await expect(
      takeInUploads(scope, { a: { contentRef: good }, newPhotoContentRef: bad }, options),
    ).rejects.toMatchObject({ errors: [{ field: 'newPhotoContentRef', code: 'INVALID_VALUE' }] });
    expect([(await state(bad))?.state, (await state(good))?.state]).toEqual([0, 1]);
    // An upload that could not be scanned is still present for the next attempt.
    const unseen = await uploaded(Buffer.from('silence'));
    const body = { attachments: [{ contentRef: unseen }] };
    await expect(takeInUploads(scope, body, options)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await takeInUploads(scope, body, { direct: direct(), maxBytes: 1 << 30 });
    expect(await state(unseen)).toMatchObject({ state: 1, size: 7 });
  });

  it('keep to the room of the tenant', async () => {
    const small = await createTestWorld(portal);
    await small.db.execute('UPDATE tenant_settings SET attachment_quota_bytes = 1000 WHERE tenant_id = $1', [
      small.db.tenantId,
    ]);
    await settingsReadAnew(portal.services, small.tenant.tenant);
    const refs = [await uploaded(randomBytes(700), small.people.author, small)];
    refs.push(await uploaded(randomBytes(400), small.people.author, small));
    const started = await beginUpload(await small.scope(small.people.author), 1 << 30, direct());
    const policy = JSON.parse(
      Buffer.from((started.uploadMultipartRequestBodyParams as Record<string, string>)['Policy']!, 'base64').toString(),
    );
    expect(policy.conditions).toContainEqual(['content-length-range', 0, 1000]);
    const answer = await post(
      refs.map((contentRef, index) => ({ name: `${index}`, contentRef })),
      small,
    );
    expect(faults(answer)).toHaveLength(1);
    expect(faults(answer)[0]).toMatch(/^attachments\[\d\]\.contentRef: QUOTA_EXCEEDED$/);
    expect(await storedKeys(small)).toHaveLength(1);
  });

  it('are taken in once by writes side by side', async () => {
    const contentRef = await uploaded(randomBytes(50_000));
    const keys = await storedKeys(world);
    const answers = await Promise.all(Array.from({ length: 5 }, () => post([{ name: 'a', contentRef }])));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400]);
    expect(await storedKeys(world)).toHaveLength(keys.length + 1);
    const many = await Promise.all(Array.from({ length: 12 }, (_, index) => uploaded(randomBytes(1_000 + index))));
    const answer = await post(many.map((ref, index) => ({ name: `${index}`, contentRef: ref })));
    expect(answer.status, answer.text).toBe(200);
  });

  it('leave a write without effect that is only tried, and are there for the one that follows', async () => {
    const contentRef = await uploaded(Buffer.from('text'));
    const path = `posts/manage/create-post/${world.communityId}?dryRun=true`;
    const body = { title: 'A', description: 'b', descriptionFormat: 2, announcement: false };
    const attempt = (ref: string) =>
      world.send(world.people.author, 'POST', path, { ...body, attachments: [{ name: 'a', contentRef: ref }] });
    const before = [await dumpTenant(world), await storedKeys(world)];
    const tried = await attempt(contentRef);
    expect(tried.status, tried.text).toBe(200);
    expect(await state(contentRef)).toEqual({ state: 0, size: null });
    expect(faults(await attempt('0'.repeat(64)))).toEqual(['attachments[0].contentRef: CONTENT_REF_INVALID']);
    expect([await dumpTenant(world), await storedKeys(world)]).toEqual(before);
    expect((await post([{ name: 'a', contentRef }])).status).toBe(200);
  });

  it('can be covers', async () => {
    const cover = await uploaded(Buffer.from('GIF89a'));
    const { postId } = await world.ok(
      world.people.author,
      'POST',
      `posts/manage/create-event-post/${world.communityId}`,
      {
        title: 'A day out',
        description: 'Some text',
        descriptionFormat: 2,
        announcement: false,
        coverImageContentRef: cover,
        event: {
          startAt: { localDatetime: '2030-07-01T09:00:00' },
          endAt: { localDatetime: '2030-07-01T11:00:00' },
          timezone: 'Europe/Rome',
        },
      },
    );
    expect(await state(cover)).toMatchObject({ state: 1 });
    const path = `posts/data/list/community/${world.communityId}`;
    const [{ coverImage }] = (await world.ok(world.people.reader, 'POST', path, { postId })).items;
    expect(coverImage).toMatchObject({ contentRef: cover, contentMimeType: 'image/gif', size: 6 });
    const { host, pathname } = new URL(coverImage.temporaryContentViewLink);
    const read = await send(`${portal.origin}${pathname}`, { headers: { Host: host } });
    expect(read.bytes.toString()).toBe('GIF89a');
  });

  it('wait when the storage cannot be reached: 503, everything else goes on, and no secret is logged', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as { port: number };
    await new Promise((done) => closed.close(done));
    const secret = randomBytes(20).toString('hex');
    const seen: unknown[] = [];
    const cut = await createTestPortal({
      env: {
        ...s3.env,
        PORTICO_S3_ENDPOINT: `http://127.0.0.1:${port}`,
        PORTICO_S3_SECRET_ACCESS_KEY: secret,
      },
      log: logInto(seen),
    });
    try {
      const there = await createTestWorld(cut);
      const started = await beginUpload(await there.scope(there.people.author), 1_000, cut.services.storage.direct);
      const answer = await post([{ name: 'a', contentRef: started.contentRef }], there);
      expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.body.message).toContain('file storage');
      expect((await post([], there)).status).toBe(200);
      expect((await there.tenant.request(null, 'GET', '/readyz')).status).toBe(200);
      const failure = await cut.services.storage.stat(`1/aa/${'a'.repeat(64)}`).catch((error: unknown) => error);
      const told = JSON.stringify(failure, ['message', 'cause', 'stack', 'name']) + String((failure as Error).cause);
      expect(told).toContain('ECONNREFUSED');
      for (const text of [told, JSON.stringify(seen), JSON.stringify(answer.body)]) expect(text).not.toContain(secret);
    } finally {
      await cut.close();
    }
  });

  it('that are only tried are checked as those of a write', async () => {
    const scope = await world.scope(world.people.author);
    const contentRef = await uploaded(randomBytes(2_001));
    const body = { attachments: [{ name: 'a', contentRef }] };
    const refused = (code: string) => ({ errors: [{ field: 'attachments[0].contentRef', code }] });
    const before = [await dumpTenant(world), await storedKeys(world)];
    await expect(tryUploads(scope, body, { direct: direct(), maxBytes: 2_000 })).rejects.toMatchObject(
      refused('ATTACHMENT_TOO_LARGE'),
    );
    const scanner: AttachmentScanner = { scan: async () => ({ clean: false, name: 'Eicar' }) };
    const options = { direct: direct(), maxBytes: 1 << 30 };
    await expect(tryUploads(scope, body, { ...options, scanner })).rejects.toMatchObject(refused('INVALID_VALUE'));
    const narrow = { ...scope, settings: { ...scope.settings, attachmentQuotaBytes: 2_000 } };
    const prepare = await tryUploads(narrow, body, options);
    await expect(scope.db.transaction(prepare)).rejects.toMatchObject(refused('QUOTA_EXCEEDED'));
    expect([await dumpTenant(world), await storedKeys(world)]).toEqual(before);
    // After a dry run the upload is still present.
    await takeInUploads(scope, body, options);
    expect(await state(contentRef)).toMatchObject({ state: 1, size: 2_001 });
  });

  it('are the bytes that were looked at: others that come meanwhile change nothing', async () => {
    const started = await beginUpload(await world.scope(world.people.author), 1 << 30, direct());
    await sendForm(started, Buffer.from('looked at'));
    const received = await direct().receiveSent(world.db.tenantId, started.contentRef!, { maxBytes: 100 });
    await sendForm(started, Buffer.from('exchanged'));
    expect((await buffer(await portal.services.storage.open(received!.storageKey))).toString()).toBe('looked at');
    await received!.discard();
    expect(await portal.services.storage.stat(received!.storageKey)).toBeUndefined();
  });
});

function logInto(lines: unknown[]): Log {
  const note = (fields: object, message?: string) => lines.push(fields, message);
  return { debug: note, info: note, warn: note, error: note };
}
