import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXTRACTABLE_PATTERNS } from '../kinds.ts';
import { extractText, MAX_TEXT_LENGTH } from './extract-text.ts';

const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ODT = 'application/vnd.oasis.opendocument.text';

/** A zip archive as office programs write it. */
export function zip(entries: Record<string, string | Buffer>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const data = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(crc32(content), 14);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), data);
    directory.push(central, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + data.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const stream = (dict: string, data: Buffer) =>
  Buffer.concat([Buffer.from(`<< ${dict} /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')]);

/** A PDF of numbered objects. */
function pdf(objects: Record<number, string | Buffer>, trailer = '<< /Root 1 0 R >>'): Buffer {
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...Object.entries(objects).flatMap(([number, body]) => [
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(body as string),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from(`trailer ${trailer}\n%%EOF`),
  ]);
}

/** A PDF of one page with one font. */
function page(
  content: string,
  font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  more: Record<number, string | Buffer> = {},
) {
  return pdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R >> >> >>',
    3: '<< /Type /Page /Parent 2 0 R /Contents [4 0 R] >>',
    4: stream('/Filter /FlateDecode', deflateSync(Buffer.from(content, 'latin1'))),
    5: font,
    ...more,
  });
}

describe('text of documents', () => {
  it('is read from DOCX', () => {
    const document = `<?xml version="1.0"?><w:document><w:body><w:p><w:r><w:t>Perch&#233; no?</w:t></w:r><w:r><w:tab/><w:t xml:space="preserve"> A &amp; B</w:t></w:r></w:p>
      <w:p><w:r><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText><w:t>second</w:t><w:t/></w:r></w:p></w:body></w:document>`;
    const data = zip({
      '[Content_Types].xml': '',
      'word/document.xml': document,
      'word/footnotes.xml': '<w:p><w:t>note</w:t></w:p>',
      'word/styles.xml': '<w:t>style</w:t>',
    });
    expect(extractText(DOCX, data)).toBe('Perché no? A & B\nsecond\nnote');
  });

  it('is read from ODT', () => {
    const content =
      '<office:document-content><office:body><text:h>Title</text:h><text:p>one<text:s/>two<text:line-break/>three<office:annotation><text:p>aside</text:p></office:annotation></text:p><text:p>&lt;x&gt;</text:p></office:body></office:document-content>';
    expect(extractText(ODT, zip({ mimetype: ODT, 'content.xml': content }))).toBe('Title\none two\nthree\n<x>');
  });

  it('is read from XLSX: shared texts, texts and numbers in cells', () => {
    const data = zip({
      'xl/sharedStrings.xml':
        '<sst><si><t>Budget</t><rPh><t>reading</t></rPh></si><si><r><t>Two</t></r><r><t> parts</t></r></si></sst>',
      'xl/worksheets/sheet1.xml':
        '<sheetData><row><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1234.5</v></c><c t="inlineStr"><is><t>in cell</t></is></c><c/></row></sheetData>',
    });
    expect(extractText(XLSX, data)).toBe('Budget\nTwo parts\n1234.5\nin cell');
  });

  it('is read from plain texts in any usual encoding', () => {
    expect(extractText('text/plain', Buffer.from('Così\tva\r\nbene\u0000'))).toBe('Così va\nbene');
    expect(extractText('text/plain', Buffer.from('Così', 'latin1'))).toBe('Così');
    expect(extractText('text/plain', Buffer.from('\ufeffCosì', 'utf16le'))).toBe('Così');
    expect(extractText('text/plain', Buffer.alloc(0))).toBe('');
    expect(extractText('text/plain', Buffer.from('é'.repeat(MAX_TEXT_LENGTH * 3))).length).toBe(MAX_TEXT_LENGTH);
  });

  it('is read from PDF with simple fonts', () => {
    expect(
      extractText(
        PDF,
        page(
          'BT /F1 12 Tf 72 700 Td (Hello \\(big\\) world) Tj 0 -14 Td [(Sec) 20 (ond) -300 (line)] TJ T* (Perch\\351) Tj ET',
        ),
      ),
    ).toBe('Hello (big) world\nSecond line\nPerché');
    expect(extractText(PDF, page('BT /F1 12 Tf <48656C6C6F> Tj ET'))).toBe('Hello');
    const differences = '<< /Type /Font /Subtype /Type1 /Encoding << /Differences [65 /eacute /fi /uni20AC] >> >>';
    expect(extractText(PDF, page('BT /F1 9 Tf (ABCD) Tj ET', differences))).toBe('éfi€D');
  });

  it('is read from PDF with composite fonts, by their map to Unicode', () => {
    const map = `/CIDInit /ProcSet findresource begin 1 begincodespacerange <0000> <FFFF> endcodespacerange
      2 beginbfchar <0003> <0020> <0010> <D83DDE00> endbfchar
      2 beginbfrange <0024> <0026> <0041> <0030> <0031> [<00660069> <0042>] endbfrange end`;
    const font = '<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 7 0 R >>';
    const content = 'BT /F1 12 Tf <002400250003002600300031> Tj <0010FFFF> Tj ET';
    expect(extractText(PDF, page(content, font, { 7: stream('', Buffer.from(map)) }))).toBe('AB CfiB😀');
    expect(extractText(PDF, page(content, '<< /Subtype /Type0 /Encoding /Identity-H >>'))).toBe('');
  });

  it('is read from PDF whose objects are packed in streams, and from forms within pages', () => {
    const packed = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R >> >> >>',
      '<< /Type /Font /Subtype /TrueType >>',
    ];
    const numbers = [1, 2, 3, 5];
    let offset = 0;
    const index = packed.map((text, position) => {
      const pair = `${numbers[position]} ${offset}`;
      offset += text.length + 1;
      return pair;
    });
    const head = `${index.join(' ')} `;
    const data = pdf(
      {
        4: stream(
          '',
          Buffer.from('BT /F1 1 Tf (page) Tj ET /X1 Do BI /W 1 ID \x01(no text) Tj EI BT (after) Tj ET', 'latin1'),
        ),
        6: stream(
          '/Type /XObject /Subtype /Form /Filter [/ASCIIHexDecode /FlateDecode]',
          Buffer.from(`${deflateSync('BT /F1 1 Tf (form) Tj ET /X1 Do').toString('hex')}>`),
        ),
        8: stream(
          `/Type /ObjStm /N 4 /First ${head.length} /Filter /FlateDecode`,
          deflateSync(`${head}${packed.join(' ')}`),
        ),
        9: stream('/Type /XRef /Root 1 0 R', Buffer.from('x')),
      },
      '<< >>',
    );
    expect(extractText(PDF, data).split('\n').slice(0, 2)).toEqual(['page', 'form']);
    expect(extractText(PDF, data)).toMatch(/after$/);
    expect(extractText(PDF, data)).not.toContain('no text');
  });

  it('is not read from what is encrypted, broken, or grows beyond all measure', () => {
    expect(() => extractText(PDF, pdf({ 1: '<< >>' }, '<< /Root 1 0 R /Encrypt 2 0 R >>'))).toThrow('encrypted');
    expect(() => extractText(PDF, Buffer.from('%PDF-1.4 nothing'))).toThrow('no objects');
    expect(() =>
      extractText(
        PDF,
        page('', undefined, { 4: stream('/Filter /FlateDecode', deflateSync(Buffer.alloc(100 << 20, 32))) }),
      ),
    ).toThrow();
    expect(() => extractText(DOCX, Buffer.from('PK'))).toThrow('no directory');
    expect(() => extractText(DOCX, zip({ 'word/document.xml': Buffer.alloc(200 << 20, 60) }))).toThrow(
      'cannot be unpacked',
    );
    expect(() => extractText('image/png', Buffer.from('x'))).toThrow('no way');
    const loop = pdf({ 1: '<< /Pages 2 0 R >>', 2: '<< /Kids [2 0 R 2 0 R 3 0 R] >>', 3: '3 0 R' });
    expect(extractText(PDF, loop)).toBe('');
  });

  it('takes time in proportion, and fails with an error at most, whatever the bytes', () => {
    const sample = page('BT /F1 12 Tf (Hello) Tj [(a) -200 (b)] TJ ET');
    const office = zip({ 'word/document.xml': '<w:p><w:t>x</w:t></w:p>' });
    const attempt = (type: string, data: Buffer) => {
      try {
        return extractText(type, data);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        return '';
      }
    };
    fc.assert(
      fc.property(
        fc.constantFrom([PDF, sample] as const, [DOCX, office] as const),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }),
        ([type, data], changes) => {
          const copy = Buffer.from(data);
          for (const [at, byte] of changes) copy[at % copy.length] = byte;
          expect(typeof attempt(type, copy)).toBe('string');
        },
      ),
      { numRuns: 1_000 },
    );
    const slow: string[] = [];
    const timed = (piece: string, work: () => unknown) => {
      const started = performance.now();
      work();
      if (performance.now() - started > 1_500) slow.push(piece);
    };
    for (const piece of [
      '[',
      '<<',
      '(',
      '<',
      '1 0 obj ',
      '1 0 obj <<',
      'obj',
      '% ',
      'stream ',
      '9'.repeat(100),
      '1 0 obj << /Length 9 >> stream ',
    ]) {
      timed(piece, () => attempt(PDF, Buffer.from(`%PDF-1.4 ${piece.repeat(30_000)}`)));
      timed(`within: ${piece}`, () => attempt(PDF, page(piece.repeat(30_000))));
    }
    for (const piece of ['<', '<w:t>', '&', '&#', '<!--', '<w:t ', '</w:p>'])
      timed(piece, () => attempt(DOCX, zip({ 'word/document.xml': piece.repeat(50_000) })));
    expect(slow).toEqual([]);
  });

  it('is read from exactly the kinds that are said to be readable', () => {
    for (const type of EXTRACTABLE_PATTERNS) expect(() => extractText(type, Buffer.from('x'))).not.toThrow('no way');
  });
});
