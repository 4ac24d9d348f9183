/**
 * Patterns of dates, compiled for Luxon: it knows the names of months and days in every language of the runtime and
 * refuses a weekday that is not that of the day. It is loaded by the first mapping that names a pattern.
 */
import type { ExplainedFormat, TokenParser } from 'luxon';
import type { WrittenDate } from '../source/mapping-types.ts';

type Luxon = typeof import('luxon');

/** Parts of a pattern with their names in Luxon. */
const PARTS: Readonly<Record<string, string>> = {
  YYYY: 'yyyy',
  YY: 'yy',
  MMMM: 'MMMM',
  MMM: 'MMM',
  MM: 'MM',
  M: 'M',
  DD: 'dd',
  D: 'd',
  dddd: 'EEEE',
  ddd: 'EEE',
  HH: 'HH',
  H: 'H',
  hh: 'hh',
  h: 'h',
  mm: 'mm',
  ss: 'ss',
  SSS: 'SSS',
  A: 'a',
  Z: 'ZZ',
};

/** Parts of patterns, for messages. */
export const PATTERN_PARTS = Object.keys(PARTS).join(', ');

/** Two-digit years up to this one are of the years 2000 to 2068, others of 1969 to 1999 (POSIX). */
const LAST_OF_2000 = 68;

const PART = /YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|ss|SSS|A|Z/y;

/** Part of a pattern, or literal text. */
interface Piece {
  readonly part?: string;
  readonly text: string;
}

/** Luxon documents the parser's method, its types leave it out. */
type ExplainingParser = TokenParser & { explainFromTokens(text: string): ExplainedFormat };

/**
 * Compiled pattern.
 * @returns undefined for a text in another format, or for a day that does not exist
 */
type PatternReader = (text: string) => WrittenDate | undefined;

let luxon: Luxon | undefined;

/** Loads Luxon. Call it before reading a mapping, since the reader is synchronous. */
export async function loadPatterns(): Promise<void> {
  if (luxon) return;
  luxon = await import('luxon');
  luxon.Settings.twoDigitCutoffYear = LAST_OF_2000;
}

/** Luxon, once {@link loadPatterns} has loaded it. */
export function dateLibrary(): Luxon {
  if (!luxon) throw new Error('the library of dates is loaded before a mapping is read');
  return luxon;
}

/**
 * Compiles a pattern such as `DD/MM/YYYY HH:mm` or `ddd, D MMM YY h:mm A`.
 * @param language of the names of months and days; a BCP 47 tag
 * @returns for an invalid pattern, the reason as a phrase
 */
export function compilePattern(pattern: string, language: string): PatternReader | string {
  const pieces = [...piecesOf(spaced(pattern))];
  const problem = problemOf(pieces.flatMap(({ part }) => part ?? []));
  if (problem !== undefined) return problem;
  const parsers = formatsOf(pieces).flatMap((format) => {
    const locales = localesOf(language);
    return locales.map((locale) => ({ locale, parser: dateLibrary().DateTime.buildFormatParser(format, { locale }) }));
  });
  return (given) => {
    const text = spaced(given.trim());
    // "a.m." is English as well as "AM"; Luxon knows the Spanish "a. m." with a narrow space.
    const spellings = ['$1m', '$1.\u202fm.'].map((one) => text.replace(/\b([ap])\. ?m\.(?!\w)/giu, one));
    for (const spelling of new Set([text, ...spellings])) {
      for (const { parser, locale } of parsers) {
        const date = readBy(parser, locale, spelling);
        if (date) return date;
      }
    }
    return undefined;
  };
}

/**
 * Replaces every space by U+0020 and removes direction marks: programs that write dates put other
 * spaces before AM and PM.
 */
function spaced(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u200e\u200f\u061c]/gu, '')
    .replace(/[^\S\n]/gu, ' ');
}

/**
 * Yields the pieces of a pattern. Words that do not consist of parts, and text in brackets, are
 * literal.
 */
function* piecesOf(pattern: string): Generator<Piece> {
  for (const [run, quoted, word] of pattern.matchAll(/\[([^\]]*)\]|([\p{L}\p{M}]+)|[^\p{L}\p{M}]/gu)) {
    const parts = word === undefined ? undefined : partsOf(word);
    if (parts) yield* parts;
    else yield { text: quoted ?? run };
  }
}

/** Splits a word into parts; a T between day and hour is literal. */
function partsOf(word: string): Piece[] | undefined {
  const pieces: Piece[] = [];
  for (let at = 0; at < word.length; ) {
    PART.lastIndex = at;
    const part = PART.exec(word)?.[0];
    if (part === undefined && word[at] !== 'T') return undefined;
    pieces.push(part === undefined ? { text: 'T' } : { part, text: part });
    at += part?.length ?? 1;
  }
  return pieces.some(({ part }) => part !== undefined) ? pieces : undefined;
}

/** Kind of a part: two parts of one kind would contradict each other. */
const kindOf = (part: string) => (part[0] === 'h' ? 'H' : part[0]!);

function problemOf(parts: readonly string[]): string | undefined {
  const kinds = parts.map(kindOf);
  if (new Set(kinds).size < kinds.length) return 'it holds a part twice; text goes in brackets, as in H[h]mm';
  if (!['Y', 'M', 'D'].every((kind) => kinds.includes(kind))) return 'it needs a year, a month and a day';
  const twelve = parts.includes('h') || parts.includes('hh');
  if (twelve !== kinds.includes('A')) return 'h and hh need A (AM or PM), and A needs one of them';
  if (kinds.includes('m') && !kinds.includes('H')) return 'mm needs an hour';
  if (kinds.includes('s') && !kinds.includes('m')) return 'ss needs mm';
  if (kinds.includes('S') && !kinds.includes('s')) return 'SSS needs ss';
  return kinds.includes('Z') && !kinds.includes('H') ? 'Z needs an hour' : undefined;
}

/** Formats of Luxon that together read the pattern: names as they stand in a date and alone, offsets in each form. */
function formatsOf(pieces: readonly Piece[]): string[] {
  const has = (...parts: string[]) => pieces.some(({ part }) => part !== undefined && parts.includes(part));
  const named = has('MMMM', 'MMM', 'dddd', 'ddd');
  const names: Readonly<Record<string, string>>[] = named
    ? [
        {},
        { MMM: 'LLL', MMMM: 'LLLL' },
        { MMM: 'LLL', MMMM: 'LLLL', ddd: 'ccc', dddd: 'cccc' },
        { ddd: 'ccc', dddd: 'cccc' },
      ]
    : [{}];
  const offsets: Readonly<Record<string, string>>[] = has('Z') ? [{ Z: 'ZZ' }, { Z: 'ZZZ' }, { Z: "'Z'" }] : [{}];
  return names.flatMap((name) =>
    offsets.map((offset) =>
      pieces.map(({ part, text }) => (part ? (name[part] ?? offset[part] ?? PARTS[part]!) : literal(text))).join(''),
    ),
  );
}

/** Quotes literal text, character by character: an apostrophe is `''` outside of quotes. */
function literal(text: string): string {
  return text.replace(/[^']+|'/gu, (piece) => {
    if (piece === "'") return "''";
    return /^\s+$/u.test(piece) ? piece : `'${piece}'`;
  });
}

/** English months have two short forms ("Sep", "Sept"). Dates are of the Gregorian calendar, in ASCII digits. */
function localesOf(language: string): string[] {
  const locales = language === 'en' ? ['en-US', 'en-GB'] : [language];
  return locales.map((locale) => `${locale.replace(/-u-.*$/iu, '')}-u-ca-gregory-nu-latn`);
}

function readBy(parser: TokenParser, locale: string, text: string): WrittenDate | undefined {
  const { rawMatches, tokens, zone } = (parser as ExplainingParser).explainFromTokens(text);
  if (!rawMatches) return undefined;
  let at = 1;
  let utc = false;
  for (const { val, literal: fixed } of tokens) {
    const given = rawMatches[at] ?? '';
    // Luxon accepts more digits for a short year, and hours beyond the clock.
    if (!fixed && val === 'yy' && given.length !== 2) return undefined;
    if (!fixed && /^h{1,2}$/.test(val) && !(Number(given) >= 1 && Number(given) <= 12)) return undefined;
    if (!fixed && /^H{1,2}$/.test(val) && Number(given) > 23) return undefined;
    if (fixed && val === 'Z' && given === 'Z') utc = true;
    at += !fixed && /^Z{2,3}$/.test(val) ? 3 : 1;
  }
  const { DateTime } = dateLibrary();
  const date = DateTime.fromFormatParser(text, parser, { zone: 'utc', setZone: true, locale });
  if (!date.isValid) return undefined;
  const timed = tokens.some(({ val, literal: fixed }) => !fixed && /^[hH]/.test(val));
  const day = date.toISODate();
  if (zone || utc) return { day, instant: date.toMillis() };
  return timed ? { day, time: date.toISOTime({ includeOffset: false }) } : { day };
}
