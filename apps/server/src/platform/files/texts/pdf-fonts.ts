/** From the codes of a font to characters (ISO 32000-1 §9.6 to 9.10). */
import type { PdfDocument } from './pdf-document.ts';
import { type PdfDict, PdfLexer, PdfName, PdfString, type PdfValue, PdfWord } from './pdf-syntax.ts';

/** Reads the strings that are shown in one font. */
export interface PdfFont {
  textOf(bytes: string): string;
}

const latin = new TextDecoder('windows-1252');

/** Names of glyphs from 0x20 on, as encodings with differences use them. */
const ASCII_GLYPHS =
  `space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma
  hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at
  ${[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].join(' ')} bracketleft backslash bracketright asciicircum underscore grave
  ${[...'abcdefghijklmnopqrstuvwxyz'].join(' ')} braceleft bar braceright asciitilde`
    .trim()
    .split(/\s+/);
/** The same from 0xa1 on. */
const LATIN_GLYPHS =
  `exclamdown cent sterling currency yen brokenbar section dieresis copyright ordfeminine guillemotleft
  logicalnot hyphen registered macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla
  onesuperior ordmasculine guillemotright onequarter onehalf threequarters questiondown Agrave Aacute Acircumflex Atilde
  Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave Iacute Icircumflex Idieresis Eth Ntilde Ograve
  Oacute Ocircumflex Otilde Odieresis multiply Oslash Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave
  aacute acircumflex atilde adieresis aring ae ccedilla egrave eacute ecircumflex edieresis igrave iacute icircumflex
  idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide oslash ugrave uacute ucircumflex udieresis yacute
  thorn ydieresis`
    .trim()
    .split(/\s+/);
const GLYPHS = new Map<string, string>([
  ...ASCII_GLYPHS.map((name, index) => [name, String.fromCharCode(0x20 + index)] as const),
  ...LATIN_GLYPHS.map((name, index) => [name, String.fromCharCode(0xa1 + index)] as const),
  ...Object.entries({
    hyphen: '-',
    quoteleft: '‘',
    quoteright: '’',
    quotedblleft: '“',
    quotedblright: '”',
    endash: '–',
    emdash: '—',
    bullet: '•',
    ellipsis: '…',
    Euro: '€',
    fi: 'fi',
    fl: 'fl',
    ff: 'ff',
    ffi: 'ffi',
    ffl: 'ffl',
    dotlessi: 'ı',
    OE: 'Œ',
    oe: 'œ',
    Scaron: 'Š',
    scaron: 'š',
    Zcaron: 'Ž',
    zcaron: 'ž',
    minus: '−',
  }),
]);

/** A font by its dictionary. */
export function readFont(document: PdfDocument, dict: PdfDict): PdfFont {
  const composite = document.nameOf(dict.get('Subtype')) === 'Type0';
  const map = dict.has('ToUnicode') ? readCharacterMap(document.bytesOf(dict.get('ToUnicode'))) : undefined;
  if (composite) {
    // Without a map the codes are numbers of glyphs, which say nothing.
    return { textOf: (bytes) => (map ? mapped(bytes, map, 2) : '') };
  }
  const differences = readDifferences(document, dict.get('Encoding'));
  return {
    textOf: (bytes) => {
      let text = '';
      for (const character of bytes) {
        const code = character.charCodeAt(0);
        text += map?.texts.get(`1:${code}`) ?? differences.get(code) ?? latin.decode(Uint8Array.of(code));
      }
      return text;
    },
  };
}

function readDifferences(document: PdfDocument, encoding: PdfValue | undefined): Map<number, string> {
  const found = new Map<number, string>();
  const list = document.resolve(document.dictOf(encoding).get('Differences'));
  if (!Array.isArray(list)) return found;
  let code = 0;
  for (const item of list) {
    if (typeof item === 'number') code = item;
    else if (item instanceof PdfName) {
      const character = glyphText(item.value);
      if (character !== undefined) found.set(code, character);
      code++;
    }
  }
  return found;
}

function glyphText(name: string): string | undefined {
  const known = GLYPHS.get(name) ?? GLYPHS.get(name.split('.')[0]!);
  if (known !== undefined) return known;
  const hex = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(name);
  const code = hex ? Number.parseInt((hex[1] ?? hex[2])!, 16) : 0;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Texts by length and code, such as `2:65`. */
interface CharacterMap {
  readonly texts: Map<string, string>;
  readonly lengths: Set<number>;
}

/** More entries than a font can have glyphs. */
const MAX_ENTRIES = 70_000;

function readCharacterMap(data: Buffer): CharacterMap {
  const map: CharacterMap = { texts: new Map(), lengths: new Set() };
  const lexer = new PdfLexer(data);
  let operands: PdfValue[] = [];
  for (let item = lexer.next(false); item !== undefined; item = lexer.next(false)) {
    if (!(item instanceof PdfWord)) {
      operands.push(item);
      continue;
    }
    if (item.value === 'endcodespacerange') {
      for (const bound of operands) if (bound instanceof PdfString) map.lengths.add(bound.bytes.length);
    } else if (item.value === 'endbfchar') {
      for (let index = 0; index + 1 < operands.length; index += 2)
        addMapping(map, operands[index], operands[index], operands[index + 1]);
    } else if (item.value === 'endbfrange') {
      for (let index = 0; index + 2 < operands.length; index += 3)
        addMapping(map, operands[index], operands[index + 1], operands[index + 2]);
    }
    operands = [];
  }
  return map;
}

function addMapping(
  map: CharacterMap,
  first: PdfValue | undefined,
  last: PdfValue | undefined,
  to: PdfValue | undefined,
): void {
  if (!(first instanceof PdfString) || !(last instanceof PdfString)) return;
  const [from, until] = [codeOf(first.bytes), codeOf(last.bytes)];
  for (let code = from; code <= until && map.texts.size < MAX_ENTRIES; code++) {
    const target = Array.isArray(to) ? to[code - from] : to;
    if (!(target instanceof PdfString)) return;
    const text = utf16(target.bytes);
    map.texts.set(`${first.bytes.length}:${code}`, Array.isArray(to) ? text : shift(text, code - from));
  }
}

function codeOf(bytes: string): number {
  let code = 0;
  for (const character of bytes.slice(0, 4)) code = code * 256 + character.charCodeAt(0);
  return code;
}

/** UTF-16 in big-endian order, as maps to Unicode have it. */
function utf16(bytes: string): string {
  if (bytes.length === 1) return bytes;
  return Buffer.from(bytes.slice(0, bytes.length & ~1), 'latin1')
    .swap16()
    .toString('utf16le')
    .toWellFormed();
}

/** The text for the n-th code of a range: its last unit counts up. */
function shift(text: string, by: number): string {
  if (by === 0 || text === '') return text;
  return text.slice(0, -1) + String.fromCharCode((text.charCodeAt(text.length - 1) + by) & 0xffff);
}

function mapped(bytes: string, map: CharacterMap, usual: number): string {
  const lengths = map.lengths.size > 0 ? [...map.lengths].sort() : [usual];
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length =
      lengths.find((candidate) => map.texts.has(`${candidate}:${codeOf(bytes.slice(at, at + candidate))}`)) ??
      lengths[0]!;
    text += map.texts.get(`${length}:${codeOf(bytes.slice(at, at + length))}`) ?? '';
    at += Math.max(1, length);
  }
  return text;
}
