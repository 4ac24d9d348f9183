/** Text that a document has beside its body, and documents that hide it. */
import * as CFB from 'cfb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeXString, encodeXString } from '../../text/index.ts';
import { SHEET, WORD } from '../kinds.ts';
import { onePage } from '../pdf.fixture.ts';
import { zip } from '../zip.fixture.ts';
import { ENCRYPTED } from './encrypted.ts';
import { extractText } from './extract-text.ts';

const XLSX = `${SHEET}.sheet`;
const DOCX = `${WORD}.document`;
const ODT = 'application/vnd.oasis.opendocument.text';

/** A workbook of one sheet. @param date1904 the attribute of the workbook, as programs write it */
const workbook = (cells: string, { formats = '', styles = '', date1904 = '', more = {} } = {}) =>
  zip({
    'xl/workbook.xml': `<x:workbook><x:workbookPr${date1904}/><x:sheets><x:sheet name="Q1 &amp; Q2_x0021_"/></x:sheets></x:workbook>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf/>${styles}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<x:sheetData><x:row>${cells}</x:row></x:sheetData>`,
    ...more,
  });
const cell = (value: string, style = 1) => `<x:c r="A1" s="${style}"><x:v>${value}</x:v></x:c>`;
const builtIn = (id: number) => `<xf numFmtId="${id}"/>`;
const own = (code: string) => ({ formats: `<numFmt numFmtId="164" formatCode="${code}"/>`, styles: builtIn(164) });

describe('the text of workbooks', () => {
  it.each([
    ['a built-in format', '45351', { styles: builtIn(14) }, '2024-02-29'],
    ['a date with a time', '45351.5', { styles: builtIn(22) }, '2024-02-29 12:00:00'],
    ['a format of its own', '45351', own('dd\\.mm\\.yyyy;@'), '2024-02-29'],
    ['a month and a year', '45352', own('[$-407]mmm\\ yy'), '2024-03-01'],
    ['the system of 1904', '43889', { styles: builtIn(14), date1904: ' date1904="1"' }, '2024-02-29'],
    ['the system of 1904 in words', '0', { styles: builtIn(14), date1904: " date1904='true'" }, '1904-01-01'],
    ['a time alone', '0.75', { styles: builtIn(20) }, '18:00'],
    ['more than a day of hours', '1.5', { styles: builtIn(46) }, '36:00:00'],
    ['a number', '45351', { styles: builtIn(4) }, '45351'],
    ['a number beside the word day', '3', own('&quot;day&quot; 0'), '3'],
    ['a number that is no date', '99999999', { styles: builtIn(14) }, '99999999'],
    ['the last second', '2958465.99998843', { styles: builtIn(22) }, '9999-12-31 23:59:59'],
  ])('shows %s', async (_, value, options, expected) => {
    expect(await extractText(XLSX, workbook(cell(value), options))).toBe(`Q1 & Q2!\n${expected}`);
  });

  it('holds comments, with escapes decoded, and no names of their authors', async () => {
    const more = {
      'xl/comments1.xml':
        '<comments><authors><author>Zoe</author></authors><commentList><comment><text><r><t>see _x005F_x0041_</t></r></text></comment></commentList></comments>',
      'xl/threadedComments/threadedComment1.xml':
        '<ThreadedComments><threadedComment><text>reply</text></threadedComment></ThreadedComments>',
    };
    const inline = '<x:c t="inlineStr"><x:is><x:t>a_x000D_b</x:t></x:is></x:c>';
    const text = await extractText(XLSX, workbook(inline, { more }));
    expect(text).toBe('Q1 & Q2!\nsee _x0041_\nreply\na\nb');
  });

  it('holds any text that was escaped for it', () => {
    const piece = fc.oneof(fc.constantFrom('_', 'x', '_x0041_', 'x005F_', 'a', '😀'), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(decodeXString(encodeXString(pieces.join('')))).toBe(pieces.join(''));
      }),
    );
  });
});

describe('comments', () => {
  it('are text in DOCX, ODT and PDF', async () => {
    const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const docx = zip({ 'word/document.xml': paragraph('body'), 'word/comments.xml': paragraph('remark') });
    expect((await extractText(DOCX, docx)).split('\n').toSorted()).toEqual(['body', 'remark']);
    const note = '<office:annotation><dc:creator>Zoe</dc:creator><text:p>remark</text:p></office:annotation>';
    const odt = zip({ mimetype: ODT, 'content.xml': `<text:p>body${note}</text:p>` });
    expect((await extractText(ODT, odt)).split('\n')).toEqual(['body', 'remark']);
    const pdf = onePage('BT /F1 12 Tf 10 10 Td (body) Tj ET', {
      page: '/Annots [<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (remark) >>]',
    });
    expect(await extractText('application/pdf', pdf)).toBe('body\nremark');
  });
});

describe('the text of mail', () => {
  const header = `From: =?UTF-8?Q?J=C3=B8rn?= <jorn@example.test>\r\nTo: Ada <ada@example.test>\r\nSubject: =?iso-8859-1?B?Q2Fm6Q==?=\r\nDate: Mon, 1 Jan 2024 10:00:00 +0100\r\nMIME-Version: 1.0\r\n`;

  it('is decoded, without the bytes of attachments', async () => {
    const bytes = Buffer.alloc(3_000, 7).toString('base64');
    const mail = `${header}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nTr=E8s bien\r\n--b\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename="plan.png"\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes}\r\n--b--\r\n`;
    const text = await extractText('message/rfc822', Buffer.from(mail));
    for (const part of ['Café', 'Jørn', 'jorn@example.test', 'Ada', '2024-01-01', 'Très bien', 'plan.png'])
      expect(text).toContain(part);
    expect(text.length).toBeLessThan(200);
  });

  it('is that of its page where it has no other', async () => {
    const mail = `${header}Content-Type: text/html; charset=utf-8\r\n\r\n<html><head><style>p{}</style></head><BODY><p>caf&eacute; &euro; <b>5</b><br>more</p></BODY></html>\r\n`;
    expect(await extractText('message/rfc822', Buffer.from(mail))).toMatch(/café € 5\nmore$/);
  });
});

/** A compound file of these streams. */
function compound(streams: Record<string, Buffer>): Buffer {
  const file = CFB.utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, bytes);
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array);
}
const word = (flags: number) => {
  const stream = Buffer.alloc(64);
  stream.writeUInt16LE(0xa5ec, 0);
  stream.writeUInt16LE(flags, 10);
  return stream;
};
const sheet = (...records: number[]) =>
  Buffer.concat(
    records.map((record) => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt16LE(record, 0);
      bytes.writeUInt16LE(4, 2);
      return bytes;
    }),
  );
const slides = (token: number) => {
  const stream = Buffer.alloc(32);
  stream.writeUInt32LE(token, 12);
  return stream;
};
const manifest = (path: string) =>
  `<m:manifest><m:file-entry m:full-path="${path}"><m:encryption-data/></m:file-entry></m:manifest>`;
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
const open = (path: string) => zip({ 'content.xml': '<text:p>x</text:p>', 'META-INF/manifest.xml': manifest(path) });
/** The mark of an archive whose entries have a password, in both headers of the only entry. */
const withPassword = (archive: Buffer) => {
  archive.writeUInt16LE(archive.readUInt16LE(6) | 1, 6);
  const central = archive.indexOf('PK\x01\x02', 0, 'latin1');
  archive.writeUInt16LE(archive.readUInt16LE(central + 8) | 1, central + 8);
  return archive;
};

describe('an encrypted document', () => {
  const [DOC, XLS, PPT] = ['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'];
  const OLE = 'application/x-ole-storage';
  it.each<[string, string, Buffer, Buffer]>([
    ['ODT', ODT, open('content.xml'), open('Basic/Standard/Module1.xml')],
    ['ODT as a whole', ODT, open('encrypted-package'), open('Pictures/1.png')],
    ['ODS', ODS, open('content.xml'), open('settings.xml')],
    ['DOC', DOC, compound({ WordDocument: word(0x0100) }), compound({ WordDocument: word(0x0200) })],
    ['XLS', XLS, compound({ Workbook: sheet(0x809, 0x2f) }), compound({ Workbook: sheet(0x809, 0x0a, 0x2f) })],
    ['PPT', PPT, compound({ 'Current User': slides(0xf3d1c4df) }), compound({ 'Current User': slides(0xe391c05f) })],
    ['DOCX, XLSX or PPTX', OLE, compound({ EncryptedPackage: Buffer.alloc(99) }), compound({ Other: Buffer.alloc(9) })],
    [
      'DOCX in an archive with a password',
      DOCX,
      withPassword(zip({ 'word/document.xml': '<w:t>x</w:t>' })),
      zip({ 'word/document.xml': '<w:t>x</w:t>' }),
    ],
  ])('is recognised: %s', async (_, type, encrypted, clear) => {
    await expect(extractText(type, encrypted)).rejects.toThrow(ENCRYPTED);
    expect(['', 'x']).toContain(await extractText(type, clear));
  });
});
