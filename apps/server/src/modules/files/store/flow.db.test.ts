/**
 * Whole life of a file, once per storage, by a client that knows neither storage: it copies the
 * given form fields, sends them to the given address, and follows the links of the responses.
 */
import { createHash, randomBytes } from 'node:crypto';
import { startTestS3, strictS3, type TestS3 } from '@portico/platform/files/s3/s3rver.fixture';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, form, formType, send } from '../../../../test/support/file-server.ts';
import {
  createTestPortal,
  createTestWorld,
  faults,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { workOnFiles } from '../../../jobs/work-on-files.ts';
import { tables } from '../../tables.ts';
import { removeReleasedFiles, removeUnattachedFiles } from './remove-unattached.ts';

const DAY_MS = 24 * 3_600_000;

describe.each(['directory', 'S3'])('files in the storage: %s', (driver) => {
  // s3rver accepts any signature on links; presign.test.ts compares them with the AWS library.
  const checksSignatures = driver === 'directory' || strictS3;
  let s3: TestS3 | undefined;
  let portal: TestPortal;
  let world: TestWorld;

  beforeAll(async () => {
    if (driver === 'S3') s3 = await startTestS3('portal/');
    portal = await createTestPortal({ env: { ...s3?.env } });
    world = await createTestWorld(portal);
  });
  afterAll(async () => {
    await portal.close();
    await s3?.close();
  });

  /**
   * Sends to any address. The tenant's host name does not resolve: the test server's address is
   * used.
   */
  const sendTo = (url: string, options: Parameters<typeof send>[1] = {}): Promise<Answer> => {
    const { host, origin } = new URL(url);
    const ours = host === world.tenant.host;
    return send(ours ? url.replace(origin, portal.origin) : url, {
      ...options,
      headers: { ...options.headers, ...(ours && { Host: host }) },
    });
  };
  const begin = (userId: number) =>
    world.tenant
      .request(userId, 'POST', '/portal/api/external/v2/core/storage/upload-new-attachment')
      .then((answer) => answer.body);
  const sendForm = (
    started: { uploadUrl: string; uploadMultipartRequestBodyParams: Record<string, string> },
    data: Buffer,
    name = 'file.bin',
  ) =>
    sendTo(started.uploadUrl, {
      method: 'POST',
      headers: { 'Content-Type': formType },
      body: form(started.uploadMultipartRequestBodyParams, data, name),
    });
  const upload = async (userId: number, data: Buffer, name?: string) => {
    const started = await begin(userId);
    const answer = await sendForm(started, data, name);
    expect([answer.status, answer.bytes.length], answer.bytes.toString()).toEqual([204, 0]);
    return started;
  };
  const filesOf = async (postId: number) =>
    (await world.ok(world.people.reader, 'POST', `attachments/data/posts/${postId}/attachments-list`, {})).items;
  const detail = async (id: number, query = '') =>
    (await world.ok(world.people.reader, 'GET', `posts/data/attachment-detail-by-id/${id}${query}`)).attachmentData;
  const storedKeys = async () => {
    const found: string[] = [];
    for await (const keys of portal.services.storage.list(world.db.tenantId)) found.push(...keys);
    return found;
  };

  it('goes from the upload to the post and back', async () => {
    const { author } = world.people;
    const data = await sharp({ create: { width: 700, height: 500, channels: 3, background: '#276' } })
      .png()
      .toBuffer();
    const started = await upload(author, data, 'anything.txt');
    const { contentRef, temporaryDownloadUrl, uploadMultipartRequestBodyParams: fields } = started;
    expect(contentRef).toMatch(/^[0-9a-f]{64}$/);
    expect(fields['key']).toMatch(new RegExp(`^(portal/)?temporary-uploads/${contentRef}$`));
    const temporary = await sendTo(temporaryDownloadUrl);
    expect(temporary.status).toBe(200);
    expect(temporary.bytes.equals(data)).toBe(true);
    expect(temporary.headers['content-disposition']).toMatch(/^attachment/);

    const postId = await world.post(author, { attachments: [{ name: 'Perché no?.png', contentRef }] });
    const [file] = await filesOf(postId);
    expect(file).toMatchObject({
      name: 'Perché no?.png',
      contentMimeType: 'image/png',
      size: data.length,
      md5Hash: createHash('md5').update(data).digest('hex'),
      versionNumber: 1,
    });
    const view = await sendTo(file.temporaryContentViewLink);
    expect([view.status, view.headers['content-type']]).toEqual([200, 'image/png']);
    expect(view.bytes.equals(data)).toBe(true);
    expect(view.headers['content-disposition']).toBe(
      `inline; filename="Perch_ no?.png"; filename*=UTF-8''Perch%C3%A9%20no%3F.png`,
    );
    const download = await sendTo(file.temporaryContentDownloadLink);
    expect(download.headers['content-disposition']).toMatch(/^attachment; /);
    expect(download.bytes.equals(data)).toBe(true);
    const part = await sendTo(file.temporaryContentDownloadLink, { headers: { Range: 'bytes=100-299' } });
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 100-299/${data.length}`]);
    expect(part.bytes.equals(data.subarray(100, 300))).toBe(true);

    // The same form once more: whatever the storage responds, nothing changes.
    await sendForm(started, randomBytes(500));
    expect((await sendTo(file.temporaryContentDownloadLink)).bytes.equals(data)).toBe(true);
    expect((await sendTo(temporaryDownloadUrl)).bytes.equals(data)).toBe(true);
    expect((await filesOf(postId))[0]).toMatchObject({ size: data.length, versionNumber: 1 });

    await workOnFiles(portal.services, world.tenant.tenant);
    const shown = await detail(file.id, '?loadPreviewImageLink=true');
    const preview = await sendTo(shown.temporaryContentPreviewImageLink);
    expect(preview.status).toBe(200);
    expect((await sharp(preview.bytes).metadata()).format).toBe('webp');
  });

  it('finds documents by the text in them', async () => {
    const word = `w${randomBytes(6).toString('hex')}`;
    const { contentRef } = await upload(world.people.author, Buffer.from(`Minutes of the meeting about ${word}.\n`));
    const postId = await world.post(world.people.author, { attachments: [{ name: 'minutes.txt', contentRef }] });
    await workOnFiles(portal.services, world.tenant.tenant);
    const list = await world.ok(world.people.reader, 'POST', `posts/data/list/community/${world.communityId}`, {
      containsText: word,
    });
    expect(list.items.map((item: { id: number }) => item.id)).toEqual([postId]);
  });

  it('keeps every version, each at links of its own', async () => {
    const { author } = world.people;
    const versions = [randomBytes(70_000), Buffer.alloc(0), Buffer.from('%PDF-1.4 of no use')];
    const first = await upload(author, versions[0]!);
    const postId = await world.post(author, { attachments: [{ name: 'one.bin', contentRef: first.contentRef }] });
    const [{ id }] = await filesOf(postId);
    for (const [index, data] of versions.slice(1).entries()) {
      const { contentRef } = await upload(author, data);
      await world.ok(author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
        updateAttachments: [{ attachmentId: id, name: `v${index + 2}.pdf`, contentRef }],
      });
    }
    for (const [index, data] of versions.entries()) {
      const version = await detail(id, `?version=${index + 1}`);
      expect(version).toMatchObject({ id, versionNumber: index + 1, size: data.length });
      const read = await sendTo(version.temporaryContentDownloadLink);
      expect([read.status, read.bytes.equals(data)]).toEqual([200, true]);
    }
    const { items } = await world.ok(world.people.reader, 'POST', `posts/data/history-list/${postId}`, {});
    const seen = items.flatMap((item: { attachmentVersion?: object }) => item.attachmentVersion ?? []);
    expect(seen.length).toBeGreaterThanOrEqual(versions.length);
    for (const version of seen) {
      const read = await sendTo(version.temporaryContentViewLink);
      expect(read.bytes.equals(versions[version.versionNumber - 1]!), version.name).toBe(true);
    }
  });

  it('gives out to be saved, under its own name, what a browser would run', async () => {
    const { author } = world.people;
    const cases: [string, string][] = [
      ['<!doctype html><script>alert(1)</script>', 'text/html'],
      ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
    ];
    for (const [text, mimeType] of cases) {
      const { contentRef } = await upload(author, Buffer.from(text), 'picture.png');
      const postId = await world.post(author, { attachments: [{ name: 'picture.png', contentRef }] });
      const [file] = await filesOf(postId);
      expect(file.contentMimeType).toBe(mimeType);
      for (const link of [file.temporaryContentViewLink, file.temporaryContentDownloadLink]) {
        const read = await sendTo(link);
        expect(read.headers['content-disposition']).toBe('attachment; filename="picture.png"');
        expect(read.bytes.toString()).toBe(text);
      }
    }
  });

  it('refuses what has not come, is somebody else’s or was used', async () => {
    const { author, contributor } = world.people;
    const refused = async (contentRef: string, userId = author) => {
      const answer = await world.send(userId, 'POST', `posts/manage/create-post/${world.communityId}`, {
        title: 'A post',
        description: 'Some text',
        descriptionFormat: 2,
        announcement: false,
        attachments: [{ name: 'a', contentRef }],
      });
      expect([answer.status, faults(answer)]).toEqual([400, ['attachments[0].contentRef: CONTENT_REF_INVALID']]);
    };
    await refused('0'.repeat(64));
    const started = await begin(author);
    await refused(started.contentRef);
    expect((await sendTo(started.temporaryDownloadUrl)).status).toBe(404);
    await sendForm(started, Buffer.from('here it is'));
    await refused(started.contentRef, contributor);
    await world.post(author, { attachments: [{ name: 'a', contentRef: started.contentRef }] });
    await refused(started.contentRef);
  });

  if (checksSignatures) {
    it('answers links that were altered or have expired with 403', async () => {
      const { contentRef } = await upload(world.people.author, Buffer.from('text'));
      const postId = await world.post(world.people.author, { attachments: [{ name: 'a.txt', contentRef }] });
      const [{ temporaryContentViewLink: link }] = await filesOf(postId);
      expect((await sendTo(link)).status).toBe(200);
      const altered = link.endsWith('0') ? `${link.slice(0, -1)}1` : `${link.slice(0, -1)}0`;
      expect((await sendTo(altered)).status).toBe(403);
      const { direct } = portal.services.storage;
      if (direct) {
        expect((await sendTo(link.replace('inline', 'attachment'))).status).toBe(403);
        const [row] = await world.rows<{ key: string }>(
          'SELECT storage_key AS key FROM file_contents WHERE tenant_id = $1 AND content_ref = $2',
          [contentRef],
        );
        const about = { contentType: 'text/plain', disposition: 'inline', seconds: 60 };
        expect((await sendTo(direct.link(row!.key, { ...about, now: Date.now() }))).status).toBe(200);
        expect((await sendTo(direct.link(row!.key, { ...about, now: Date.now() - 61_000 }))).status).toBe(403);
      }
    });
  }

  it('removes what nobody attached, and what lost its last post', async () => {
    const { author } = world.people;
    const before = await storedKeys();
    const idle = await upload(author, randomBytes(100));
    const looked = await upload(author, randomBytes(100));
    expect((await sendTo(looked.temporaryDownloadUrl)).status).toBe(200);
    const kept = await upload(author, randomBytes(100));
    const postId = await world.post(author, { attachments: [{ name: 'a', contentRef: kept.contentRef }] });
    const { storage } = portal.services;
    const later = Date.now() + DAY_MS + 60_000;
    expect((await removeUnattachedFiles(world.db, { storage, tables }, later)).contents).toBeGreaterThanOrEqual(2);
    expect(await storage.direct?.receiveSent(world.db.tenantId, idle.contentRef, { maxBytes: 1_000 })).toBeUndefined();
    expect((await storedKeys()).length).toBe(before.length + 1);
    const [file] = await filesOf(postId);
    expect((await sendTo(file.temporaryContentViewLink)).status).toBe(200);

    await world.db.execute(
      'UPDATE attachments SET content_ref = NULL, drive = $3 WHERE tenant_id = $1 AND post_id = $2',
      [world.db.tenantId, postId, JSON.stringify({ driveId: 'x' })],
    );
    await world.db.execute('DELETE FROM attachment_versions WHERE tenant_id = $1 AND attachment_id = $2', [
      world.db.tenantId,
      file.id,
    ]);
    await removeReleasedFiles(world.db, { storage, tables }, [kept.contentRef], later);
    expect((await storedKeys()).sort()).toEqual(before.sort());
    expect((await sendTo(file.temporaryContentViewLink)).status).toBe(404);
  });
});
