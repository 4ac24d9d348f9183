/** The syntax of PDF (ISO 32000-1 §7): objects, streams and the filters that texts are packed with. */
import { constants, inflateSync } from 'node:zlib';

/** A name, such as /Type, without its slash. */
export class PdfName {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** A string: each character stands for one byte. */
export class PdfString {
  readonly bytes: string;
  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

/** A reference to another object. */
export class PdfRef {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

/** A word that is no value: an operator of a content stream, or a word of the file's structure. */
export class PdfWord {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export type PdfDict = Map<string, PdfValue>;
export type PdfValue =
  | number
  | boolean
  | null
  | PdfName
  | PdfString
  | PdfRef
  | PdfWord
  | PdfStream
  | PdfValue[]
  | PdfDict;

/** A dictionary with bytes, still packed. */
export class PdfStream {
  readonly dict: PdfDict;
  readonly packed: Buffer;
  constructor(dict: PdfDict, packed: Buffer) {
    this.dict = dict;
    this.packed = packed;
  }
}

const SPACE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITER = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)));
const MAX_DEPTH = 60;

/** Reads values one after the other. */
export class PdfLexer {
  readonly data: Buffer;
  at: number;

  constructor(data: Buffer, at = 0) {
    this.data = data;
    this.at = at;
  }

  /** The next value; undefined at the end. References are read when `refs`; content streams have none. */
  next(refs: boolean, depth = 0): PdfValue | undefined {
    this.skipSpace();
    const { data } = this;
    const first = data[this.at];
    if (first === undefined) return undefined;
    switch (first) {
      case 0x2f: // /
        this.at++;
        return new PdfName(
          this.#word().replaceAll(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        );
      case 0x28: // (
        return this.#literal();
      case 0x3c: // <
        return data[this.at + 1] === 0x3c ? this.#dict(refs, depth) : this.#hex();
      case 0x5b: // [
        this.at++;
        return this.#list(']', refs, depth);
      case 0x5d: // ]
      case 0x7b: // {
      case 0x7d: // }
      case 0x29: // )
        this.at++;
        return new PdfWord(String.fromCharCode(first));
      case 0x3e: // >
        this.at += data[this.at + 1] === 0x3e ? 2 : 1;
        return new PdfWord('>>');
      default:
        return this.#numberOrWord(refs);
    }
  }

  skipSpace(): void {
    for (;;) {
      const byte = this.data[this.at];
      if (byte === undefined) return;
      if (byte === 0x25) {
        // A comment, to the end of the line.
        while (this.at < this.data.length && this.data[this.at] !== 10 && this.data[this.at] !== 13) this.at++;
      } else if (SPACE.has(byte)) this.at++;
      else return;
    }
  }

  #word(): string {
    const start = this.at;
    while (this.at < this.data.length && !SPACE.has(this.data[this.at]!) && !DELIMITER.has(this.data[this.at]!))
      this.at++;
    return this.data.toString('latin1', start, this.at);
  }

  #numberOrWord(refs: boolean): PdfValue {
    const word = this.#word();
    if (word === '') {
      this.at++;
      return new PdfWord('');
    }
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word)) {
      if (refs && /^\d+$/.test(word)) {
        const match = /^\s+\d+\s+R(?![A-Za-z0-9])/.exec(this.data.toString('latin1', this.at, this.at + 24));
        if (match) {
          this.at += match[0].length;
          return new PdfRef(Number(word));
        }
      }
      return Number(word);
    }
    if (word === 'true' || word === 'false') return word === 'true';
    return word === 'null' ? null : new PdfWord(word);
  }

  #literal(): PdfString {
    const out: number[] = [];
    let nesting = 1;
    this.at++;
    for (; this.at < this.data.length; this.at++) {
      let byte = this.data[this.at]!;
      if (byte === 0x28) nesting++;
      else if (byte === 0x29 && --nesting === 0) break;
      else if (byte === 0x5c) {
        byte = this.data[++this.at] ?? 0;
        const octal = /^[0-7]{1,3}/.exec(this.data.toString('latin1', this.at, this.at + 3))?.[0];
        if (octal) {
          this.at += octal.length - 1;
          byte = Number.parseInt(octal, 8) & 0xff;
        } else if (byte === 13 || byte === 10) {
          if (byte === 13 && this.data[this.at + 1] === 10) this.at++;
          continue;
        } else byte = { 110: 10, 114: 13, 116: 9, 98: 8, 102: 12 }[byte] ?? byte;
      }
      out.push(byte);
    }
    this.at++;
    return new PdfString(Buffer.from(out).toString('latin1'));
  }

  #hex(): PdfString {
    const end = this.data.indexOf('>', this.at);
    const stop = end === -1 ? this.data.length : end;
    const digits = this.data.toString('latin1', this.at + 1, stop).replaceAll(/[^0-9a-f]/gi, '');
    this.at = stop + 1;
    return new PdfString(Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex').toString('latin1'));
  }

  #list(end: string, refs: boolean, depth: number): PdfValue[] {
    const items: PdfValue[] = [];
    if (depth > MAX_DEPTH) throw new Error('the document is nested too deeply');
    for (;;) {
      const item = this.next(refs, depth + 1);
      if (item === undefined || (item instanceof PdfWord && item.value === end)) return items;
      items.push(item);
    }
  }

  #dict(refs: boolean, depth: number): PdfDict {
    this.at += 2;
    const items = this.#list('>>', refs, depth);
    const dict: PdfDict = new Map();
    for (let index = 0; index + 1 < items.length; index += 2) {
      const key = items[index];
      if (key instanceof PdfName) dict.set(key.value, items[index + 1]!);
    }
    return dict;
  }
}

/** Unpacks the bytes of a stream. @param maxBytes more is an error @returns undefined for filters of pictures */
export function unpack(
  stream: PdfStream,
  resolve: (value: PdfValue | undefined) => PdfValue,
  maxBytes: number,
): Buffer | undefined {
  const filter = resolve(stream.dict.get('Filter'));
  const filters = (Array.isArray(filter) ? filter : filter === null ? [] : [filter]).map((item) => resolve(item));
  const parameters = resolve(stream.dict.get('DecodeParms'));
  let data = stream.packed;
  for (const [index, item] of filters.entries()) {
    const name = item instanceof PdfName ? item.value : '';
    if (name === 'FlateDecode' || name === 'Fl') {
      data = inflateSync(data, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
      const own = resolve(Array.isArray(parameters) ? parameters[index] : parameters);
      if (own instanceof Map) data = unpredict(data, own, resolve);
    } else if (name === 'ASCIIHexDecode' || name === 'AHx') {
      data = Buffer.from(
        data
          .toString('latin1')
          .split('>')[0]!
          .replaceAll(/[^0-9a-f]/gi, ''),
        'hex',
      );
    } else if (name === 'ASCII85Decode' || name === 'A85') data = ascii85(data);
    else return undefined;
  }
  return data;
}

/** Undoes PNG predictors, of which streams of objects may make use. */
function unpredict(data: Buffer, parameters: PdfDict, resolve: (value: PdfValue | undefined) => PdfValue): Buffer {
  const number = (key: string, fallback: number) => {
    const value = resolve(parameters.get(key));
    return typeof value === 'number' ? value : fallback;
  };
  if (number('Predictor', 1) < 10) return data;
  const pixel = Math.max(1, (number('Colors', 1) * number('BitsPerComponent', 8)) >> 3);
  const width = Math.ceil((number('Columns', 1) * number('Colors', 1) * number('BitsPerComponent', 8)) / 8);
  const rows = Math.floor(data.length / (width + 1));
  const out = Buffer.alloc(rows * width);
  for (let row = 0; row < rows; row++) {
    const type = data[row * (width + 1)]!;
    for (let column = 0; column < width; column++) {
      const raw = data[row * (width + 1) + 1 + column]!;
      const left = column >= pixel ? out[row * width + column - pixel]! : 0;
      const up = row > 0 ? out[(row - 1) * width + column]! : 0;
      const corner = row > 0 && column >= pixel ? out[(row - 1) * width + column - pixel]! : 0;
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][type] ?? 0;
      out[row * width + column] = raw + added;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function ascii85(data: Buffer): Buffer {
  const out: number[] = [];
  let group: number[] = [];
  const flush = (length: number) => {
    let value = 0;
    for (let index = 0; index < 5; index++) value = value * 85 + (group[index] ?? 84);
    for (let index = 0; index < length; index++) out.push(Math.floor(value / 256 ** (3 - index)) & 0xff);
    group = [];
  };
  for (const byte of data) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && group.length === 0) out.push(0, 0, 0, 0);
    else if (byte >= 0x21 && byte <= 0x75) {
      group.push(byte - 0x21);
      if (group.length === 5) flush(4);
    }
  }
  if (group.length > 1) flush(group.length - 1);
  return Buffer.from(out);
}
