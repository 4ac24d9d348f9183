import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openS3Storage, type S3Storage } from '../s3-driver.ts';
import type { UploadForm } from '../storage.ts';
import { startTestS3, strictS3, type TestS3 } from './s3rver.fixture.ts';

describe('forms that send files into a store', () => {
  let s3: TestS3;
  let storage: S3Storage;
  const contentRef = () => randomBytes(32).toString('hex');
  const sent = (ref: string) => storage.direct.receiveSent(1, ref, { maxBytes: 1_000_000 });

  beforeAll(async () => {
    s3 = await startTestS3('a/');
    storage = openS3Storage(s3.options);
  });
  afterAll(async () => {
    storage.close();
    await s3.close();
  });

  async function send(form: UploadForm, data: Buffer, more: Record<string, string> = {}): Promise<number> {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...form.fields, ...more })) body.append(name, value);
    body.append('file', new Blob([data as Uint8Array<ArrayBuffer>], { type: 'text/html' }), 'page.html');
    const answer = await fetch(form.url, { method: 'POST', body });
    await answer.arrayBuffer();
    return answer.status;
  }

  it('allow one key, a size, a time, and nothing else', async () => {
    const ref = contentRef();
    const form = await storage.direct.uploadForm(ref, { maxBytes: 100, seconds: 7_200 });
    expect(form.url.replace(/\/$/, '')).toBe(`${s3.options.publicEndpoint}/${s3.options.bucket}`);
    const policy = JSON.parse(Buffer.from(form.fields['Policy']!, 'base64').toString());
    const left = Date.parse(policy.expiration) - Date.now();
    expect(left).toBeGreaterThan(7_000_000);
    expect(left).toBeLessThanOrEqual(7_200_000);
    const conditions = policy.conditions.map((one: object) => (Array.isArray(one) ? one : Object.entries(one)[0]));
    expect(conditions).toContainEqual(['content-length-range', 0, 100]);
    expect(conditions).toContainEqual(['key', `a/temporary-uploads/${ref}`]);
    expect(conditions.map(([name]: [string]) => name).sort()).toEqual(
      [
        'X-Amz-Algorithm',
        'X-Amz-Credential',
        'X-Amz-Date',
        'bucket',
        'content-length-range',
        'key',
        'success_action_status',
      ].sort(),
    );
  });

  it('take files up to the limit, and empty ones', async () => {
    for (const size of [0, 100]) {
      const ref = contentRef();
      const form = await storage.direct.uploadForm(ref, { maxBytes: 100, seconds: 60 });
      expect(await send(form, randomBytes(size))).toBe(204);
      expect(await sent(ref)).toMatchObject({ size });
    }
  });

  it('are no way to anything but the temporary place', async () => {
    for (const ref of ['', '../x', 'A'.repeat(64), `${contentRef()}/..`]) {
      await expect(storage.direct.receiveSent(1, ref, { maxBytes: 1 }), ref).rejects.toThrow();
    }
  });

  // s3rver accepts everything.
  if (strictS3) {
    it('refuse what is too large, altered, expired or more than allowed', async () => {
      const ref = contentRef();
      const form = await storage.direct.uploadForm(ref, { maxBytes: 100, seconds: 60 });
      const { fields } = form;
      const larger = Buffer.from(
        Buffer.from(fields['Policy']!, 'base64').toString().replace('0,100]', '0,9999]'),
      ).toString('base64');
      expect(await send(form, randomBytes(101))).toBe(400);
      const forged: Record<string, string>[] = [
        { Policy: larger },
        { 'X-Amz-Signature': '0'.repeat(64) },
        { key: `a/temporary-uploads/${contentRef()}` },
        { key: 'a/tenants/1/aa/x' },
        { acl: 'public-read' },
        { 'Content-Type': 'text/html' },
        { success_action_status: '200' },
      ];
      for (const more of forged) expect(await send(form, Buffer.from('x'), more), JSON.stringify(more)).toBe(403);
      const { ['Policy']: _policy, ['X-Amz-Signature']: _signature, ...unsigned } = fields;
      expect(await send({ ...form, fields: unsigned }, Buffer.from('x'))).toBe(403);
      const expired = await storage.direct.uploadForm(ref, { maxBytes: 100, seconds: -1 });
      expect(await send(expired, Buffer.from('x'))).toBe(403);
      expect(await sent(ref)).toBeUndefined();
      expect(await send(form, randomBytes(100))).toBe(204);
    });

    it('lead to objects that nobody reads without a link', async () => {
      const ref = contentRef();
      await send(await storage.direct.uploadForm(ref, { maxBytes: 100, seconds: 60 }), Buffer.from('x'));
      const { publicEndpoint, bucket } = s3.options;
      expect((await fetch(`${publicEndpoint}/${bucket}/a/temporary-uploads/${ref}`)).status).toBe(403);
    });
  }
});
