/** Preview links in responses: one for each existing preview, wherever a file is shown. */

import { PreviewBit } from '@portico/platform/files';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const PREVIEWS = {
  still: 'temporaryContentPreviewImageLink',
  moving: 'temporaryContentPreviewImageAnimatedLink',
  large: 'temporaryContentPreviewImageHiResLink',
  largeMoving: 'temporaryContentPreviewImageHiResAnimatedLink',
};
const MAIN_FLAGS =
  'loadMainAttachmentPreviewImageLink=true&loadMainAttachmentPreviewImageAnimatedLink=true&loadMainAttachmentPreviewImageHiResLink=true&loadMainAttachmentPreviewImageHiResAnimatedLink=true';
const DETAIL_FLAGS = MAIN_FLAGS.replaceAll('loadMainAttachment', 'load');

/** Returns the kinds of link of an object, without addresses. */
const links = (file: object) =>
  Object.keys(file)
    .filter((key) => key.startsWith('temporary'))
    .sort();
const BOTH = ['temporaryContentDownloadLink', 'temporaryContentViewLink'];

/**
 * Creates an upload of a media type with the previews that a job has created; null: no job has run.
 */
async function uploadOf(mimeType: string, previews: number | null): Promise<string> {
  const contentRef = await world.upload(world.people.author, 'a.png');
  await world.db.execute(
    'UPDATE file_contents SET mime_type = $3, previews = $4 WHERE tenant_id = $1 AND content_ref = $2',
    [world.db.tenantId, contentRef, mimeType, previews],
  );
  return contentRef;
}

test('of main attachment, list, detail, comments and history are those of the previews that were made', async () => {
  const { people } = world;
  const cases: [mimeType: string, previews: number | null, kinds: string[]][] = [
    // A drawing is never its own preview; it has a preview once the job has created one.
    ['image/svg+xml', null, []],
    ['image/svg+xml', PreviewBit.STILL | PreviewBit.LARGE_STILL, [PREVIEWS.still, PREVIEWS.large]],
    ['application/pdf', PreviewBit.STILL | PreviewBit.LARGE_STILL, [PREVIEWS.still, PREVIEWS.large]],
    // A picture is its own preview until the job has run; afterwards a broken one has no preview.
    ['image/png', null, [PREVIEWS.still, PREVIEWS.large]],
    ['image/png', 0, []],
    ['image/gif', 15, Object.values(PREVIEWS)],
    ['video/mp4', 0, []],
  ];
  for (const [mimeType, previews, kinds] of cases) {
    const name = `${mimeType} ${previews}`;
    const contentRef = await uploadOf(mimeType, previews);
    const postId = await world.post(people.author, { attachments: [{ name: 'file', contentRef }] });
    const post = await world.ok(people.reader, 'GET', `posts/data/post-detail-by-id/${postId}?${MAIN_FLAGS}`);
    expect(links(post.mainAttachment), name).toEqual([...kinds].sort());
    const listed = await world.ok(
      people.reader,
      'POST',
      `posts/data/list/community/${world.communityId}?${MAIN_FLAGS}`,
      {
        postId,
      },
    );
    const found = listed.items.find((item: { id: number }) => item.id === postId);
    expect(links(found.mainAttachment), name).toEqual([...kinds].sort());
    const path = `attachments/data/posts/${postId}/attachments-list`;
    const [item] = (await world.ok(people.reader, 'POST', `${path}?${DETAIL_FLAGS}`, {})).items;
    expect(links(item), name).toEqual([...BOTH, ...kinds].sort());
    const detail = await world.ok(
      people.reader,
      'GET',
      `posts/data/attachment-detail-by-id/${item.id}?${DETAIL_FLAGS}`,
    );
    expect(links(detail.attachmentData), name).toEqual([...BOTH, ...kinds].sort());
    const [plain] = (await world.ok(people.reader, 'POST', path, {})).items;
    expect(links(plain), name).toEqual(BOTH);
    const history = await world.ok(people.reader, 'POST', `posts/data/history-list/${postId}`, {});
    const event = history.items.find((one: { attachment?: object }) => one.attachment);
    expect(links(event.attachment), name).toEqual([...BOTH, ...kinds].sort());
  }
});

test('of an earlier version in the history are its own, not those of the present one', async () => {
  const { people } = world;
  const postId = await world.post(people.author, {
    attachments: [{ name: 'drawing.svg', contentRef: await uploadOf('image/svg+xml', 5) }],
  });
  const [{ id }] = (await world.ok(people.reader, 'POST', `attachments/data/posts/${postId}/attachments-list`, {}))
    .items;
  await world.ok(people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
    updateAttachments: [{ attachmentId: id, name: 'notes.txt', contentRef: await uploadOf('text/plain', 0) }],
  });
  const { items } = await world.ok(people.reader, 'POST', `posts/data/history-list/${postId}`, {});
  const versions = new Map(
    items.flatMap(({ attachmentVersion: one }: { attachmentVersion?: { versionNumber: number } }) =>
      one ? [[one.versionNumber, links(one)]] : [],
    ),
  );
  expect(versions.get(1)).toEqual([...BOTH, PREVIEWS.still, PREVIEWS.large].sort());
  expect(versions.get(2)).toEqual(BOTH);
  const detail = await world.ok(
    people.reader,
    'GET',
    `posts/data/attachment-detail-by-id/${id}?version=1&${DETAIL_FLAGS}`,
  );
  expect(links(detail.attachmentData)).toEqual([...BOTH, PREVIEWS.still, PREVIEWS.large].sort());
});

test('of covers are those of the previews that were made', async () => {
  const { people } = world;
  const { postId } = await world.ok(people.author, 'POST', `posts/manage/create-event-post/${world.communityId}`, {
    title: 'Party',
    description: 'Some text',
    descriptionFormat: 2,
    announcement: false,
    event: {
      startAt: { localDatetime: '2030-07-01T09:00:00' },
      endAt: { localDatetime: '2030-07-01T10:00:00' },
      timezone: 'Europe/Rome',
    },
    coverImageContentRef: await uploadOf('image/tiff', 5),
  });
  const { items } = await world.ok(people.author, 'POST', `posts/data/list/community/${world.communityId}`, {});
  const found = items.find((item: { id: number }) => item.id === postId);
  expect(links(found.coverImage)).toEqual([...BOTH, PREVIEWS.still, PREVIEWS.large].sort());
});
