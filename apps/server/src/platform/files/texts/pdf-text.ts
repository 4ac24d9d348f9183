/** The text of a PDF in the order in which its pages draw it: good enough to be found, not to be read aloud. */
import { PdfDocument } from './pdf-document.ts';
import { type PdfFont, readFont } from './pdf-fonts.ts';
import { type PdfDict, PdfLexer, PdfName, PdfStream, PdfString, type PdfValue, PdfWord } from './pdf-syntax.ts';

/** Drawings within drawings. */
const MAX_FORMS = 8;
/** Steps back within a line that stand for a space, in thousandths of the size of the text. */
const WORD_GAP = -180;

/**
 * @param maxLength the text is cut there, in UTF-16 units
 * @throws PdfError for what is encrypted or no PDF
 */
export function pdfText(data: Buffer, maxLength: number): string {
  const document = new PdfDocument(data);
  const reader = new PageReader(document, maxLength);
  for (const page of document.pages()) {
    reader.read(page.contents, page.resources, 0);
    reader.newLine();
    if (reader.full) break;
  }
  return reader.text();
}

class PageReader {
  readonly #document: PdfDocument;
  readonly #maxLength: number;
  readonly #fonts = new Map<PdfDict, PdfFont>();
  readonly #out: string[] = [];
  #length = 0;

  constructor(document: PdfDocument, maxLength: number) {
    this.#document = document;
    this.#maxLength = maxLength;
  }

  get full(): boolean {
    return this.#length >= this.#maxLength;
  }

  text(): string {
    return this.#out.join('').slice(0, this.#maxLength);
  }

  newLine(): void {
    this.#add('\n');
  }

  #add(text: string): void {
    if (text === '') return;
    this.#out.push(text);
    this.#length += text.length;
  }

  /** Goes through a content stream (§7.8.2): operands, then the operator that takes them. */
  read(contents: Buffer, resources: PdfDict, depth: number): void {
    const lexer = new PdfLexer(contents);
    let operands: PdfValue[] = [];
    let font: PdfFont | undefined;
    for (let item = lexer.next(false); item !== undefined && !this.full; item = lexer.next(false)) {
      if (!(item instanceof PdfWord)) {
        if (operands.length < 1_000) operands.push(item);
        continue;
      }
      switch (item.value) {
        case 'Tf':
          font = this.#fontOf(operands[0], resources) ?? font;
          break;
        case 'Tj':
          this.#show(operands.at(-1), font);
          break;
        case "'":
        case '"':
          this.newLine();
          this.#show(operands.at(-1), font);
          break;
        case 'TJ':
          this.#showSpaced(operands.at(-1), font);
          break;
        case 'Td':
        case 'TD':
          if (operands[1] !== 0) this.newLine();
          else this.#add(' ');
          break;
        case 'T*':
        case 'Tm':
        case 'ET':
          this.newLine();
          break;
        case 'Do':
          this.#draw(operands[0], resources, depth);
          break;
        case 'BI':
          skipPicture(lexer);
          break;
      }
      operands = [];
    }
  }

  #fontOf(name: PdfValue | undefined, resources: PdfDict): PdfFont | undefined {
    if (!(name instanceof PdfName)) return undefined;
    const dict = this.#document.dictOf(this.#document.dictOf(resources.get('Font')).get(name.value));
    let font = this.#fonts.get(dict);
    if (!font && dict.size > 0) {
      font = readFont(this.#document, dict);
      this.#fonts.set(dict, font);
    }
    return font;
  }

  #show(value: PdfValue | undefined, font: PdfFont | undefined): void {
    if (value instanceof PdfString && font) this.#add(font.textOf(value.bytes));
  }

  #showSpaced(value: PdfValue | undefined, font: PdfFont | undefined): void {
    if (!Array.isArray(value)) return;
    for (const item of value) {
      if (typeof item === 'number') this.#add(item < WORD_GAP ? ' ' : '');
      else this.#show(item, font);
    }
  }

  #draw(name: PdfValue | undefined, resources: PdfDict, depth: number): void {
    if (!(name instanceof PdfName) || depth >= MAX_FORMS) return;
    const form = this.#document.resolve(this.#document.dictOf(resources.get('XObject')).get(name.value));
    if (!(form instanceof PdfStream) || this.#document.nameOf(form.dict.get('Subtype')) !== 'Form') return;
    const own = form.dict.has('Resources') ? this.#document.dictOf(form.dict.get('Resources')) : resources;
    this.read(this.#document.bytesOf(form), own, depth + 1);
  }
}

/** A picture within the stream: its bytes are no operators. */
function skipPicture(lexer: PdfLexer): void {
  let at = lexer.at;
  for (;;) {
    at = lexer.data.indexOf('EI', at, 'latin1');
    if (at === -1) {
      lexer.at = lexer.data.length;
      return;
    }
    const [before, after] = [lexer.data[at - 1] ?? 32, lexer.data[at + 2] ?? 32];
    at += 2;
    if (before <= 32 && after <= 32) {
      lexer.at = at;
      return;
    }
  }
}
