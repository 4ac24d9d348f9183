/** The objects of a PDF. They are found by going through the file, not by its tables, which broken files have wrong. */
import { type PdfDict, PdfLexer, PdfName, PdfRef, PdfStream, type PdfValue, PdfWord, unpack } from './pdf-syntax.ts';

const MAX_OBJECTS = 500_000;
const MAX_PAGES = 5_000;
/** What one stream may unpack to. Bytes. */
const MAX_STREAM = 64 * 1024 ** 2;

/** A page: its content and what it draws with. */
export interface PdfPage {
  readonly contents: Buffer;
  readonly resources: PdfDict;
}

/** The document cannot be read; the message says why. */
export class PdfError extends Error {
  override name = 'PdfError';
}

export class PdfDocument {
  readonly #objects = new Map<number, PdfValue>();
  #root: PdfValue = null;
  /** Where the last stream of the file ends; -1 without any. */
  #lastEnd = -1;

  /** @throws PdfError */
  constructor(data: Buffer) {
    this.#collect(data);
    for (const object of [...this.#objects.values()]) {
      if (object instanceof PdfStream && this.nameOf(object.dict.get('Type')) === 'ObjStm') this.#collectPacked(object);
    }
    if (this.#objects.size === 0) throw new PdfError('the document has no objects');
  }

  /** What a value stands for; null for what is not there. */
  resolve = (value: PdfValue | undefined): PdfValue => {
    let found = value ?? null;
    for (let steps = 0; found instanceof PdfRef && steps < 20; steps++) found = this.#objects.get(found.number) ?? null;
    return found instanceof PdfRef ? null : found;
  };

  dictOf(value: PdfValue | undefined): PdfDict {
    const found = this.resolve(value);
    return found instanceof Map ? found : found instanceof PdfStream ? found.dict : new Map();
  }

  nameOf(value: PdfValue | undefined): string | undefined {
    const found = this.resolve(value);
    return found instanceof PdfName ? found.value : undefined;
  }

  /** The bytes of a stream; empty for what is none, or packed as a picture. */
  bytesOf(value: PdfValue | undefined): Buffer {
    const found = this.resolve(value);
    return found instanceof PdfStream ? (unpack(found, this.resolve, MAX_STREAM) ?? Buffer.alloc(0)) : Buffer.alloc(0);
  }

  /** The pages in order; all pages of a file whose tree is broken. */
  pages(): Generator<PdfPage> {
    return this.#pages();
  }

  *#pages(): Generator<PdfPage> {
    let count = 0;
    const seen = new Set<PdfDict>();
    const stack: { node: PdfDict; resources: PdfDict }[] = [];
    const top = this.dictOf(this.dictOf(this.#root).get('Pages'));
    if (top.size > 0) stack.push({ node: top, resources: new Map() });
    else {
      for (const object of this.#objects.values()) {
        if (object instanceof Map && this.nameOf(object.get('Type')) === 'Page')
          stack.unshift({ node: object, resources: new Map() });
      }
    }
    for (let next = stack.pop(); next && count < MAX_PAGES; next = stack.pop()) {
      const { node } = next;
      if (seen.has(node)) continue;
      seen.add(node);
      const resources = node.has('Resources') ? this.dictOf(node.get('Resources')) : next.resources;
      const kids = this.resolve(node.get('Kids'));
      if (Array.isArray(kids)) {
        for (const kid of kids.slice(0, MAX_PAGES).reverse()) stack.push({ node: this.dictOf(kid), resources });
        continue;
      }
      count++;
      yield { contents: this.#contentsOf(node), resources };
    }
  }

  #contentsOf(page: PdfDict): Buffer {
    const contents = this.resolve(page.get('Contents'));
    const parts = Array.isArray(contents) ? contents : [contents];
    return Buffer.concat(parts.flatMap((part) => [this.bytesOf(part), Buffer.from('\n')]));
  }

  /** Every `n g obj … endobj`; later ones replace earlier ones, as updates of a file do. */
  #collect(data: Buffer): void {
    this.#lastEnd = data.lastIndexOf('endstream', undefined, 'latin1');
    const lexer = new PdfLexer(data);
    let at = 0;
    let trailer = 0;
    for (;;) {
      const found = data.indexOf('obj', at, 'latin1');
      // Looked for again only once it is passed: a file without any would be gone through for every object.
      if (trailer !== -1 && (trailer < at || at === 0)) trailer = data.indexOf('trailer', at, 'latin1');
      if (trailer !== -1 && (found === -1 || trailer < found)) {
        lexer.at = trailer + 7;
        this.#readTrailer(lexer.next(true));
        at = Math.max(trailer + 7, lexer.at);
        continue;
      }
      if (found === -1) return;
      at = found + 3;
      const head = /(\d{1,10})\s+\d{1,5}\s+$/.exec(data.toString('latin1', Math.max(0, found - 24), found));
      if (!head) continue;
      if (this.#objects.size >= MAX_OBJECTS) throw new PdfError('the document has too many objects');
      lexer.at = at;
      const value = lexer.next(true);
      if (value === undefined || value instanceof PdfWord) continue;
      at = Math.max(at, lexer.at);
      if (!(value instanceof Map)) {
        this.#objects.set(Number(head[1]), value);
        continue;
      }
      const stream = this.#streamAt(data, lexer, value);
      if (stream) at = lexer.at;
      this.#objects.set(Number(head[1]), stream ?? value);
      if (stream && value.get('Type') instanceof PdfName && (value.get('Type') as PdfName).value === 'XRef')
        this.#readTrailer(value);
    }
  }

  #readTrailer(value: PdfValue | undefined): void {
    if (!(value instanceof Map)) return;
    if (value.has('Encrypt')) throw new PdfError('the document is encrypted');
    this.#root = value.get('Root') ?? this.#root;
  }

  #streamAt(data: Buffer, lexer: PdfLexer, dict: PdfDict): PdfStream | undefined {
    lexer.skipSpace();
    if (data.toString('latin1', lexer.at, lexer.at + 6) !== 'stream') return undefined;
    let start = lexer.at + 6;
    if (data[start] === 13) start++;
    if (data[start] === 10) start++;
    const length = this.resolve(dict.get('Length'));
    const told = typeof length === 'number' ? start + length : -1;
    const fits =
      told >= start && told <= data.length && /^\s{0,2}endstream/.test(data.toString('latin1', told, told + 11));
    if (!fits && this.#lastEnd < start) return undefined;
    const end = fits ? told : data.indexOf('endstream', start, 'latin1');
    lexer.at = end;
    return new PdfStream(dict, data.subarray(start, end));
  }

  /** Objects that are packed together in a stream (§7.5.7). */
  #collectPacked(stream: PdfStream): void {
    const data = this.bytesOf(stream);
    const first = this.resolve(stream.dict.get('First'));
    const count = this.resolve(stream.dict.get('N'));
    if (typeof first !== 'number' || typeof count !== 'number') return;
    const head = new PdfLexer(data.subarray(0, first));
    for (let index = 0; index < Math.min(count, MAX_OBJECTS); index++) {
      const number = head.next(false);
      const offset = head.next(false);
      if (typeof number !== 'number' || typeof offset !== 'number') return;
      const value = new PdfLexer(data, first + offset).next(true);
      // An object of the file itself is newer only in updates, which write it apart again.
      if (value !== undefined && !this.#objects.has(number)) this.#objects.set(number, value);
    }
  }
}
