/** Pictures that are none, that are programs too, or that grow beyond all measure. */
import { randomBytes } from 'node:crypto';
import { crc32, createDeflate } from 'node:zlib';
import { zip } from '@portico/platform/files/zip.fixture';
import sharp from 'sharp';

/** A picture of one bit per pixel, all black: some hundred kilobytes that become gigabytes. @param side pixels */
export async function hugePng(side: number): Promise<Buffer> {
  const deflate = createDeflate();
  const packed: Buffer[] = [];
  deflate.on('data', (data: Buffer) => packed.push(data));
  const row = Buffer.alloc(Math.ceil(side / 8) + 1);
  const rows = Buffer.concat(Array.from({ length: 100 }, () => row));
  for (let done = 0; done < side; done += 100) {
    if (!deflate.write(rows)) await new Promise((resolve) => deflate.once('drain', resolve));
  }
  await new Promise<void>((resolve) => deflate.end(resolve));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const framed = Buffer.alloc(8);
    framed.writeUInt32BE(data.length, 0);
    framed.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([framed.subarray(0, 4), body, framed.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', Buffer.concat(packed)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

/** A sound picture cut off in the middle of its data. */
export async function cutPng(): Promise<Buffer> {
  const noise = sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } });
  return (await noise.png().toBuffer()).subarray(0, 50_000);
}

/** The header of a sound picture, and noise. */
export async function noisyPng(): Promise<Buffer> {
  return Buffer.concat([(await plain(100, 100).png().toBuffer()).subarray(0, 60), randomBytes(5_000)]);
}

/** A drawing that would run a script, on load and on a click. */
export const scriptedSvg = (): Buffer =>
  Buffer.from(
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" onload="alert(1)"><script>alert(document.domain)</script><a href="javascript:alert(2)"><rect width="20" height="10"/></a><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://example.org/"/></foreignObject></svg>',
  );

/** A drawing whose entities unfold to gigabytes. */
export function unfoldingSvg(): Buffer {
  const entities = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY b${index} "${(index === 0 ? '&a;' : `&b${index - 1};`).repeat(10)}">`,
  );
  return Buffer.from(
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1000)}">${entities.join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>&b8;</text></svg>`,
  );
}

/** A drawing of enormous size that shows a file of the server. */
export const readingSvg = (): Buffer =>
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99999999" height="99999999"><image xlink:href="file:///etc/passwd"/></svg>',
  );

/** Both a GIF, by its first bytes, and a program in JavaScript. */
export const gifScript = (): Buffer => Buffer.from('GIF89a/*\0\0*/=0;alert(document.domain)//');

/** Both a picture and an archive of a page. */
export async function jpegZip(): Promise<Buffer> {
  return Buffer.concat([
    await plain(60, 40).jpeg().toBuffer(),
    zip({ 'index.html': '<script>alert(1)</script>', 'META-INF/MANIFEST.MF': 'Main-Class: X' }),
  ]);
}

/** A picture whose comment is a page. */
export async function jpegPage(): Promise<Buffer> {
  const page = Buffer.from('<html><body><script>alert(document.domain)</script></body></html>');
  const comment = Buffer.from([0xff, 0xfe, 0, page.length + 2]);
  const picture = await plain(60, 40).jpeg().toBuffer();
  return Buffer.concat([picture.subarray(0, 2), comment, page, picture.subarray(2)]);
}
