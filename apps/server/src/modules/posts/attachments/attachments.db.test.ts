/** Attachment lists: visibility and order, compared with a naive model. */
import {
  AttachmentEntityType,
  type AttachmentType,
  type ListPostAttachmentsByPostIdRequest,
  type ListPostAttachmentsElement,
} from '@portico/contract';
import { compare } from '@portico/platform/compare';
import { takeIds } from '@portico/platform/db/take-ids';
import { sortKey } from '@portico/platform/text';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOperation } from '../../../../test/support/call-operation.ts';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import { attachmentHandlers } from './attachments.routes.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, {
    hashtags: ['plan', 'draft'],
    community: { commentsHiddenFromReaders: true },
  });
});
afterAll(() => portal?.close());

const list = async (userId: number, postId: number, body: ListPostAttachmentsByPostIdRequest = {}, query = {}) =>
  callOperation(attachmentHandlers, 'listPostAttachmentsByPostId', await world.scope(userId), {
    params: { postId },
    body,
    query,
  });
const detail = async (userId: number, attachmentId: number, query = {}) =>
  callOperation(attachmentHandlers, 'getAttachmentDetailById', await world.scope(userId), {
    params: { attachmentId },
    query,
  });
const check = async (userId: number, ids: number[]) =>
  (await callOperation(attachmentHandlers, 'checkAttachmentVisibility', await world.scope(userId), { body: { ids } }))
    .ids;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof PorticoError ? error.code : String(error)),
  );

describe('attachments of a post', () => {
  test('are on several pages where the post, which each repeats, is long', async () => {
    const { people } = world;
    const attachments: { name: string; contentRef: string }[] = [];
    for (let n = 0; n < 6; n++)
      attachments.push({ name: `${n}.txt`, contentRef: await world.upload(people.author, `${n}.txt`) });
    const postId = await world.post(people.author, { attachments, description: 'x'.repeat(1_000_000) });
    const names: (string | undefined)[] = [];
    let pages = 0;
    for (let pageToken: string | undefined; pages === 0 || pageToken !== undefined; pages++) {
      const page = await list(people.reader, postId, { pageToken, orderBy: 'name', orderDesc: false });
      expect(page.items!.every(({ post }) => post?.id === postId)).toBe(true);
      names.push(...page.items!.map(({ name }) => name));
      pageToken = page.nextPageToken;
    }
    expect(names).toEqual(attachments.map(({ name }) => name));
    expect(pages).toBeGreaterThan(1);
  });

  test('carry who, when, what and links, and the post they belong to', async () => {
    const { people } = world;
    const contentRef = await world.upload(people.author, 'face.png');
    const postId = await world.post(people.author, { attachments: [{ name: 'Perché.png', contentRef }] });
    const page = await list(people.reader, postId, { calculateTotalItemsCount: true });
    expect(page).toMatchObject({
      totalItemsCount: 1,
      canAddAttachment: false,
      imageAttachmentsCount: 1,
      videoAttachmentsCount: 0,
      audioAttachmentsCount: 0,
      documentsAttachmentsCount: 0,
    });
    const [item] = page.items as [ListPostAttachmentsElement];
    expect(item).toMatchObject({
      contentRef,
      contentMimeType: 'image/png',
      name: 'Perché.png',
      size: 3,
      md5Hash: 'acbd18db4cc2f85cedef654fccc4a4d8',
      versionNumber: 1,
      type: 1,
      downloadable: true,
      reference: false,
      attachmentEntityType: 1,
      creatorUser: { id: people.author },
      lastModifyUser: { id: people.author },
      communityId: world.communityId,
      post: { id: postId, title: 'A post', attachmentsCount: 1 },
    });
    expect(item.temporaryContentViewLink).toMatch(/^https?:\/\/.+\/portal\/files\/.+/);
    expect(item.temporaryContentDownloadLink).toBeDefined();
    expect(item.temporaryContentPreviewImageLink).toBeUndefined();
    const [flagged] = (
      await list(people.reader, postId, {}, { loadPreviewImageLink: true, loadPreviewImageHiResLink: true })
    ).items as [ListPostAttachmentsElement];
    expect(flagged.temporaryContentPreviewImageLink).toBeDefined();
    expect(flagged.temporaryContentPreviewImageHiResLink).toBeDefined();
    expect((await list(people.author, postId)).canAddAttachment).toBe(true);
    const shown = await detail(people.reader, item.id!, { loadPreviewImageLink: true });
    expect(shown).toMatchObject({
      attachmentData: { id: item.id, name: 'Perché.png', contentRef },
      post: {
        id: postId,
        communityId: world.communityId,
        type: 1,
        title: 'A post',
        visibility: 2,
        announcement: false,
        deleted: false,
        occToken: 1,
        creatorUser: { id: people.author },
      },
    });
    expect(shown.attachmentData?.temporaryContentPreviewImageLink).toBeDefined();
  });

  test('keep their earlier versions', async () => {
    const { people } = world;
    const first = await world.upload(people.author, 'one.txt');
    const postId = await world.post(people.author, { attachments: [{ name: 'one.txt', contentRef: first }] });
    const attachmentId = (await list(people.author, postId)).items![0]!.id!;
    const second = await world.upload(people.manager, 'two.png');
    await world.ok(people.manager, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
      updateAttachments: [{ attachmentId, name: 'two.png', contentRef: second }],
    });
    const present = (await detail(people.reader, attachmentId)).attachmentData;
    expect(present).toMatchObject({
      id: attachmentId,
      versionNumber: 2,
      name: 'two.png',
      contentRef: second,
      contentMimeType: 'image/png',
      lastModifyUser: { id: people.manager },
    });
    const earlier = (await detail(people.reader, attachmentId, { version: 1 })).attachmentData;
    expect(earlier).toMatchObject({
      id: attachmentId,
      versionNumber: 1,
      name: 'one.txt',
      contentRef: first,
      contentMimeType: 'text/plain',
      creatorUser: { id: people.author },
      lastModifyUser: { id: people.author },
    });
    expect((await detail(people.reader, attachmentId, { version: 2 })).attachmentData).toMatchObject({
      versionNumber: 2,
      name: 'two.png',
    });
    for (const version of [0, 3, -1, 2 ** 40])
      expect(await codeOf(detail(people.reader, attachmentId, { version }))).toBe('NOT_FOUND');
  });

  test('may be files in Google Drive, which the portal does not serve', async () => {
    const { people } = world;
    const drive = {
      driveId: 'd1',
      mimeType: 'application/vnd.google-apps.document',
      size: 7,
      webViewLink: 'https://drive.example/v',
      webContentLink: 'https://drive.example/c',
    };
    const postId = await world.post(people.author, { attachments: [{ name: 'Plan', type: 2, drive }] });
    expect((await list(people.reader, postId)).items).toEqual([]);
    const [item] = (await list(people.reader, postId, { types: [2] }, { loadPreviewImageLink: true })).items as [
      ListPostAttachmentsElement,
    ];
    expect(item).toMatchObject({ type: 2, drive, downloadable: false, contentMimeType: drive.mimeType, size: 7 });
    expect(item.contentRef).toBeUndefined();
    expect(item.temporaryContentViewLink).toBe(drive.webViewLink);
    expect((await detail(people.reader, item.id!)).attachmentData).toMatchObject({ type: 2, drive });
    expect((await detail(people.reader, item.id!, { version: 1 })).attachmentData).toMatchObject({ type: 2, drive });
  });

  test('are hidden with their post, and those of comments with the comments', async () => {
    const { people } = world;
    const attach = async (user: number) => [{ name: 'a.txt', contentRef: await world.upload(user) }];
    const postId = await world.post(people.author, { visibility: 1, attachments: await attach(people.author) });
    const publicId = await world.post(people.author, { attachments: await attach(people.author) });
    await world.ok(people.contributor, 'POST', `posts/manage/create-comment/${publicId}`, {
      comment: 'x',
      commentFormat: 2,
      attachments: await attach(people.contributor),
    });
    const hidden = (await list(people.author, postId)).items![0]!.id!;
    const open = (await list(people.author, publicId)).items![0]!.id!;
    const said = (await list(people.author, publicId, { entityTypes: [3] })).items![0]!.id!;
    expect((await list(people.reader, publicId, { entityTypes: [3] })).items).toEqual([]);
    expect((await list(people.reader, publicId, { entityTypes: [] })).items!.map((item) => item.id)).toEqual([open]);
    const ids = [said, hidden, 999_999, open, hidden];
    expect(await check(people.author, ids)).toEqual([said, hidden, open]);
    expect(await check(people.contributor, ids)).toEqual([said, open]);
    expect(await check(people.reader, ids)).toEqual([open]);
    expect(await check(people.outsider, ids)).toEqual([]);
    expect(await check(people.author, [])).toEqual([]);
    for (const [user, id] of [
      [people.contributor, hidden],
      [people.reader, said],
      [people.outsider, open],
      [people.author, 999_999],
    ] as const) {
      expect(await codeOf(detail(user, id))).toBe('NOT_FOUND');
    }
    expect(await codeOf(list(people.contributor, postId))).toBe('NOT_FOUND');
    await world.ok(people.author, 'PUT', `posts/manage/edit-post-attachments/${publicId}`, {
      removeAttachmentIds: [open],
    });
    expect(await check(people.author, [open])).toEqual([]);
    expect(await codeOf(detail(people.author, open))).toBe('NOT_FOUND');
    expect(await codeOf(detail(people.author, open, { version: 1 }))).toBe('NOT_FOUND');
  });

  test('come back after their removal, to whom may attach, once and to their post alone', async () => {
    const { people } = world;
    const attach = async (user: number) => [{ name: 'a.txt', contentRef: await world.upload(user) }];
    const postId = await world.post(people.author, { attachments: await attach(people.author) });
    const elsewhere = await world.post(people.author, { attachments: await attach(people.author) });
    const [file, other] = await Promise.all(
      [postId, elsewhere].map(async (id) => (await list(people.author, id)).items![0]!),
    );
    const edit = (userId: number, body: object) =>
      world.send(userId, 'PUT', `posts/manage/edit-post-attachments/${postId}`, body);
    const restore = { restoreAttachmentIds: [file!.id!] };
    expect((await edit(people.author, { removeAttachmentIds: [file!.id!] })).status).toBe(200);
    expect((await edit(people.contributor, restore)).status).not.toBe(200);
    expect((await edit(people.author, restore)).body.addedAttachments).toMatchObject([
      { id: file!.id, name: file!.name },
    ]);
    expect((await list(people.author, postId)).items).toMatchObject([
      { id: file!.id, size: file!.size, versionNumber: 1 },
    ]);
    expect((await edit(people.author, restore)).body.addedAttachments).toEqual([]);
    const refused = await edit(people.author, { restoreAttachmentIds: [file!.id!, other!.id!] });
    expect(refused.body.validationErrors.list).toMatchObject([
      { field: 'restoreAttachmentIds[1]', code: 'UNKNOWN_REFERENCE' },
    ]);
  });

  test('come in as many statements for two hundred as for one', async () => {
    const { people } = world;
    const counts: number[] = [];
    for (const size of [1, 20, 200]) {
      const postId = await world.post(people.author);
      await fill(postId, size, () => ({
        name: 'x',
        entityType: 1,
        mimeType: 'text/plain',
        kind: 4,
        size: 1,
        at: 0,
        creatorId: people.author,
        type: 1,
        fieldId: null,
      }));
      await list(people.author, postId, { pageSize: 500 });
      portal.takeStatements();
      const page = await list(people.author, postId, { pageSize: 500, calculateTotalItemsCount: true });
      expect(page.items!.length).toBe(size);
      counts.push(portal.takeStatements().length);
    }
    expect(new Set(counts).size).toBe(1);
  });
});

interface Model {
  id: number;
  name: string;
  entityType: AttachmentEntityType;
  mimeType: string;
  kind: number;
  size: number;
  at: number;
  creatorId: number;
  type: AttachmentType;
  fieldId: number | null;
}

const START = Date.UTC(2026, 0, 1);

/** Inserts attachments of any kind without the write verbs. */
async function fill(postId: number, count: number, make: (index: number) => Omit<Model, 'id'>): Promise<Model[]> {
  const rows = Array.from({ length: count }, (_, index) => make(index));
  const scope = await world.scope(world.people.author);
  const ids = await takeIds(scope.db, 'attachments', count);
  await scope.db.execute(
    `INSERT INTO attachments (tenant_id, id, post_id, community_id, entity_type, field_id, type, kind, name, name_key, mime_type, size,
        creator_id, created_at, modifier_id, modified_at)
     SELECT a.tenant_id, f.id, $2, $3, f.entity_type, f.field_id, f.type, f.kind, f.name, f.name_key, f.mime_type, f.size, f.creator_id, f.at, f.creator_id, f.at
       FROM tenant_versions a, jsonb_to_recordset($4::jsonb) AS f (id bigint, entity_type smallint, field_id bigint, type smallint, kind smallint, name text,
            name_key text, mime_type text, size bigint, creator_id bigint, at timestamptz)
      WHERE a.tenant_id = $1`,
    [
      scope.tenant.id,
      postId,
      world.communityId,
      JSON.stringify(
        rows.map((row, index) => ({
          id: ids[index],
          entity_type: row.entityType,
          field_id: row.fieldId,
          type: row.type,
          kind: row.kind,
          name: row.name,
          name_key: sortKey(row.name),
          mime_type: row.mimeType,
          size: row.size,
          creator_id: row.creatorId,
          at: new Date(START + row.at * 1000),
        })),
      ),
    ],
  );
  return rows.map((row, index) => ({ ...row, id: ids[index]! }));
}

const MIME: readonly [string, number][] = [
  ['image/png', 1],
  ['image/svg+xml', 1],
  ['video/mp4', 2],
  ['audio/mpeg', 3],
  ['application/pdf', 4],
  ['text/plain', 4],
];

function naive(all: readonly Model[], body: ListPostAttachmentsByPostIdRequest, comments: boolean): number[] {
  const types = body.types ?? [1];
  const entities = body.entityTypes ?? [1, 4, 5];
  const kept = all.filter((row) => {
    if (types.length > 0 && !types.includes(row.type)) return false;
    if (entities.length > 0 && !entities.includes(row.entityType)) return false;
    if (!comments && row.entityType === AttachmentEntityType.COMMENT) return false;
    if (body.mimeTypes && body.mimeTypes.length > 0) {
      const matches = body.mimeTypes.some((mime) =>
        mime.endsWith('/*') ? row.mimeType.startsWith(mime.slice(0, -1)) : row.mimeType === mime,
      );
      if (!matches) return false;
    }
    if (body.mimeTypeCategory === 'multimedia' && row.kind === 4) return false;
    if (body.mimeTypeCategory === 'other' && row.kind !== 4) return false;
    if (
      body.postFilePickerFieldId !== undefined &&
      !(row.entityType === 4 && row.fieldId === body.postFilePickerFieldId)
    )
      return false;
    if (
      body.wfScreenFilePickerFieldId !== undefined &&
      !(row.entityType === 5 && row.fieldId === body.wfScreenFilePickerFieldId)
    )
      return false;
    return true;
  });
  const keys: Record<string, (row: Model) => string | number> = {
    name: (row) => sortKey(row.name),
    mimeType: (row) => row.mimeType,
    size: (row) => row.size,
    creatorUserId: (row) => row.creatorId,
    creationTimestamp: (row) => row.at,
    entityType: (row) => row.entityType,
  };
  const key = keys[body.orderBy ?? 'creationTimestamp']!;
  const sign = body.orderDesc === false ? 1 : -1;
  return kept.sort((a, b) => sign * (compare(key(a), key(b)) || a.id - b.id)).map((row) => row.id);
}

describe('the list', () => {
  test('agrees with a naive model for every filter and order, page by page', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const random = fc.sample(
      fc.record({
        name: fc.constantFrom('a.txt', 'A.txt', 'Ä', 'zebra', 'Zèbra', '10', '9', 'x_y', 'x%y'),
        entityType: fc.constantFrom(...Object.values(AttachmentEntityType)),
        mime: fc.constantFrom(...MIME),
        size: fc.constantFrom(0, 1, 2, 3_000_000_000),
        at: fc.integer({ min: 0, max: 6 }),
        creatorId: fc.constantFrom(people.author, people.manager),
        type: fc.constantFrom(1, 1, 1, 2),
        fieldId: fc.constantFrom(7, 8),
      }),
      { numRuns: 60, seed: 4 },
    );
    const all = await fill(postId, random.length, (index) => {
      const { mime, ...row } = random[index]!;
      return { ...row, mimeType: mime[0], kind: mime[1], fieldId: row.entityType >= 4 ? row.fieldId : null };
    });
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
    const bodies = fc.record(
      {
        types: maybe(fc.subarray([1, 2])),
        entityTypes: maybe(fc.subarray([1, 2, 3, 4, 5])),
        mimeTypes: maybe(
          fc.subarray(['image/*', 'image/svg+xml', 'text/plain', 'TEXT/PLAIN'.toLowerCase(), 'image/%', 'none/x']),
        ),
        mimeTypeCategory: maybe(fc.constantFrom('multimedia', 'other')),
        postFilePickerFieldId: fc.option(fc.constantFrom(7, 9), { nil: undefined, freq: 1 }),
        wfScreenFilePickerFieldId: fc.option(fc.constantFrom(8, 9), { nil: undefined, freq: 1 }),
        orderBy: maybe(fc.constantFrom('name', 'mimeType', 'size', 'creatorUserId', 'creationTimestamp', 'entityType')),
        orderDesc: maybe(fc.boolean()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        bodies,
        fc.integer({ min: 1, max: 70 }),
        fc.constantFrom('author', 'reader'),
        async (drawn, pageSize, who) => {
          const body = Object.fromEntries(
            Object.entries(drawn).filter(([, value]) => value !== undefined),
          ) as ListPostAttachmentsByPostIdRequest;
          const expected = naive(all, body, who === 'author');
          const seen: number[] = [];
          let pageToken: string | undefined;
          do {
            const page = await list(people[who as 'author' | 'reader'], postId, {
              ...body,
              pageSize,
              calculateTotalItemsCount: true,
              ...(pageToken && { pageToken }),
            });
            expect(page.totalItemsCount).toBe(expected.length);
            seen.push(...page.items!.map((item) => item.id!));
            pageToken = page.nextPageToken;
          } while (pageToken);
          expect(seen).toEqual(expected);
          expect(await check(people[who as 'author' | 'reader'], seen)).toEqual(expected);
        },
      ),
      { numRuns: 120 },
    );
  });

  test('binds its page tokens to filters and caller, and filters by what text can be read from', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const attachments = [];
    for (const name of ['a.txt', 'b.txt', 'c.png'])
      attachments.push({ name, contentRef: await world.upload(people.author, name) });
    await world.ok(people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
      addAttachments: attachments,
    });
    const { nextPageToken } = await list(people.author, postId, { pageSize: 1, orderBy: 'name' });
    expect(nextPageToken).toBeDefined();
    expect(await codeOf(list(people.author, postId, { pageSize: 1, orderBy: 'size', pageToken: nextPageToken! }))).toBe(
      'PAGE_TOKEN_FILTERS_CHANGED',
    );
    expect(await codeOf(list(people.reader, postId, { pageSize: 1, orderBy: 'name', pageToken: nextPageToken! }))).toBe(
      'PAGE_TOKEN_FILTERS_CHANGED',
    );
    const names = async (body: ListPostAttachmentsByPostIdRequest) =>
      (await list(people.author, postId, { orderBy: 'name', orderDesc: false, ...body })).items!.map(
        (item) => item.name,
      );
    expect(await names({ aiSupportedFilter: true })).toEqual(['a.txt', 'b.txt']);
    expect(await names({ aiSupportedFilter: false })).toEqual(['c.png']);
    expect(await names({ language: 'it' })).toEqual(['a.txt', 'b.txt', 'c.png']);
  });
});
