import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileStorage, openDirectoryStorage, type PreviewKind, Renderer } from '@portico/platform/files';
import { onePage, pdf } from '@portico/platform/files/pdf.fixture';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hugePng } from '../../../../test/security/hostile-files/pictures.fixture.ts';
import { send, startFileServer } from '../../../../test/support/file-server.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/portal.ts';
import { fileLinks, type LinkedFile } from '../../../kernel/file-links.ts';
import type { Log, Scope } from '../../../kernel/scope.ts';
import { tables } from '../../tables.ts';
import { makePreviews } from './make-previews.ts';
import { removeUnattachedFiles } from './remove-unattached.ts';
import { type StoredFile, storeFile } from './store-file.ts';

const KINDS: readonly PreviewKind[] = ['preview', 'preview-animated', 'preview-hires', 'preview-hires-animated'];

/** A TIFF of grey pages, as wide as high. @param sides of each page. Pixels */
function tiffOf(sides: readonly number[]): Buffer {
  const entry = (tag: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(4, 2);
    bytes.writeUInt32LE(1, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  let file = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  for (const [index, side] of sides.entries()) {
    const tags = [256, 257, 258, 259, 262, 273, 277, 278, 279];
    const pixels = file.length + 2 + tags.length * 12 + 4;
    const values = [side, side, 8, 1, 1, pixels, 1, side, side * side];
    const count = Buffer.from([tags.length, 0]);
    const next = Buffer.alloc(4);
    if (index < sides.length - 1) next.writeUInt32LE(pixels + side * side);
    const entries = tags.map((tag, place) => entry(tag, values[place]!));
    file = Buffer.concat([file, count, ...entries, next, Buffer.alloc(side * side, 128)]);
  }
  return file;
}

describe('previews', () => {
  let portal: TestPortal;
  let tenant: TestTenant;
  let root: string;
  let storage: FileStorage;
  let app: FastifyInstance;
  let origin: string;
  let scope: Scope;
  let renderer: Renderer;
  const warned: object[] = [];
  const nothing = () => undefined;
  const log: Log = { debug: nothing, info: nothing, warn: (fields) => warned.push(fields), error: nothing };

  beforeAll(async () => {
    portal = await createTestPortal();
    tenant = await portal.createTenant();
    root = await mkdtemp(join(tmpdir(), 'portico-previews-'));
    storage = await openDirectoryStorage(root);
    ({ app, origin } = await startFileServer(portal.services, storage));
    scope = { ...(await tenant.scope(await tenant.createUser())), baseUrl: origin };
    renderer = new Renderer();
  });
  afterAll(async () => {
    renderer.close();
    await app.close();
    await portal.close();
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  });

  const work = async (using = renderer) => {
    for (let looked = 1; looked > 0; )
      looked = await makePreviews({ db: scope.db, storage, renderer: using, log, now: Date.now() });
  };
  const store = async (data: Buffer) => storeFile(scope, storage, data);
  const state = async (file: StoredFile) => {
    const [row] = await scope.db.query<{ previews: number | null; error: string | null }>(
      'SELECT previews, previews_error AS error FROM file_contents WHERE tenant_id = $1 AND content_ref = $2',
      [scope.tenant.id, file.contentRef],
    );
    return row!;
  };
  const get = (url: string) => send(url, { headers: { Host: tenant.host } });
  const link = (file: LinkedFile, kind: PreviewKind) => fileLinks(scope).preview(file, kind);
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });
  const movingGif = async () => {
    const frames = await Promise.all(
      ['red', 'green', 'blue'].map((background) =>
        sharp({ create: { width: 600, height: 300, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    return sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
  };

  it('are small and large pictures of a picture', async () => {
    const file = await store(await picture(2_000, 1_000).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    expect(await state(file)).toEqual({ previews: null, error: null });
    // Until the job has run, the picture itself is served.
    const before = await get(link(file, 'preview')!);
    expect([before.status, before.headers['content-type']]).toEqual([200, 'image/jpeg']);
    await work();
    const { previews } = await state(file);
    expect(previews).toBe(1 | 4);
    const small = await get(link({ ...file, previews }, 'preview')!);
    expect([small.status, small.headers['content-type'], small.headers['content-disposition']]).toEqual([
      200,
      'image/webp',
      'inline',
    ]);
    // Rotated as the camera was held.
    expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'webp', width: 200, height: 400 });
    const large = await get(link({ ...file, previews }, 'preview-hires')!);
    expect(await sharp(large.bytes).metadata()).toMatchObject({ width: 800, height: 1_600 });
    expect(link({ ...file, previews }, 'preview-animated')).toBeUndefined();
    expect((await sharp(small.bytes).metadata()).exif).toBeUndefined();
  });

  it('move where the picture moves', async () => {
    const file = await store(await movingGif());
    await work();
    const { previews } = await state(file);
    expect(previews).toBe(15);
    for (const [kind, pages, width] of [
      ['preview', undefined, 400],
      ['preview-animated', 3, 400],
      ['preview-hires', undefined, 600],
      ['preview-hires-animated', 3, 600],
    ] as const) {
      const answer = await get(link({ ...file, previews }, kind)!);
      const found = await sharp(answer.bytes).metadata();
      expect([found.pages, found.width], kind).toEqual([pages, width]);
    }
    const still = await store(await picture(50, 50).gif().toBuffer());
    await work();
    expect((await state(still)).previews).toBe(1 | 4);
    expect((await sharp((await get(link(still, 'preview')!)).bytes).metadata()).width).toBe(50);
  });

  it('are pictures of drawings too, never the drawing itself', async () => {
    const svg = await store(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><script>alert(1)</script><rect width="20" height="10"/></svg>',
      ),
    );
    expect(link(svg, 'preview')).toBeUndefined();
    expect((await get(`${link({ ...svg, previews: 1 }, 'preview')}`)).status).toBe(404);
    await work();
    const answer = await get(link({ ...svg, previews: (await state(svg)).previews }, 'preview')!);
    expect(answer.headers['content-type']).toBe('image/webp');
  });

  it('are pictures of the first page of a PDF, drawn on white', async () => {
    const file = await store(
      onePage('1 0 0 rg 0 396 306 396 re f BT 0 g /F1 40 Tf 100 100 Td (Hello) Tj ET', { mediaBox: '[0 0 612 792]' }),
    );
    // A document never replaces its own preview.
    expect(KINDS.map((kind) => link(file, kind))).toEqual([undefined, undefined, undefined, undefined]);
    await work();
    expect(await state(file)).toEqual({ previews: 1 | 4, error: null });
    const small = await get(link({ ...file, previews: 5 }, 'preview')!);
    expect([small.status, small.headers['content-type']]).toEqual([200, 'image/webp']);
    const large = await get(link({ ...file, previews: 5 }, 'preview-hires')!);
    const { data, info } = await sharp(large.bytes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([1237, 1600]);
    const pixel = (x: number, y: number) => {
      const at = (Math.round(y * info.height) * info.width + Math.round(x * info.width)) * info.channels;
      return [...data.subarray(at, at + 3)].map((value) => Math.round(value / 255));
    };
    expect(pixel(0.25, 0.25)).toEqual([1, 0, 0]);
    expect(pixel(0.75, 0.25)).toEqual([1, 1, 1]);
    // The text is present: the reader supplies fonts that a document does not embed.
    const text = await sharp(large.bytes).extract({ left: 200, top: 1300, width: 300, height: 120 }).stats();
    expect(text.channels[0]!.min).toBeLessThan(60);
    const strip = await store(onePage('0 g 0 0 9 9 re f', { mediaBox: '[0 0 14400 1]' }));
    await work();
    expect(await state(strip)).toEqual({ previews: 1 | 4, error: null });
  });

  it('are not made of documents that cannot be read or grow beyond all measure', async () => {
    const hostile: [string, Buffer][] = [
      ['nothing behind the header', Buffer.from('%PDF-1.7\nnothing')],
      ['no page', pdf({ 1: '<< /Type /Catalog /Pages 2 0 R >>', 2: '<< /Type /Pages /Kids [] /Count 0 >>' })],
      [
        'a page that is its own parent',
        pdf({ 1: '<< /Type /Catalog /Pages 2 0 R >>', 2: '<< /Type /Pages /Kids [2 0 R] /Count 1 >>' }),
      ],
    ];
    for (const [name, data] of hostile) {
      const file = await store(data);
      warned.length = 0;
      await work();
      expect(await state(file), name).toMatchObject({ previews: 0, error: expect.any(String) });
      expect(warned, name).toMatchObject([{ contentRef: file.contentRef }]);
    }
    const bomb = await store(onePage(Buffer.alloc(300 << 20, 'q ')));
    const tight = new Renderer({ memoryBytes: 512 * 1024 ** 2 });
    await work(tight);
    tight.close();
    expect(await state(bomb)).toMatchObject({ previews: 0, error: expect.stringMatching(/memory|ms/) });
  });

  it('are not made of bombs and broken files, which harm nothing', async () => {
    const sound = await picture(100, 100).png().toBuffer();
    const hostile: [string, Buffer][] = [
      ['50,000 × 50,000 pixels', await hugePng(50_000)],
      [
        'cut off',
        (
          await sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
            .png()
            .toBuffer()
        ).subarray(0, 50_000),
      ],
      ['a header and noise', Buffer.concat([sound.subarray(0, 60), randomBytes(5_000)])],
      ['GIF that is a script', Buffer.from('GIF89a=0;alert(1)//')],
      [
        'endless entities',
        Buffer.from(
          `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1000)}">${Array.from({ length: 9 }, (_, index) => `<!ENTITY b${index} "${(index === 0 ? '&a;' : `&b${index - 1};`).repeat(10)}">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>&b8;</text></svg>`,
        ),
      ],
      [
        'drawing that reads files',
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99999999" height="99999999"><image xlink:href="file:///etc/passwd"/></svg>',
        ),
      ],
    ];
    for (const [name, data] of hostile) {
      const file = await store(data);
      warned.length = 0;
      await work();
      expect(await state(file), name).toMatchObject({ previews: 0, error: expect.any(String) });
      expect(warned, name).toMatchObject([{ contentRef: file.contentRef }]);
      for (const kind of KINDS) {
        expect(link({ ...file, previews: 0 }, kind)).toBeUndefined();
        const unchecked = link(file, kind);
        if (unchecked) expect((await get(unchecked)).status).toBe(404);
      }
    }
    const fine = await store(await picture(10, 10).webp().toBuffer());
    await work();
    expect((await state(fine)).previews).toBe(1 | 4);
  });

  it('are given up when they take too long or too much, and the next file gets its own', async () => {
    const file = await store(await picture(5_000, 5_000).png().toBuffer());
    const slow = new Renderer({ jobMs: 1 });
    await work(slow);
    slow.close();
    expect((await state(file)).error).toContain('1 ms');
    const heavy = await store(await picture(5_001, 5_000).png().toBuffer());
    const tight = new Renderer({ memoryBytes: 1 });
    await work(tight);
    tight.close();
    expect((await state(heavy)).error).toContain('more memory');
    const next = await store(await picture(20, 20).png().toBuffer());
    await work();
    expect((await state(next)).previews).toBe(1 | 4);
  });

  it('are no failure where some could be made, as of a picture whose pages differ in size', async () => {
    const file = await store(tiffOf([40, 20]));
    warned.length = 0;
    await work();
    expect(await state(file)).toEqual({ previews: 1 | 4, error: null });
    expect(warned).toEqual([]);
  });

  it('are made of AVIF pictures, which are told by any of their brands', async () => {
    const sound = await picture(60, 30).avif().toBuffer();
    for (const brand of ['avif', 'avis', 'avio', 'mif1', 'miaf', 'MA1A', 'MA1B']) {
      const file = await store(Buffer.concat([sound.subarray(0, 8), Buffer.from(brand), sound.subarray(12)]));
      expect(file.mimeType, brand).toBe('image/avif');
      // The decoder takes others for sequences, which it does not read.
      if (brand !== 'avif' && brand !== 'mif1') continue;
      await work();
      expect([brand, await state(file)]).toEqual([brand, { previews: 1 | 4, error: null }]);
    }
  });

  it('need no look at other files, and no bytes that the disk has lost', async () => {
    const text = await store(Buffer.from('text'));
    expect(await state(text)).toEqual({ previews: 0, error: null });
    const lost = await store(await picture(30, 30).png().toBuffer());
    await storage.deleteOlderThan(lost.storageKey, Date.now() + 60_000);
    await work();
    expect(await state(lost)).toMatchObject({ previews: 0, error: expect.stringContaining('holds no file') });
  });

  it('are made once by several nodes, and go with their file', async () => {
    const files = await Promise.all(
      Array.from({ length: 6 }, async (_, index) =>
        store(
          await picture(40 + index, 40)
            .png()
            .toBuffer(),
        ),
      ),
    );
    const second = new Renderer();
    await Promise.all([work(), work(second)]);
    second.close();
    for (const file of files) expect((await state(file)).previews).toBe(1 | 4);
    const keys = async () => {
      const found: string[] = [];
      for await (const some of storage.list(scope.tenant.id)) found.push(...some);
      return found;
    };
    expect((await keys()).length).toBeGreaterThan(6);
    await removeUnattachedFiles(scope.db, { storage, tables }, Date.now() + 48 * 3_600_000);
    expect(await keys()).toEqual([]);
  });
});
