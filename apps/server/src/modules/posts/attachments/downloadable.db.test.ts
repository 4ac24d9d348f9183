/** View-only files: responses, links, and the operations that carry the mark over. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../../../../test/support/file-server.ts';
import { createTestPortal, type TestPortal } from '../../../../test/support/portal.ts';
import { createTestWorld, faults, type TestWorld } from '../../../../test/support/test-world.ts';
import { storeFile } from '../../files/index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
type Json = any;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const CONTENTS: Readonly<Record<string, Buffer>> = {
  'a.png': PNG,
  'a.txt': Buffer.from('plain text\n'),
  'a.html': Buffer.from('<!DOCTYPE html><html><script>alert(1)</script></html>'),
  'a.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  'a.xml': Buffer.from('<?xml version="1.0"?><a/>'),
  'a.pdf': Buffer.from('%PDF-1.4\n%%EOF\n'),
  'a.zip': Buffer.from([0x50, 0x4b, 5, 6, ...Array.from({ length: 18 }, () => 0)]),
};

const upload = async (name: string) => {
  const scope = await world.scope(world.people.author);
  const { contentRef } = await storeFile(scope, portal.services.storage, CONTENTS[name]!);
  return { name, contentRef };
};
const listed = async (postId: number, user = world.people.reader): Promise<Json[]> =>
  (await world.ok(user, 'POST', `attachments/data/posts/${postId}/attachments-list`, { types: [], entityTypes: [] }))
    .items;
const detailOf = async (id: number, query = ''): Promise<Json> =>
  (await world.ok(world.people.reader, 'GET', `posts/data/attachment-detail-by-id/${id}${query}`)).attachmentData;
const change = (postId: number, body: object) =>
  world.send(world.people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, body);
const open = (link: string) =>
  send(`${portal.origin}${new URL(link).pathname}`, { headers: { Host: world.tenant.host } });

/** Returns every attachment in a response, at any depth. */
function attachmentsIn(value: Json, found: Json[] = []): Json[] {
  if (typeof value !== 'object' || value === null) return found;
  if ('downloadable' in value) found.push(value);
  for (const part of Object.values(value)) attachmentsIn(part, found);
  return found;
}

describe('a file that may not be downloaded', () => {
  it('has no link to download in any answer, and one to view only where a viewer shows its type', async () => {
    const { author, reader } = world.people;
    const attachments = [];
    for (const name of Object.keys(CONTENTS)) attachments.push({ ...(await upload(name)), downloadable: false });
    const made = await world.ok(author, 'POST', `posts/manage/create-post/${world.communityId}`, {
      title: 'Withheld',
      description: 'x',
      descriptionFormat: 2,
      attachments,
    });
    const { postId } = made;
    const files = await listed(postId);
    const [picture] = files.filter(({ name }) => name === 'a.png');
    await world.ok(author, 'POST', `posts/manage/create-comment/${postId}`, {
      comment: 'see',
      commentFormat: 2,
      attachments: [{ attachmentId: picture.id, name: 'a.png' }],
    });
    await world.tenant.settleStream();
    const flags =
      'loadMainAttachment=true&loadMainAttachmentViewLink=true&loadMainAttachmentDownloadLink=true&loadMainAttachmentPreviewImageLink=true';
    const answers = [
      made,
      files,
      await detailOf(picture.id, '?loadPreviewImageLink=true'),
      await world.ok(reader, 'GET', `posts/data/post-detail-by-id/${postId}?${flags}`),
      await world.ok(reader, 'POST', `posts/data/list/community/${world.communityId}?${flags}`, { postId }),
      await world.ok(author, 'GET', `posts/manage/post-data-for-edit/${postId}`),
      await world.ok(author, 'GET', `posts/manage/post-data-for-copy/${postId}`),
      await world.ok(reader, 'POST', `posts/data/history-list/${postId}`, {}),
      await world.ok(reader, 'POST', `posts/data/comments-list/${postId}`, {}),
      await world.ok(reader, 'POST', `posts/data/global-stream?${flags}`, {}),
    ];
    const shown = new Map<string, boolean>();
    for (const answer of answers) {
      const found = attachmentsIn(answer);
      expect(found.length).toBeGreaterThan(0);
      for (const file of found) {
        expect(file.downloadable).toBe(false);
        expect(file).not.toHaveProperty('temporaryContentDownloadLink');
        if ('temporaryContentViewLink' in file) shown.set(file.name, true);
        else if (!shown.has(file.name)) shown.set(file.name, false);
      }
    }
    expect(Object.fromEntries(shown)).toEqual({
      'a.png': true,
      'a.txt': true,
      'a.html': true,
      'a.svg': true,
      'a.xml': true,
      'a.pdf': true,
      'a.zip': false,
    });
    expect(answers[2].temporaryContentPreviewImageLink).toBeDefined();

    const served = async (name: string) => {
      const file = files.find((one) => one.name === name);
      const { status, headers, bytes } = await open(file.temporaryContentViewLink);
      expect([status, bytes.equals(CONTENTS[name]!)]).toEqual([200, true]);
      expect(headers['content-disposition']).toMatch(/^inline(;|$)/);
      return headers['content-type'];
    };
    expect(await served('a.png')).toBe('image/png');
    expect(await served('a.pdf')).toBe('application/pdf');
    for (const name of ['a.txt', 'a.html', 'a.svg', 'a.xml']) {
      expect([name, await served(name)]).toEqual([name, 'text/plain; charset=utf-8']);
    }
  });

  it('is made so and set free by an update; a new version that does not say keeps the mark', async () => {
    const { author } = world.people;
    const postId = await world.post(author, { attachments: [await upload('a.zip'), await upload('a.png')] });
    const file = async (name: string) => (await listed(postId)).find((one) => one.name === name);
    const zip = await file('a.zip');
    expect(zip.downloadable).toBe(true);
    const held = [zip.temporaryContentDownloadLink, zip.temporaryContentViewLink];
    const answer = await change(postId, { updateAttachments: [{ attachmentId: zip.id, downloadable: false }] });
    expect(answer.body.updatedAttachments).toMatchObject([{ id: zip.id, downloadable: false, versionNumber: 1 }]);
    // Links from before the change do not open the file either.
    for (const link of held) expect((await open(link)).status).toBe(403);
    const fresh = await upload('a.zip');
    await change(postId, { updateAttachments: [{ attachmentId: zip.id, ...fresh, downloadable: null }] });
    expect(await file('a.zip')).toMatchObject({ downloadable: false, versionNumber: 2 });
    for (const version of [1, 2]) {
      const read = await detailOf(zip.id, `?version=${version}`);
      expect(read.downloadable).toBe(false);
      expect(read).not.toHaveProperty('temporaryContentDownloadLink');
    }
    await change(postId, { updateAttachments: [{ attachmentId: zip.id, downloadable: true }] });
    expect((await open((await file('a.zip')).temporaryContentDownloadLink)).status).toBe(200);
    const form = await world.ok(author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    const edited = await world.ok(author, 'PUT', `posts/manage/edit-post/${postId}/${form.occToken}`, {
      title: 'Edited',
      description: form.contentData.descriptionDelta,
      addAttachments: [{ ...(await upload('a.txt')), downloadable: false }],
      updateAttachments: [{ attachmentId: zip.id, downloadable: false }],
    });
    const marks = edited.postData.attachments.map((one: Json) => [one.name, one.downloadable]);
    expect(Object.fromEntries(marks)).toEqual({ 'a.zip': false, 'a.png': true, 'a.txt': false });
  });

  it('stays so in copies and references, which cannot set it free while their source is not', async () => {
    const { author, contributor } = world.people;
    const postId = await world.post(author, { attachments: [{ ...(await upload('a.zip')), downloadable: false }] });
    const [source] = await listed(postId);
    const form = await world.ok(contributor, 'GET', `posts/manage/post-data-for-copy/${postId}`);
    const copy = await world.ok(contributor, 'PUT', `posts/manage/copy-post/${postId}/${form.occToken}`, {
      title: 'Copy',
      description: form.contentData.descriptionDelta,
      addAttachments: form.contentData.attachments.map(({ id }: Json) => ({ attachmentId: id })),
    });
    expect(copy.postData.attachments).toMatchObject([{ name: 'a.zip', downloadable: false }]);
    const mine = await world.post(contributor, {
      attachments: [
        { attachmentId: source.id, downloadable: true },
        { referencedAttachmentId: source.id, name: 'again.zip' },
      ],
    });
    const taken = await listed(mine);
    expect(taken).toMatchObject([{ downloadable: false }, { downloadable: false }]);
    for (const file of taken) expect(file).not.toHaveProperty('temporaryContentDownloadLink');
    const free = () =>
      world.send(contributor, 'PUT', `posts/manage/edit-post-attachments/${mine}`, {
        updateAttachments: [{ attachmentId: taken[0].id, downloadable: true }],
      });
    const refused = await free();
    expect([refused.status, faults(refused)]).toEqual([400, ['updateAttachments[0].downloadable: INVALID_VALUE']]);
    await change(postId, { updateAttachments: [{ attachmentId: source.id, downloadable: true }] });
    expect((await free()).body.updatedAttachments).toMatchObject([{ downloadable: true }]);
  });

  it('is a matter of posts: attachments of comments and tasks take no such key', async () => {
    const { author } = world.people;
    const postId = await world.post(author);
    const comment = async (downloadable: boolean | null) =>
      world.send(author, 'POST', `posts/manage/create-comment/${postId}`, {
        comment: 'x',
        commentFormat: 2,
        attachments: [{ ...(await upload('a.txt')), downloadable }],
      });
    const refused = await comment(false);
    expect([refused.status, faults(refused)]).toEqual([400, ['attachments[0].downloadable: UNRECOGNIZED_FIELD']]);
    expect((await comment(null)).status).toBe(200);
  });

  it('is marked in events as in other posts', async () => {
    const made = await world.ok(world.people.author, 'POST', `posts/manage/create-event-post/${world.communityId}`, {
      title: 'Event',
      description: 'x',
      descriptionFormat: 2,
      event: { startAt: { localDatetime: '2030-01-01T10:00:00' } },
      attachments: [{ ...(await upload('a.zip')), downloadable: false }],
    });
    expect(made.postData.attachments).toMatchObject([{ downloadable: false }]);
  });
});

describe('attachments', () => {
  it('in Google Drive carry both links in lists as in details, those that were stored or those of their id', async () => {
    const links = { webViewLink: 'https://drive.example/v', webContentLink: 'https://drive.example/c' };
    const postId = await world.post(world.people.author, {
      attachments: [
        { type: 2, name: 'given', drive: { driveId: 'd1', ...links }, downloadable: false },
        { type: 2, name: 'bare', drive: { driveId: 'a/b' } },
      ],
    });
    const files = await listed(postId);
    for (const file of files) {
      const read = await detailOf(file.id);
      expect(read.downloadable).toBe(false);
      for (const link of ['temporaryContentViewLink', 'temporaryContentDownloadLink']) {
        expect(file[link]).toMatch(/^https:\/\//);
        expect(read[link]).toBe(file[link]);
      }
    }
    expect(files.find(({ name }) => name === 'given')).toMatchObject({
      temporaryContentViewLink: links.webViewLink,
      temporaryContentDownloadLink: links.webContentLink,
    });
    expect(files.find(({ name }) => name === 'bare').temporaryContentViewLink).toContain('a%2Fb');
  });

  it('tell their MD5 as 32 lower-case hexadecimal characters, covers too', async () => {
    const { author } = world.people;
    const cover = await upload('a.png');
    const made = await world.ok(author, 'POST', `posts/manage/create-event-post/${world.communityId}`, {
      title: 'Event',
      description: 'x',
      descriptionFormat: 2,
      event: { startAt: { localDatetime: '2030-01-01T10:00:00' } },
      coverImageContentRef: cover.contentRef,
      attachments: [await upload('a.zip')],
    });
    const md5 = (name: string) => createHash('md5').update(CONTENTS[name]!).digest('hex');
    expect(made.postData.attachments[0].md5Hash).toBe(md5('a.zip'));
    expect(made.postData.coverImage.md5Hash).toBe(md5('a.png'));
  });
});

describe('links to files of a post that is deleted', () => {
  it('end with it: of attachments, of earlier versions, of previews and of the cover', async () => {
    const { author, reader } = world.people;
    const cover = await upload('a.png');
    const made = await world.ok(author, 'POST', `posts/manage/create-event-post/${world.communityId}`, {
      title: 'Event',
      description: 'x',
      descriptionFormat: 2,
      event: { startAt: { localDatetime: '2030-01-01T10:00:00' } },
      coverImageContentRef: cover.contentRef,
      attachments: [await upload('a.png')],
    });
    const { postId } = made;
    const [{ id }] = await listed(postId);
    await change(postId, { updateAttachments: [{ attachmentId: id, ...(await upload('a.txt')) }] });
    const first = await detailOf(id, '?version=1&loadPreviewImageLink=true');
    const last = await detailOf(id);
    const links = [
      last.temporaryContentViewLink,
      last.temporaryContentDownloadLink,
      first.temporaryContentViewLink,
      first.temporaryContentPreviewImageLink,
      made.postData.coverImage.temporaryContentViewLink,
      made.postData.coverImage.temporaryContentPreviewImageLink,
    ];
    for (const link of links) expect((await open(link)).status).toBe(200);
    await world.ok(author, 'DELETE', `posts/manage/delete-post/${postId}`);
    for (const link of links) {
      const answer = await open(link);
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await world.send(reader, 'GET', `posts/data/attachment-detail-by-id/${id}`)).status).toBe(404);
  });
});
