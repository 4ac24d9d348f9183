/** Text, and the markup that a browser would make a page or a program of. */
import { utf16Of } from './utf-16.ts';

/** Elements by which a browser takes a text for an HTML page (WHATWG MIME sniffing, and a few more). */
const HTML_ELEMENTS = new Set(
  'html head body script iframe h1 h2 div span font table a style title b br p form img link meta object embed base svg'.split(
    ' ',
  ),
);
const JSON_START = /^\s*[[{]/;

/** Control characters that no text has: all but tab, line feed, form feed, carriage return and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters.
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/;

/** Share of plain characters from which bytes in no Unicode encoding count as text of an older one. */
const PLAIN_SHARE = 0.7;

/**
 * The media type of a text.
 * @param head the beginning @param whole whether that is all
 * @returns undefined if the bytes are no text
 */
export function sniffText(head: Buffer, whole: boolean): string | undefined {
  const text = decode(head, whole);
  if (text === undefined) return undefined;
  const { xml, doctype, element } = readProlog(text);
  if (element === 'svg' || doctype === 'svg') return 'image/svg+xml';
  if (xml) return element === 'html' || doctype === 'html' ? 'application/xhtml+xml' : 'text/xml';
  if (doctype === 'html' || (element !== undefined && HTML_ELEMENTS.has(element))) return 'text/html';
  if (text.startsWith('BEGIN:VCALENDAR')) return 'text/calendar';
  if (text.startsWith('BEGIN:VCARD')) return 'text/vcard';
  if (whole && JSON_START.test(text) && isJson(text)) return 'application/json';
  return 'text/plain';
}

function decode(head: Buffer, whole: boolean): string | undefined {
  let text: string;
  try {
    // At a cut the last character may be a part of one: `stream` leaves it out.
    text = new TextDecoder(utf16Of(head) ?? 'utf-8', { fatal: true }).decode(head, { stream: !whole });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    text = head.toString('latin1');
    let plain = 0;
    for (const byte of head) if (byte < 0x80) plain++;
    if (plain < head.length * PLAIN_SHARE) return undefined;
  }
  return CONTROL.test(text) ? undefined : text;
}

interface Prolog {
  /** Whether there is an XML declaration. */
  xml: boolean;
  /** Name in the document type declaration, lower case. */
  doctype?: string;
  /** Local name of the first element, lower case. */
  element?: string;
}

/** Reads the text before the first element of markup in one pass, however the text is made. */
function readProlog(text: string): Prolog {
  const prolog: Prolog = { xml: false };
  let at = 0;
  const after = (end: string, from: number) => {
    const found = text.indexOf(end, from);
    return found === -1 ? text.length : found + end.length;
  };
  for (;;) {
    while (at < text.length && /\s/.test(text[at]!)) at++;
    if (text.startsWith('<!--', at)) at = after('-->', at + 4);
    else if (text.startsWith('<?', at)) {
      prolog.xml ||= /^<\?xml\s/i.test(text.slice(at, at + 6));
      at = after('>', at);
    } else if (/^<!doctype\s/i.test(text.slice(at, at + 10))) {
      prolog.doctype = /^\s*(?:\w+:)?([\w-]+)/.exec(text.slice(at + 9, at + 109))?.[1]?.toLowerCase();
      const end = after('>', at);
      const subset = text.indexOf('[', at);
      at = subset !== -1 && subset < end ? after('>', after(']', subset)) : end;
    } else {
      prolog.element = /^<(?:[\w.-]{1,50}:)?([\w-]{1,50})[\s/>]/.exec(text.slice(at, at + 110))?.[1]?.toLowerCase();
      return prolog;
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
