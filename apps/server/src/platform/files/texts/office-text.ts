/** The text of office documents: DOCX, ODT, XLSX. Markup is scanned, never interpreted: no entities, no references. */
import { readEntries } from './zip-entries.ts';

/** What an office document may unpack to. Bytes. */
const MAX_UNPACKED = 128 * 1024 ** 2;

/** How the elements of a kind of markup bear on its text; names are as written, with prefix. */
interface Markup {
  /** At the end of these a line ends. */
  readonly lines: ReadonlySet<string>;
  /** These are written as a space. */
  readonly spaces: ReadonlySet<string>;
  /** What these hold is no text of the document. */
  readonly skipped: ReadonlySet<string>;
  /** Only what these hold is text; undefined: everything. */
  readonly only?: ReadonlySet<string>;
}

const WORD: Markup = {
  lines: new Set(['w:p', 'w:br', 'w:cr', 'w:tr']),
  spaces: new Set(['w:tab', 'w:tc', 'w:noBreakHyphen']),
  skipped: new Set(['w:delText', 'w:instrText', 'w:delInstrText', 'mc:Fallback']),
  only: new Set(['w:t']),
};
const ODF: Markup = {
  lines: new Set(['text:p', 'text:h', 'text:line-break', 'table:table-row']),
  spaces: new Set(['text:tab', 'text:s', 'table:table-cell']),
  skipped: new Set(['office:annotation', 'text:tracked-changes']),
};
const SHARED_STRINGS: Markup = {
  lines: new Set(['si']),
  spaces: new Set(),
  skipped: new Set(['rPh']),
  only: new Set(['t']),
};

/** Each of the matching parts as text, by name. @throws Error for a broken archive or one that unpacks to too much */
async function partsOf(data: Buffer, wanted: RegExp): Promise<Map<string, string>> {
  const entries = await readEntries(data, wanted, MAX_UNPACKED);
  return new Map([...entries].map(([name, bytes]) => [name, bytes.toString('utf8')]));
}

/** @throws Error for what cannot be unpacked */
export async function docxText(data: Buffer): Promise<string> {
  const parts = await partsOf(data, /^word\/(?:document|footnotes|endnotes|header\d*|footer\d*)\.xml$/);
  return [...parts.values()].map((xml) => markupText(xml, WORD)).join('\n');
}

/** @throws Error for what cannot be unpacked */
export async function odtText(data: Buffer): Promise<string> {
  const parts = await partsOf(data, /^content\.xml$/);
  return markupText(parts.get('content.xml') ?? '', ODF);
}

/** Texts and numbers of all sheets. @throws Error for what cannot be unpacked */
export async function xlsxText(data: Buffer): Promise<string> {
  const shared = 'xl/sharedStrings.xml';
  const parts = await partsOf(data, /^xl\/(?:sharedStrings|worksheets\/[\w-]+)\.xml$/);
  const texts = [markupText(parts.get(shared) ?? '', SHARED_STRINGS)];
  for (const [name, xml] of parts) if (name !== shared) texts.push(cellTexts(xml));
  return texts.join('\n');
}

/** Values that are in the cells themselves; shared strings (t="s") are only numbers there. */
function cellTexts(xml: string): string {
  const values: string[] = [];
  let shared = false;
  let inside = false;
  scanMarkup(
    xml,
    (name, tag) => {
      if (name === 'c') shared = /\st="s"/.test(tag);
      inside = !shared && (name === 'v' || name === 't') && !tag.endsWith('/>');
      if (name === '/c') shared = false;
    },
    (text) => {
      if (inside) values.push(decodeEntities(text));
    },
  );
  return values.join('\n');
}

function markupText(xml: string, markup: Markup): string {
  const out: string[] = [];
  let skipping = '';
  let holding = markup.only === undefined;
  scanMarkup(
    xml,
    (tagName, tag) => {
      const closing = tagName.startsWith('/');
      const name = closing ? tagName.slice(1) : tagName;
      const empty = tag.endsWith('/>');
      if (skipping) {
        if (closing && name === skipping) skipping = '';
        return;
      }
      if (markup.skipped.has(name)) {
        if (!closing && !empty) skipping = name;
        return;
      }
      if (markup.only?.has(name)) holding = !closing && !empty;
      if ((closing || empty) && markup.lines.has(name)) out.push('\n');
      if ((closing || empty) && markup.spaces.has(name)) out.push(' ');
    },
    (text) => {
      if (!skipping && holding) out.push(decodeEntities(text));
    },
  );
  return out.join('');
}

/** Goes through markup once. Names of closing tags begin with a slash. */
function scanMarkup(xml: string, onTag: (name: string, tag: string) => void, onText: (text: string) => void): void {
  for (let at = 0; at < xml.length; ) {
    const open = xml.indexOf('<', at);
    if (open === -1) {
      onText(xml.slice(at));
      return;
    }
    if (open > at) onText(xml.slice(at, open));
    const ending = xml.startsWith('<!--', open) ? '-->' : xml.startsWith('<![CDATA[', open) ? ']]>' : '>';
    const close = xml.indexOf(ending, open + 1);
    if (close === -1) return;
    if (ending === ']]>') onText(xml.slice(open + 9, close).replaceAll('&', '&amp;'));
    else if (ending === '>') {
      const tag = xml.slice(open, close + 1);
      onTag(/^<(\/?[\w.:-]+)/.exec(tag.slice(0, 200))?.[1] ?? '', tag);
    }
    at = close + ending.length;
  }
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ' ';
  });
}
