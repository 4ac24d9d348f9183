/** Documents, archives and pages that are none, that are something else too, or that grow beyond all measure. */
import { onePage, pdf, pdfStream } from '@portico/platform/files/pdf.fixture';
import { zip } from '@portico/platform/files/zip.fixture';

/** Spaces in a letter of some hundred kilobytes. Bytes. */
const BOMB_BYTES = 200 * 1024 ** 2;

const CONTENT_TYPES = { '[Content_Types].xml': '<Types/>' };

/** A letter that unpacks to far more than a letter. */
export const docxBomb = (): Buffer => zip({ ...CONTENT_TYPES, 'word/document.xml': Buffer.alloc(BOMB_BYTES, ' ') });

/** An archive that unpacks to far more than it is, and holds itself once more. */
export function zipBomb(): Buffer {
  const bomb = zip({ 'zeros.bin': Buffer.alloc(BOMB_BYTES) });
  return zip({ 'zeros.bin': Buffer.alloc(BOMB_BYTES), 'again.zip': bomb });
}

/** A letter whose parts would be unpacked over files of the server. */
export const climbingDocx = (): Buffer =>
  zip({
    ...CONTENT_TYPES,
    '../../../../etc/cron.d/job': '* * * * * root id',
    'word/document.xml': '<w:p><w:t>harmless</w:t></w:p>',
  });

/** A letter whose text is markup with entities that unfold. */
export const unfoldingDocx = (): Buffer =>
  zip({
    ...CONTENT_TYPES,
    'word/document.xml':
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><w:p><w:t>seen &b; &c;</w:t></w:p>',
  });

/** A letter cut off in its middle. */
export const cutDocx = (): Buffer => {
  const whole = zip({ ...CONTENT_TYPES, 'word/document.xml': '<w:t>text</w:t>'.repeat(1_000) });
  return whole.subarray(0, whole.length - 40);
};

/** A page that steals everything of its origin. */
export const htmlPage = (): Buffer =>
  Buffer.from('<!doctype html><title>x</title><script>fetch("/portal/api/core/auth/current-user-data")</script>');

/** A page in XML. */
export const xhtmlPage = (): Buffer =>
  Buffer.from(
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><script>alert(1)</script></body></html>',
  );

/** A page hidden behind text that browsers skip. */
export const lateHtml = (): Buffer => Buffer.from(`\ufeff \n<!-- ${'-'.repeat(2_000)} --><ScRiPt>alert(1)</sCrIpT>`);

/** Both a document and, for a reader that guesses by the first tag, a page. */
export const pdfPage = (): Buffer => Buffer.concat([onePage('BT /F1 12 Tf 9 9 Td (both) Tj ET'), htmlPage()]);

/** A document that runs a script and opens a page when it is opened. */
export const scriptedPdf = (): Buffer =>
  pdf({
    1: '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.launchURL\\("https://example.org"\\)) >> >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /AA << /O << /S /Launch /F (calc.exe) >> >> >>',
    4: pdfStream('', Buffer.from('BT /F1 12 Tf 9 9 Td (launching) Tj ET')),
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  });

/** A document whose page unpacks to gigabytes of operators. */
export const pdfBomb = (): Buffer => onePage(Buffer.alloc(400 * 1024 ** 2, 'q Q '));

/** A document that is its own page. */
export const circularPdf = (): Buffer =>
  pdf({ 1: '<< /Type /Catalog /Pages 2 0 R >>', 2: '<< /Type /Pages /Kids [2 0 R] /Count 1 >>' });

/** A form that draws itself. */
export const selfDrawingPdf = (): Buffer =>
  onePage('/X Do', {
    resources: '/XObject << /X 6 0 R >>',
    more: {
      6: pdfStream(
        '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>',
        Buffer.from('/X Do /X Do'),
      ),
    },
  });

/** A picture in a document that says it has 60,000 × 60,000 pixels. */
export const pdfWithHugePicture = (): Buffer =>
  onePage('/X Do', {
    resources: '/XObject << /X 6 0 R >>',
    more: {
      6: pdfStream(
        '/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
        Buffer.alloc(100),
      ),
    },
  });
