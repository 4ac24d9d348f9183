import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@napi-rs/canvas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXTRACTABLE_PATTERNS } from '../kinds.ts';
import { onePage, packedPdf, pdf, pdfStream } from '../pdf.fixture.ts';
import { zip } from '../zip.fixture.ts';
import { extractText, MAX_TEXT_LENGTH } from './extract-text.ts';

const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ODT = 'application/vnd.oasis.opendocument.text';
/** A password that nobody knows. */
const ENCRYPTION = `<< /Filter /Standard /V 1 /R 2 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`;

describe('text of documents', () => {
  it('is read from DOCX', async () => {
    const document = `<?xml version="1.0"?><w:document><w:body><w:p><w:r><w:t>Perch&#233; no?</w:t></w:r><w:r><w:tab/><w:t xml:space="preserve"> A &amp; B</w:t></w:r></w:p>
      <w:p><w:r><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText><w:t>second</w:t><w:t/></w:r></w:p></w:body></w:document>`;
    const data = zip({
      '[Content_Types].xml': '',
      'word/document.xml': document,
      'word/footnotes.xml': '<w:p><w:t>note</w:t></w:p>',
      'word/styles.xml': '<w:t>style</w:t>',
    });
    expect(await extractText(DOCX, data)).toBe('Perché no? A & B\nsecond\nnote');
  });

  it('is read from ODT', async () => {
    const content =
      '<office:document-content><office:body><text:h>Title</text:h><text:p>one<text:s/>two<text:line-break/>three<office:annotation><text:p>aside</text:p></office:annotation></text:p><text:p>&lt;x&gt;</text:p></office:body></office:document-content>';
    expect(await extractText(ODT, zip({ mimetype: ODT, 'content.xml': content }))).toBe(
      'Title\none two\nthree\n<x>\naside',
    );
  });

  it('is read from XLSX: shared texts, texts and numbers in cells', async () => {
    const data = zip({
      'xl/sharedStrings.xml':
        '<sst><si><t>Budget</t><rPh><t>reading</t></rPh></si><si><r><t>Two</t></r><r><t> parts</t></r></si></sst>',
      'xl/worksheets/sheet1.xml':
        '<sheetData><row><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1234.5</v></c><c t="inlineStr"><is><t>in cell</t></is></c><c/></row></sheetData>',
    });
    expect(await extractText(XLSX, data)).toBe('Budget\nTwo parts\n1234.5\nin cell');
  });

  it('is read from plain texts in any usual encoding', async () => {
    expect(await extractText('text/plain', Buffer.from('Così\tva\r\nbene\u0000'))).toBe('Così va\nbene');
    expect(await extractText('text/plain', Buffer.from('Così', 'latin1'))).toBe('Così');
    expect(await extractText('text/plain', Buffer.from('\ufeffCosì', 'utf16le'))).toBe('Così');
    expect(await extractText('text/plain', Buffer.alloc(0))).toBe('');
    expect((await extractText('text/plain', Buffer.from('é'.repeat(MAX_TEXT_LENGTH * 3)))).length).toBe(
      MAX_TEXT_LENGTH,
    );
  });

  it('is read from PDF with simple fonts', async () => {
    const content =
      'BT /F1 12 Tf 14 TL 72 700 Td (Hello \\(big\\) world) Tj 0 -14 Td [(Sec) 20 (ond) -300 (line)] TJ T* (Perch\\351) Tj ET';
    expect(await extractText(PDF, onePage(content))).toBe('Hello (big) world\nSecond line\nPerché');
    expect(await extractText(PDF, onePage('BT /F1 12 Tf <48656C6C6F> Tj ET'))).toBe('Hello');
    const differences =
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /eacute /uni20AC] >> >>';
    expect(await extractText(PDF, onePage('BT /F1 9 Tf (ABD) Tj ET', { font: differences }))).toBe('é€D');
  });

  it('is read from PDF with composite fonts, by their map to Unicode', async () => {
    const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
      1 begincodespacerange <0000> <FFFF> endcodespacerange
      2 beginbfchar <0003> <0020> <0010> <D83DDE00> endbfchar
      2 beginbfrange <0024> <0026> <0041> <0030> <0031> [<00780079> <0042>] endbfrange endcmap end end`;
    const font =
      '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [7 0 R] >>';
    const data = onePage('BT /F1 12 Tf 10 10 Td <002400250003002600300031> Tj <0010> Tj ET', {
      font,
      more: {
        6: pdfStream('', Buffer.from(map)),
        7: '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 /FontDescriptor 8 0 R >>',
        8: '<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
      },
    });
    expect(await extractText(PDF, data)).toBe('AB CxyB😀');
  });

  it('is read from PDF as a program writes them, page after page', async () => {
    const written = new PDFDocument({ title: 'Two pages' });
    for (const text of ['First page: Perché no?', 'Second page']) {
      const page = written.beginPage(400, 300);
      page.font = '20px serif';
      page.fillText(text, 20, 40);
      written.endPage();
    }
    expect(await extractText(PDF, written.close())).toBe('First page: Perché no?\nSecond page');
  });

  it('is read from PDF whose objects are packed in streams, and from forms within pages', async () => {
    const data = packedPdf(
      {
        1: '<< /Type /Catalog /Pages 2 0 R >>',
        2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 6 0 R /Resources << /Font << /F1 4 0 R >> /XObject << /X1 7 0 R >> >> >>',
        4: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      },
      {
        6: pdfStream('', Buffer.from('BT /F1 12 Tf 10 200 Td (page) Tj ET /X1 Do BT /F1 12 Tf 10 20 Td (after) Tj ET')),
        7: pdfStream(
          '/Type /XObject /Subtype /Form /BBox [0 0 300 300] /Resources << /Font << /F1 4 0 R >> >> /Filter [/ASCIIHexDecode /FlateDecode]',
          Buffer.from(`${deflateSync('BT /F1 12 Tf 10 100 Td (form) Tj ET').toString('hex')}>`),
        ),
      },
    );
    expect(await extractText(PDF, data)).toBe('page\nform\nafter');
  });

  it('is not read from what is encrypted, broken, or grows beyond all measure', async () => {
    await expect(extractText(PDF, Buffer.from('%PDF-1.4 nothing'))).rejects.toThrow();
    await expect(extractText(DOCX, Buffer.from('PK'))).rejects.toThrow();
    await expect(extractText(DOCX, zip({ 'word/document.xml': Buffer.alloc(130 << 20, 60) }))).rejects.toThrow();
    await expect(extractText('image/png', Buffer.from('x'))).rejects.toThrow('no way');
    const loop = pdf({
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 3 0 R] >>',
      3: '3 0 R',
    });
    expect(await extractText(PDF, loop).catch(() => '')).toBe('');
    const locked = pdf(
      { 1: '<< /Type /Catalog /Pages 2 0 R >>', 2: '<< /Type /Pages /Kids [] /Count 0 >>', 3: ENCRYPTION },
      '/Encrypt 3 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]',
    );
    await expect(extractText(PDF, locked)).rejects.toThrow('encrypted');
  });

  it('fails with an error at most, whatever the bytes', async () => {
    const sample = onePage('BT /F1 12 Tf (Hello) Tj [(a) -200 (b)] TJ ET');
    const office = zip({ 'word/document.xml': '<w:p><w:t>x</w:t></w:p>' });
    const attempt = async (type: string, data: Buffer) => {
      try {
        return await extractText(type, data);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        return '';
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom([PDF, sample] as const, [DOCX, office] as const),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }),
        async ([type, data], changes) => {
          const copy = Buffer.from(data);
          for (const [at, byte] of changes) copy[at % copy.length] = byte;
          expect(typeof (await attempt(type, copy))).toBe('string');
        },
      ),
      { numRuns: 100 },
    );
    for (const piece of ['<', '<w:t>', '&', '&#', '<!--', '<w:t ', '</w:p>'])
      await attempt(DOCX, zip({ 'word/document.xml': piece.repeat(50_000) }));
  });

  it('is read from exactly the kinds that are said to be readable', async () => {
    for (const type of EXTRACTABLE_PATTERNS) {
      const reason = await extractText(type, Buffer.from('x')).catch((error: Error) => error.message);
      expect(reason).not.toContain('no way');
    }
  });
});
