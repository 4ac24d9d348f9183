import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sniffMimeType } from './index.ts';
import { isShownInPlace } from './kinds.ts';

const of = (data: Buffer) =>
  sniffMimeType({ size: data.length, read: async (start, length) => data.subarray(start, start + length) });
const bytes = (text: string) => Buffer.from(text, 'latin1');

/** A zip archive; local headers, then the directory of entries. */
function zip(entries: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, content] of Object.entries(entries)) {
    const stored = name === 'mimetype';
    const data = stored ? Buffer.from(content) : deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    local.writeUInt16LE(stored ? 0 : 8, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    locals.push(local, Buffer.from(name), data);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    directory.push(central, Buffer.from(name));
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  return Buffer.concat([...locals, ...directory, end]);
}

function compound(stream: string): Buffer {
  const file = Buffer.alloc(512 * 3);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  for (const [index, name] of ['Root Entry', stream].entries()) {
    file.write(name, 1024 + index * 128, 'utf16le');
    file.writeUInt16LE((name.length + 1) * 2, 1024 + index * 128 + 64);
  }
  return file;
}

function webm(doctype: string): Buffer {
  return Buffer.concat([bytes('\x1aE\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88'), bytes(doctype)]);
}

function frames(header: number[], length: number): Buffer {
  const file = Buffer.alloc(length * 2 + 8);
  Buffer.from(header).copy(file);
  Buffer.from(header).copy(file, length);
  return file;
}

const wordXml = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('kind of a file by its bytes', () => {
  const cases: [string, Buffer, string][] = [
    ['png', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'image/png'],
    ['jpeg', bytes('\xff\xd8\xff\xe0\0\x10JFIF'), 'image/jpeg'],
    ['gif', bytes('GIF89a\x01\0\x01\0'), 'image/gif'],
    ['webp', bytes('RIFF\x24\0\0\0WEBPVP8 '), 'image/webp'],
    ['wav', bytes('RIFF\x24\0\0\0WAVEfmt '), 'audio/wav'],
    ['avi', bytes('RIFF\x24\0\0\0AVI LIST'), 'video/x-msvideo'],
    ['bmp', Buffer.concat([bytes('BM'), Buffer.alloc(12), Buffer.from([40, 0, 0, 0]), Buffer.alloc(36)]), 'image/bmp'],
    ['tiff', bytes('II*\0\x08\0\0\0'), 'image/tiff'],
    ...['avif', 'avis', 'avio', 'MA1A', 'MA1B'].flatMap((brand): [string, Buffer, string][] => [
      [`avif by its major brand ${brand}`, bytes(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1miaf`), 'image/avif'],
      [`avif by its compatible brand ${brand}`, bytes(`\0\0\0\x1cftypmif1\0\0\0\0miaf${brand}MiHB`), 'image/avif'],
      [`avif of a general file, ${brand}`, bytes(`\0\0\0\x18ftypisom\0\0\0\0mp42${brand}`), 'image/avif'],
    ]),
    ['heic', bytes('\0\0\0\x18ftypmif1\0\0\0\0mif1heic'), 'image/heic'],
    ['heif of JPEG', bytes('\0\0\0\x18ftypjpeg\0\0\0\0jpegmif1'), 'image/heif'],
    ['heif by a compatible brand', bytes('\0\0\0\x18ftypisom\0\0\0\0mp42miaf'), 'image/heif'],
    ['heif with a long list', bytes(`\0\0\x04\0ftypxxxx\0\0\0\0${'abcd'.repeat(251)}vvic`), 'image/heif'],
    ['heic of several layers', bytes('\0\0\0\x14ftyphevm\0\0\0\0hevm'), 'image/heic'],
    ['heif with a long size', bytes(`\0\0\0\x01ftyp${'\0'.repeat(7)}\x20evbi\0\0\0\0mif2abcd`), 'image/heif'],
    ['mail', bytes('From: a@example.test\r\nSubject: x\r\n\r\nText'), 'message/rfc822'],
    ['mail with bytes', bytes('Received: by x\n\tfor y\nMessage-ID: <1@x>\nFrom: \xe9\n\n\0\xff'), 'message/rfc822'],
    ['a text with one such line', bytes('From: the office\n\nSubject: x\n'), 'text/plain'],
    ['a text that goes on', bytes('From: the office\nSubject: x\nand so on\n'), 'text/plain'],
    ['mp4', bytes('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41'), 'video/mp4'],
    ['mov', bytes('\0\0\0\x14ftypqt  \0\0\0\0qt  '), 'video/quicktime'],
    ['m4a', bytes('\0\0\0\x14ftypM4A \0\0\0\0M4A '), 'audio/mp4'],
    ['webm', webm('webm'), 'video/webm'],
    ['mkv', webm('matroska'), 'video/x-matroska'],
    ['ogg sound', bytes(`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead`), 'audio/ogg'],
    ['ogg video', bytes(`OggS\0\x02${'\0'.repeat(20)}\x01\x2a\x80theora`), 'video/ogg'],
    ['mp3 with tags', bytes('ID3\x03\0\0\0\0\0\0'), 'audio/mpeg'],
    ['mp3 without', frames([0xff, 0xfb, 0x90, 0x00], 417), 'audio/mpeg'],
    ['flac', bytes('fLaC\0\0\0\x22'), 'audio/flac'],
    ['pdf', bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'), 'application/pdf'],
    ['pdf after junk', bytes('\r\n\r\n%PDF-1.4\n'), 'application/pdf'],
    ['zip', zip({ 'a.txt': 'a' }), 'application/zip'],
    ['empty zip', bytes(`PK\x05\x06${'\0'.repeat(18)}`), 'application/zip'],
    ['docx', zip({ '[Content_Types].xml': '<Types/>', '_rels/.rels': '', 'word/document.xml': '<w/>' }), wordXml],
    ['zip with a folder word', zip({ 'word/a.txt': 'a' }), 'application/zip'],
    [
      'odt',
      zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '' }),
      'application/vnd.oasis.opendocument.text',
    ],
    ['epub', zip({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '' }), 'application/epub+zip'],
    ['jar', zip({ 'META-INF/MANIFEST.MF': '' }), 'application/java-archive'],
    ['doc', compound('WordDocument'), 'application/msword'],
    ['xls', compound('Workbook'), 'application/vnd.ms-excel'],
    ['gzip', gzipSync('x'), 'application/gzip'],
    [
      'tar',
      Buffer.concat([Buffer.from('a.txt'.padEnd(257, '\0')), Buffer.from('ustar\0'), Buffer.alloc(249)]),
      'application/x-tar',
    ],
    ['rtf', bytes('{\\rtf1\\ansi hello}'), 'application/rtf'],
    ['text', Buffer.from('Perché no? Così va bene.\n'), 'text/plain'],
    [
      'text that begins like an image',
      Buffer.from('BMW is a car maker, and this is a text about it, long enough.'),
      'text/plain',
    ],
    [
      'text that begins like a program',
      Buffer.from('MZ was the initials of somebody, and this is a text about him, long enough to be one.'),
      'text/plain',
    ],
    ['text in Latin-1', Buffer.from('Perché no? Così va bene.\n', 'latin1'), 'text/plain'],
    ['text in UTF-16', Buffer.from('\ufeffhello', 'utf16le'), 'text/plain'],
    ['text cut within a character', Buffer.from('é'.repeat(40_000)), 'text/plain'],
    ['json', Buffer.from(' {"a": [1, 2]}'), 'application/json'],
    ['not quite json', Buffer.from('{"a": [1, 2]'), 'text/plain'],
    ['xml', Buffer.from('<?xml version="1.0"?><a/>'), 'text/xml'],
    ['calendar', Buffer.from('BEGIN:VCALENDAR\r\n'), 'text/calendar'],
    ['html', Buffer.from('  <!-- x --><!DOCTYPE html>\n<p>hi'), 'text/html'],
    ['html without a type', Buffer.from('<script>alert(1)</script>'), 'text/html'],
    ['html in UTF-16', Buffer.from('\ufeff<html><body>', 'utf16le'), 'text/html'],
    [
      'xhtml',
      Buffer.from('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
      'application/xhtml+xml',
    ],
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'image/svg+xml'],
    [
      'svg after a prolog',
      Buffer.from('\ufeff<?xml version="1.0"?><!-- a --><!DOCTYPE svg [<!ENTITY a "b>">]><svg:svg/>'),
      'image/svg+xml',
    ],
    ['nothing', Buffer.alloc(0), 'application/octet-stream'],
    ['zeros', Buffer.alloc(5_000), 'application/octet-stream'],
    [
      'program',
      Buffer.concat([bytes('MZ\x90\0\x03'), Buffer.alloc(100)]),
      'application/vnd.microsoft.portable-executable',
    ],
  ];
  it.each(cases)('%s', async (_name, data, expected) => {
    expect(await of(data)).toBe(expected);
  });

  it('finds the parts of an office document behind a large first entry', async () => {
    const filler = Buffer.alloc(200_000, 1).toString('latin1');
    const data = zip({ mimetype: filler, '[Content_Types].xml': '', 'xl/workbook.xml': '' });
    expect(await of(data)).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  });

  it('never fails, and takes time in proportion, whatever the bytes', async () => {
    const begins = [
      '',
      'PK\x03\x04',
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
      '\0\0\xff\xffftyp',
      '<!--',
      '<?xml ',
      '<!DOCTYPE svg [',
      '\xff\xfb',
      '\xff\xf1',
      'BM',
      'MZ',
      'RIFF',
      'OggS',
      '<html ',
    ].map(bytes);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...begins), fc.uint8Array({ maxLength: 700 }), async (begin, rest) => {
        expect(await of(Buffer.concat([begin, rest]))).toMatch(/^[a-z]+\/[\w.+-]+$/);
      }),
      { numRuns: 500 },
    );
    for (const piece of ['<!---->', '<!--', '<?', '<html', '<svg', ' ', '{', 'PK\x03\x04', '<!doctype x [']) {
      await of(Buffer.from(piece.repeat(20_000)));
      await of(Buffer.concat([bytes('<?xml '), Buffer.from(piece.repeat(20_000))]));
    }
  });

  it('shows nothing in place that a browser could run', () => {
    for (const runs of [
      'text/html',
      'application/xhtml+xml',
      'image/svg+xml',
      'text/xml',
      'application/xml',
      'text/javascript',
      'application/wasm',
      'application/octet-stream',
      'text/calendar',
    ]) {
      expect(isShownInPlace(runs), runs).toBe(false);
    }
    for (const shown of ['image/png', 'video/mp4', 'audio/mpeg', 'application/pdf', 'text/plain'])
      expect(isShownInPlace(shown), shown).toBe(true);
  });
});
