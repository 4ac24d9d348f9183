/**
 * Hostile files on their whole way: uploaded, attached, served, read for previews and for text. The
 * bytes come back as they went in, no browser runs them as the portal, failures are reported to the
 * operator, and nothing is left behind.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workOnFiles } from '../../../src/jobs/work-on-files.ts';
import type { Log } from '../../../src/kernel/scope.ts';
import { form, formType, send } from '../../support/file-server.ts';
import { createTestPortal, type TestPortal } from '../../support/portal.ts';
import { createTestWorld, type TestWorld } from '../../support/test-world.ts';
import * as documents from './documents.fixture.ts';
import * as pictures from './pictures.fixture.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

interface Case {
  name: string;
  /** Claimed name of the file. */
  fileName: string;
  make: () => Buffer | Promise<Buffer>;
  /** Detected media type. */
  mimeType: string;
  /** Whether a browser may show it in place, by its detected type. */
  shown: boolean;
  /** Expected previews: made, none for this kind, or none with a message to the operator. */
  previews: 'made' | 'none' | 'failed' | 'any';
  /** Expected text. */
  text: RegExp | 'none' | 'failed' | 'any';
}

const cases: readonly Case[] = [
  {
    name: 'a drawing with scripts',
    fileName: 'drawing.svg',
    make: pictures.scriptedSvg,
    mimeType: 'image/svg+xml',
    shown: false,
    previews: 'made',
    text: 'none',
  },
  {
    name: 'a drawing whose entities unfold',
    fileName: 'unfolding.svg',
    make: pictures.unfoldingSvg,
    mimeType: 'image/svg+xml',
    shown: false,
    previews: 'failed',
    text: 'none',
  },
  {
    name: 'a drawing that shows files of the server',
    fileName: 'reading.svg',
    make: pictures.readingSvg,
    mimeType: 'image/svg+xml',
    shown: false,
    previews: 'failed',
    text: 'none',
  },
  {
    name: 'a page that is called a picture',
    fileName: 'cat.png',
    make: documents.htmlPage,
    mimeType: 'text/html',
    shown: false,
    previews: 'none',
    text: 'none',
  },
  {
    name: 'a page in XML',
    fileName: 'cat.jpg',
    make: documents.xhtmlPage,
    mimeType: 'application/xhtml+xml',
    shown: false,
    previews: 'none',
    text: 'none',
  },
  {
    name: 'a page behind a long comment',
    fileName: 'notes.txt',
    make: documents.lateHtml,
    mimeType: 'text/html',
    shown: false,
    previews: 'none',
    text: 'none',
  },
  {
    name: 'a picture of 50,000 × 50,000 pixels',
    fileName: 'huge.png',
    make: () => pictures.hugePng(50_000),
    mimeType: 'image/png',
    shown: true,
    previews: 'failed',
    text: 'none',
  },
  {
    name: 'a picture that is cut off',
    fileName: 'cut.png',
    make: pictures.cutPng,
    mimeType: 'image/png',
    shown: true,
    previews: 'failed',
    text: 'none',
  },
  {
    name: 'a header and noise',
    fileName: 'noise.png',
    make: pictures.noisyPng,
    mimeType: 'image/png',
    shown: true,
    previews: 'failed',
    text: 'none',
  },
  {
    name: 'a GIF that is a program',
    fileName: 'both.js',
    make: pictures.gifScript,
    mimeType: 'image/gif',
    shown: true,
    previews: 'failed',
    text: 'none',
  },
  {
    name: 'a picture that is an archive',
    fileName: 'both.jar',
    make: pictures.jpegZip,
    mimeType: 'image/jpeg',
    shown: true,
    previews: 'made',
    text: 'none',
  },
  {
    name: 'a picture that is a page',
    fileName: 'both.html',
    make: pictures.jpegPage,
    mimeType: 'image/jpeg',
    shown: true,
    previews: 'made',
    text: 'none',
  },
  {
    name: 'a document that is a page',
    fileName: 'both.html',
    make: documents.pdfPage,
    mimeType: 'application/pdf',
    shown: true,
    previews: 'made',
    text: /^both$/,
  },
  {
    name: 'a document with scripts',
    fileName: 'launch.pdf',
    make: documents.scriptedPdf,
    mimeType: 'application/pdf',
    shown: true,
    previews: 'made',
    text: /^launching$/,
  },
  {
    name: 'a document that unpacks to gigabytes',
    fileName: 'bomb.pdf',
    make: documents.pdfBomb,
    mimeType: 'application/pdf',
    shown: true,
    previews: 'any',
    text: 'any',
  },
  {
    name: 'a document that is its own page',
    fileName: 'circle.pdf',
    make: documents.circularPdf,
    mimeType: 'application/pdf',
    shown: true,
    previews: 'failed',
    text: 'failed',
  },
  {
    name: 'a document that draws itself',
    fileName: 'self.pdf',
    make: documents.selfDrawingPdf,
    mimeType: 'application/pdf',
    shown: true,
    previews: 'any',
    text: 'any',
  },
  {
    name: 'a document with an enormous picture',
    fileName: 'poster.pdf',
    make: documents.pdfWithHugePicture,
    mimeType: 'application/pdf',
    shown: true,
    previews: 'any',
    text: 'none',
  },
  {
    name: 'an archive that unpacks to gigabytes',
    fileName: 'bomb.zip',
    make: documents.zipBomb,
    mimeType: 'application/zip',
    shown: false,
    previews: 'none',
    text: 'none',
  },
  {
    name: 'a letter that unpacks to gigabytes',
    fileName: 'bomb.docx',
    make: documents.docxBomb,
    mimeType: DOCX,
    shown: false,
    previews: 'none',
    text: 'failed',
  },
  {
    name: 'a letter that climbs out of its directory',
    fileName: 'climb.docx',
    make: documents.climbingDocx,
    mimeType: DOCX,
    shown: false,
    previews: 'none',
    text: 'failed',
  },
  {
    name: 'a letter with entities',
    fileName: 'entities.docx',
    make: documents.unfoldingDocx,
    mimeType: DOCX,
    shown: false,
    previews: 'none',
    text: /^seen &b; &c;$/,
  },
  {
    name: 'a letter that is cut off',
    fileName: 'cut.docx',
    make: documents.cutDocx,
    mimeType: DOCX,
    shown: false,
    previews: 'none',
    text: 'failed',
  },
];

describe('hostile files', () => {
  let portal: TestPortal;
  let world: TestWorld;
  const warned: { contentRef?: string; reason?: string }[] = [];
  const nothing = () => undefined;
  const log: Log = { debug: nothing, info: nothing, warn: (fields) => warned.push(fields), error: nothing };
  /** Directories of jobs: none may be left. */
  const workplaces = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('portico-file-'));
  let before: string[];
  /** A place of its own: other processes of the machine make and remove such directories meanwhile. */
  let place: string;
  const usual = process.env.TMPDIR;

  beforeAll(async () => {
    place = await mkdtemp(`${tmpdir()}/portico-hostile-`);
    process.env.TMPDIR = place;
    before = await workplaces();
    portal = await createTestPortal({ log });
    world = await createTestWorld(portal);
  });
  afterAll(async () => {
    await portal?.close();
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    await rm(place, { recursive: true, force: true, maxRetries: 10 });
  });

  const upload = async (data: Buffer, fileName: string): Promise<string> => {
    const { author } = world.people;
    const begun = await world.tenant.request(
      author,
      'POST',
      '/portal/api/external/v2/core/storage/upload-new-attachment',
    );
    expect(begun.status, begun.text).toBe(200);
    const answer = await send(`${portal.origin}${new URL(begun.body.uploadUrl).pathname}`, {
      method: 'POST',
      headers: { Host: world.tenant.host, 'Content-Type': formType },
      body: form(begun.body.uploadMultipartRequestBodyParams, data, fileName),
    });
    expect(answer.status, answer.bytes.toString()).toBe(204);
    return begun.body.contentRef;
  };
  const get = (link: string) =>
    send(`${portal.origin}${new URL(link).pathname}`, { headers: { Host: world.tenant.host } });
  const detailOf = async (postId: number) => {
    const path = `attachments/data/posts/${postId}/attachments-list?loadPreviewImageLink=true&loadPreviewImageAnimatedLink=true&loadPreviewImageHiResLink=true&loadPreviewImageHiResAnimatedLink=true`;
    return (await world.ok(world.people.reader, 'POST', path, {})).items[0];
  };
  const previewLinks = (item: Record<string, string>) =>
    Object.keys(item)
      .filter((key) => key.startsWith('temporaryContentPreview'))
      .map((key) => item[key] as string);

  it.each(cases)(
    '$name',
    async ({ fileName, make, mimeType, shown, previews, text }) => {
      const data = await make();
      const contentRef = await upload(data, fileName);
      const postId = await world.post(world.people.author, { attachments: [{ name: fileName, contentRef }] });
      const item = await detailOf(postId);
      expect(item).toMatchObject({ name: fileName, contentMimeType: mimeType, size: data.length });

      for (const link of [item.temporaryContentViewLink, item.temporaryContentDownloadLink]) {
        const served = await get(link);
        expect([served.status, served.bytes.equals(data)]).toEqual([200, true]);
        expect(served.headers['content-type']).toBe(mimeType);
        expect(served.headers['x-content-type-options']).toBe('nosniff');
        expect(served.headers['content-security-policy']).toMatch(/default-src 'none';.*; sandbox$/);
        const inPlace = shown && link === item.temporaryContentViewLink;
        expect(served.headers['content-disposition']).toMatch(inPlace ? /^inline; / : /^attachment; /);
      }

      warned.length = 0;
      await workOnFiles(portal.services, world.tenant.tenant);
      const [row] = await world.rows<{
        previews: number;
        previewsError: string;
        state: number;
        textError: string;
        text: string;
      }>(
        `SELECT f.previews, f.previews_error AS "previewsError", f.text_state AS state, f.text_error AS "textError", t.text
         FROM file_contents f LEFT JOIN file_texts t ON t.tenant_id = f.tenant_id AND t.content_ref = f.content_ref
        WHERE f.tenant_id = $1 AND f.content_ref = $2`,
        [contentRef],
      );
      const { previewsError, textError } = row!;
      if (previews === 'made') expect(row).toMatchObject({ previews: 5, previewsError: null });
      if (previews === 'none') expect(row).toMatchObject({ previews: 0, previewsError: null });
      if (previews === 'failed') expect(row).toMatchObject({ previews: 0, previewsError: expect.any(String) });
      if (text === 'none') expect(row).toMatchObject({ state: 0, textError: null, text: null });
      else if (text === 'failed') expect(row).toMatchObject({ state: 0, textError: expect.any(String), text: null });
      else if (text !== 'any')
        expect(row).toMatchObject({ state: 1, textError: null, text: expect.stringMatching(text) });
      // Every failure is reported, with its reason.
      const reasons = [previewsError, textError].filter((reason) => reason !== null);
      expect(warned.filter((line) => line.contentRef === contentRef).map((line) => line.reason)).toEqual(reasons);

      const found = await detailOf(postId);
      const links = previewLinks(found);
      expect(links.length).toBe([1, 2, 4, 8].filter((bit) => row!.previews & bit).length);
      for (const link of links) {
        const served = await get(link);
        // The picture shown is one that the server made.
        expect([served.status, served.headers['content-type'], served.bytes.toString('latin1', 8, 12)]).toEqual([
          200,
          'image/webp',
          'WEBP',
        ]);
        expect(served.bytes.includes('script')).toBe(false);
      }
      expect(await workplaces()).toEqual(before);
    },
    180_000,
  );

  it('names that climb, that are endless, that lie about their ending', async () => {
    const names: [given: string, kept: string | null, saved: RegExp][] = [
      ['../../../etc/passwd', 'passwd', /filename="passwd"$/],
      ['..\\..\\Windows\\win.ini', 'win.ini', /filename="win.ini"$/],
      ['/etc/passwd', 'passwd', /filename="passwd"$/],
      ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt', /filename="aSet-Cookie: x=1.txt"$/],
      ['a\u0000.txt', null, /^/],
      [
        'invoice\u202egnp.exe',
        'invoice\u202egnp.exe',
        /filename="invoice_gnp.exe"; filename\*=UTF-8''invoice%EF%BF%BDgnp.exe$/,
      ],
      ['x"; filename="y.html', 'x"; filename="y.html', /filename="x_; filename=_y.html"; filename\*=UTF-8''x%22%3B/],
      ['.htaccess', '.htaccess', /filename="htaccess"$/],
      [`${'ä'.repeat(120)}.txt`, `${'ä'.repeat(120)}.txt`, /filename\*=UTF-8''(%C3%A4){120}\.txt$/],
      ['..', null, /^/],
      ['n'.repeat(4_000), null, /^/],
      ['ä'.repeat(2_000), null, /^/],
    ];
    for (const [given, kept, saved] of names) {
      // Any name in the form is harmless.
      const contentRef = await upload(Buffer.from('text'), given.replaceAll(/[\r\n\0"]/g, '_'));
      const answer = await world.send(world.people.author, 'POST', `posts/manage/create-post/${world.communityId}`, {
        title: 'A post',
        description: 'Some text',
        descriptionFormat: 2,
        announcement: false,
        attachments: [{ name: given, contentRef }],
      });
      if (kept === null) {
        expect([answer.status, answer.body.validationErrors.list[0].field], given).toEqual([
          400,
          'attachments[0].name',
        ]);
        continue;
      }
      expect(answer.status, answer.text).toBe(200);
      const item = await detailOf(answer.body.postId);
      expect(item.name).toBe(kept);
      const served = await get(item.temporaryContentDownloadLink);
      expect(served.status).toBe(200);
      expect(served.headers['content-disposition'], given).toMatch(saved);
      expect(served.headers['set-cookie']).toBeUndefined();
    }
    const root = portal.services.config.filesDir;
    expect((await readdir(root)).sort()).toEqual(['incoming', 'removed', 'tenants']);
    expect(await readdir(`${root}/incoming`)).toEqual([]);
  });
});
