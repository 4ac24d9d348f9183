/**
 * Full-text search finds posts by the text of attached documents, while they are attached, for
 * every reader of the post.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileStorage, openDirectoryStorage, TextReader } from '@portico/platform/files';
import { zip } from '@portico/platform/files/zip.fixture';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import type { Log } from '../../../kernel/scope.ts';
import { readTexts, storeFile } from '../../files/index.ts';
import { indexDocuments } from './index-documents.ts';

let portal: TestPortal;
let world: TestWorld;
let root: string;
let storage: FileStorage;
let reader: TextReader;
const warned: object[] = [];
const nothing = () => undefined;
const log: Log = { debug: nothing, info: nothing, warn: (fields) => warned.push(fields), error: nothing };

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, { community: { commentsHiddenFromReaders: true } });
  root = await mkdtemp(join(tmpdir(), 'portico-documents-'));
  storage = await openDirectoryStorage(root);
  reader = new TextReader();
});
afterAll(async () => {
  reader?.close();
  await portal?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

const upload = async (user: number, data: string | Buffer) =>
  (await storeFile(await world.scope(user), storage, Buffer.from(data as string))).contentRef;

/** Runs all pending work of the worker. */
async function work(): Promise<void> {
  while ((await readTexts({ db: world.db, storage, reader, log, now: Date.now() })) > 0);
  while ((await indexDocuments(await world.scope(world.tenant.systemUserId))) > 0);
}

/** Returns the ids of the posts that a person finds by a text. */
async function find(user: number, containsText: string): Promise<number[]> {
  const page = await world.ok(user, 'POST', `posts/data/list/community/${world.communityId}`, {
    communityPostFilters: { containsText },
  });
  return page.items.map((item: { id: number }) => item.id);
}

describe('text of documents', () => {
  test('finds the post once it is read, follows versions and removal, and outlives edits of the post', async () => {
    const { people } = world;
    const contentRef = await upload(people.author, 'The quick zephyr');
    const postId = await world.post(people.author, { attachments: [{ name: 'a.txt', contentRef }] });
    expect(await find(people.reader, 'zephyr')).toEqual([]);
    await work();
    expect(await find(people.reader, 'ZEPHYR')).toEqual([postId]);
    // A query may combine words of the title and of the document.
    expect(await find(people.reader, 'post quick')).toEqual([postId]);
    const [edit] = await world.rows<{ occToken: number }>(
      'SELECT version AS "occToken" FROM posts WHERE tenant_id = $1 AND id = $2',
      [postId],
    );
    await world.ok(people.author, 'PUT', `posts/manage/edit-post/${postId}/${edit!.occToken}`, {
      title: 'Another title',
      description: 'Text',
      descriptionFormat: 2,
    });
    expect(await find(people.reader, 'zephyr another')).toEqual([postId]);
    const attachmentId = (
      await world.ok(people.author, 'POST', `attachments/data/posts/${postId}/attachments-list`, {})
    ).items[0].id;
    await world.ok(people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
      updateAttachments: [{ attachmentId, name: 'a.txt', contentRef: await upload(people.author, 'A slow monsoon') }],
    });
    await work();
    expect(await find(people.reader, 'zephyr')).toEqual([]);
    expect(await find(people.reader, 'monsoon')).toEqual([postId]);
    await world.ok(people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
      removeAttachmentIds: [attachmentId],
    });
    await work();
    expect(await find(people.reader, 'monsoon')).toEqual([]);
    expect(await find(people.reader, 'another')).toEqual([postId]);
  });

  test('is found by those who see the post, and texts of files on comments by nobody', async () => {
    const { people } = world;
    const postId = await world.post(people.author, {
      visibility: 1,
      attachments: [{ name: 'a.txt', contentRef: await upload(people.author, 'obsidian') }],
    });
    const openId = await world.post(people.author);
    await world.ok(people.contributor, 'POST', `posts/manage/create-comment/${openId}`, {
      comment: 'x',
      commentFormat: 2,
      attachments: [{ name: 'b.txt', contentRef: await upload(people.contributor, 'obsidian') }],
    });
    await work();
    expect(await find(people.author, 'obsidian')).toEqual([postId]);
    expect(await find(people.manager, 'obsidian')).toEqual([postId]);
    expect(await find(people.reader, 'obsidian')).toEqual([]);
  });

  test('is that of dates, sheets and mail, and never that of an encrypted document', async () => {
    const { people } = world;
    const sheet = zip({
      '[Content_Types].xml': '<Types/>',
      'xl/workbook.xml': '<workbook><sheets><sheet name="Halfyear"/></sheets></workbook>',
      'xl/styles.xml': '<styleSheet><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml': '<sheetData><row><c s="1"><v>45657</v></c></row></sheetData>',
    });
    const locked = zip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': '<text:p>ciphertext</text:p>',
      'META-INF/manifest.xml': '<m><file-entry full-path="content.xml"><encryption-data/></file-entry></m>',
    });
    const mail = 'From: =?utf-8?q?J=C3=B8rgen?= <j@example.test>\r\nSubject: Plan\r\nDate: now\r\n\r\nText';
    const files = { 'a.xlsx': sheet, 'b.odt': locked, 'c.eml': Buffer.from(mail) };
    const attachments = [];
    for (const [name, data] of Object.entries(files))
      attachments.push({ name, contentRef: await upload(people.author, data) });
    const postId = await world.post(people.author, { attachments });
    warned.length = 0;
    await work();
    expect(warned).toMatchObject([{ reason: 'the document is encrypted' }]);
    for (const text of ['2024-12-31', 'halfyear', 'jørgen'])
      expect(await find(people.reader, text), text).toEqual([postId]);
    expect(await find(people.reader, 'ciphertext')).toEqual([]);
    const readable = async (aiSupportedFilter: boolean) =>
      (
        await world.ok(people.author, 'POST', `attachments/data/posts/${postId}/attachments-list`, {
          aiSupportedFilter,
        })
      ).items
        .map(({ name }: { name: string }) => name)
        .sort();
    expect(await readable(true)).toEqual(['a.xlsx', 'c.eml']);
    expect(await readable(false)).toEqual(['b.odt']);
  });

  test('of broken and enormous documents is left alone, with a word to the operator', async () => {
    const { people } = world;
    const contentRef = await upload(people.author, '%PDF-1.4 and nothing else');
    const picture = await upload(people.author, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    await world.post(people.author, {
      attachments: [
        { name: 'a.pdf', contentRef },
        { name: 'b.png', contentRef: picture },
      ],
    });
    warned.length = 0;
    await work();
    expect(warned).toMatchObject([{ contentRef, reason: 'Invalid PDF structure.' }]);
    const states = await world.rows<{ ref: string; state: number }>(
      'SELECT content_ref AS ref, text_state AS state FROM file_contents WHERE tenant_id = $1 AND content_ref = ANY ($2)',
      [[contentRef, picture]],
    );
    expect(states.map((row) => row.state)).toEqual([0, 0]);
    expect(await indexDocuments(await world.scope(world.tenant.systemUserId))).toBe(0);
  });
});
