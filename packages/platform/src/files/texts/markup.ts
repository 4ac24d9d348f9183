/** Text in markup (XML, HTML). Markup is scanned, never interpreted: no declared entities, no references. */

/** How the elements of a kind of markup bear on its text; names are as written, with prefix. */
export interface Markup {
  /** At the end of these a line ends. */
  readonly lines: ReadonlySet<string>;
  /** A line ends at the beginning of these, too. */
  readonly opening?: ReadonlySet<string>;
  /** These are written as a space. */
  readonly spaces: ReadonlySet<string>;
  /** Text within these is left out. */
  readonly skipped: ReadonlySet<string>;
  /** Only text within these is taken; undefined: all text. */
  readonly only?: ReadonlySet<string>;
  /** The name by which a written name is looked up; default the written name. */
  readonly nameOf?: (written: string) => string;
  /** Decodes the text between tags; default {@link decodeEntities}. */
  readonly decode?: (text: string) => string;
}

/** The text of a piece of markup. */
export function markupText(xml: string, markup: Markup): string {
  const out: string[] = [];
  const { nameOf = (written) => written, decode = decodeEntities } = markup;
  let skipping = '';
  let holding = markup.only === undefined;
  scanMarkup(
    xml,
    (tagName, tag) => {
      const closing = tagName.startsWith('/');
      const name = nameOf(closing ? tagName.slice(1) : tagName);
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
      const ends = closing || empty ? markup.lines : markup.opening;
      if (ends?.has(name)) out.push('\n');
      if ((closing || empty) && markup.spaces.has(name)) out.push(' ');
    },
    (text) => {
      if (!skipping && holding) out.push(decode(text));
    },
  );
  return out.join('');
}

/** Goes through markup once. Names of closing tags begin with a slash. */
export function scanMarkup(
  xml: string,
  onTag: (name: string, tag: string) => void,
  onText: (text: string) => void,
): void {
  for (let at = 0; at < xml.length; ) {
    const open = xml.indexOf('<', at);
    if (open === -1) {
      onText(xml.slice(at));
      return;
    }
    if (open > at) onText(xml.slice(at, open));
    const ending = endingOf(xml, open);
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

function endingOf(xml: string, open: number): string {
  if (xml.startsWith('<!--', open)) return '-->';
  return xml.startsWith('<![CDATA[', open) ? ']]>' : '>';
}

/** The name of an element without its prefix; programs choose prefixes as they like. */
export function localName(written: string): string {
  return written.slice(written.indexOf(':') + 1);
}

/** The value of an attribute of a tag, by its name with or without a prefix. */
export function attributeOf(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : decodeEntities(value);
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Decodes the entities of XML. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ' ';
  });
}
