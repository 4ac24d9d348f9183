/** The text of office documents: DOCX, ODT, XLSX. Markup is scanned, never interpreted: no entities, no references. */
import { ZipArchive } from './zip-archive.ts';

/** What an office document may unpack to. Bytes. */
const MAX_UNPACKED = 128 * 1024 ** 2;

/** How the elements of a kind of markup bear on its text; names are as written, with prefix. */
interface Markup {
  /** At the end of these a line ends. */
  readonly lines: ReadonlySet<string>;
  /** These stand for a space. */
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

/** @throws ZipError */
export function docxText(data: Buffer): string {
  const archive = new ZipArchive(data, MAX_UNPACKED);
  const parts = archive.names(/^word\/(?:document|footnotes|endnotes|header\d*|footer\d*)\.xml$/);
  return parts.map((name) => markupText(textOf(archive, name), WORD)).join('\n');
}

/** @throws ZipError */
export function odtText(data: Buffer): string {
  return markupText(textOf(new ZipArchive(data, MAX_UNPACKED), 'content.xml'), ODF);
}

/** Texts and numbers of all sheets. @throws ZipError */
export function xlsxText(data: Buffer): string {
  const archive = new ZipArchive(data, MAX_UNPACKED);
  const texts = [markupText(textOf(archive, 'xl/sharedStrings.xml'), SHARED_STRINGS)];
  for (const name of archive.names(/^xl\/worksheets\/[\w-]+\.xml$/)) texts.push(cellTexts(textOf(archive, name)));
  return texts.join('\n');
}

function textOf(archive: ZipArchive, name: string): string {
  return archive.read(name)?.toString('utf8') ?? '';
}

/** Values that stand in the cells themselves; shared strings (t="s") are only numbers there. */
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
