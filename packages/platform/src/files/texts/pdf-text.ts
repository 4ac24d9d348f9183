/** The text of PDF documents. */
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js';
import { withPdf } from '../pdf.ts';

/**
 * The text of a document and its comments, page after page, as far as its fonts say which characters they show.
 * @param maxLength reading ends with the page that exceeds it. UTF-16 units
 * @throws Error for a document that cannot be opened; pages that cannot be read are left out, unless none can
 */
export async function pdfText(data: Buffer, maxLength: number): Promise<string> {
  return withPdf(data, async (document) => {
    let text = '';
    let failure: unknown;
    let read = 0;
    for (let number = 1; number <= document.numPages && text.length < maxLength; number++) {
      try {
        const page = await document.getPage(number);
        const { items } = await page.getTextContent();
        text += `${textOf(items.filter((item) => 'str' in item))}\n`;
        text += notesOf(await page.getAnnotations());
        page.cleanup();
        read++;
      } catch (error) {
        failure = error;
      }
    }
    if (read === 0 && failure !== undefined) throw failure;
    return text;
  });
}

/** The words of comments on a page, each on a line of its own. */
function notesOf(annotations: readonly { contentsObj?: { str?: string } }[]): string {
  return annotations.map(({ contentsObj }) => (contentsObj?.str ? `${contentsObj.str}\n` : '')).join('');
}

/** Lines end where PDF.js says so, and where a form within the page begins or ends at another height. */
function textOf(items: readonly TextItem[]): string {
  let text = '';
  let height: number | undefined;
  for (const { str, hasEOL, transform, height: size } of items) {
    const at = transform[5] as number;
    if (str !== '' && height !== undefined && Math.abs(at - height) > size / 2 && !/\s$/.test(text)) text += '\n';
    text += hasEOL ? `${str}\n` : str;
    height = at;
  }
  return text;
}
