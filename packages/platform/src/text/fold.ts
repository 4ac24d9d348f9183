/**
 * The normal form of text, from which search documents, search terms and sort keys are made.
 *
 * It is computed here and not by the database, so that every PostgreSQL version, a sharded database
 * and a naive model in a test agree to the last character (architecture: "search text and sort keys
 * are normalised in TypeScript on write").
 */
import { finishAtOnce } from '../parts.ts';

/**
 * Letters that Unicode does not decompose although root collation takes them for the plain letter with a mark
 * (`Intl.Collator('und', { sensitivity: 'base' })` calls each pair equal).
 */
const STROKE_LETTERS: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', æ: 'ae', œ: 'oe' };
const STROKE = /[øłđðħæœ]/g;

/**
 * Marks that only colour a letter: accents, points, diacritics. The vowel signs of Indic scripts and of Thai, Lao or Khmer
 * are combining characters too, but there they spell the word, so they stay.
 */
const ACCENT =
  /[\p{M}&&[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]/v;
const ACCENTS = new RegExp(ACCENT.source, 'gv');
/** Soft hyphens, joiners, direction marks, variation selectors: invisible, and never searched for. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Marks, and the two letters that decompose to one. */
const JOINING = /^[\p{M}\uff9e\uff9f]/u;
const LONGEST_RUN = 30;
const LONG_RUN = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${LONGEST_RUN}})(?=[\\p{M}\\uff9e\\uff9f])`, 'gu');
const GRAPHEME_JOINER = '\u034f';
/** Characters that may join the one before: marks, invisible ones, vowels and final consonants of Hangul. */
const JOINED =
  /^[\p{M}\p{Default_Ignorable_Code_Point}\uff9e\uff9f\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\ud7b0-\ud7ff\uffa0-\uffdc]/u;
/** Code units that are normalised in one part of the work. */
const PART = 4_096;
/** Factor by which a part may be longer where no character begins anew. */
const LONGEST_PART = 4;
/** How many characters any short text may grow by. */
const FREE_GROWTH = 1_000;
/** Code units that are decomposed at once. */
const SLICE = 8_192;
const SPACES = /[\s\p{Cc}]+/gu;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** True for a combining mark that normalising removes. */
export function isAccent(character: string): boolean {
  return ACCENT.test(character);
}

/** True for a letter that folds to a plain letter only by the stroke table (ø, ł, æ …). */
export function isStrokeLetter(lowerCase: string): boolean {
  return Object.hasOwn(STROKE_LETTERS, lowerCase);
}

/**
 * Text as it may be stored: PostgreSQL takes neither NUL nor half a surrogate pair. NUL is dropped, a lone surrogate
 * becomes U+FFFD. Everything else stays as it is.
 */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '') : wellFormed;
}

/**
 * Full case folding. Lower, upper and lower again reaches what a single `toLowerCase` misses: ß and ẞ become "ss", the long
 * s becomes s; the final sigma is made an ordinary one by hand because JavaScript lower-cases by position in the word.
 * Both Turkish i's, dotted and dotless, in either case, fold to i: a portal has no single language to fold by.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/**
 * `String.normalize` in linear time. Putting the marks of one letter into order takes time by the square of their number; a
 * grapheme joiner after each thirty of them keeps runs short (stream-safe text, UAX #15). No language has runs so long.
 */
export function unicodeForm(text: string, form: 'NFC' | 'NFKD'): string {
  return withShortRuns(text).normalize(form);
}

function withShortRuns(text: string): string {
  return text.length <= LONGEST_RUN ? text : text.replace(LONG_RUN, `$1${GRAPHEME_JOINER}`);
}

/**
 * Compatibility decomposition without invisible characters; accents still in place. A text that grows to more than three
 * times its length, as no language does, is cut off there: some characters expand to eighteen others.
 */
export function decompose(text: string): string {
  return decomposeUpTo(text, mostOf(text)).replace(IGNORABLE, '');
}

const mostOf = (text: string) => 3 * text.length + FREE_GROWTH;

/** @param most code units of the result */
function decomposeUpTo(text: string, most: number): string {
  const given = withShortRuns(storableText(text));
  let result = '';
  for (let at = 0; at < given.length && result.length < most; ) {
    const end = sliceEnd(given, at);
    result += given.slice(at, end).normalize('NFKD');
    at = end;
  }
  return result.length > most ? result.slice(0, isHighSurrogate(result, most - 1) ? most - 1 : most) : result;
}

/**
 * Returns the end of a slice that can be decomposed by itself: the next character is joined by no
 * mark to the characters before it.
 */
function sliceEnd(text: string, from: number): number {
  let end = Math.min(text.length, from + SLICE);
  while (
    end < text.length &&
    (isHighSurrogate(text, end - 1) || JOINING.test(String.fromCodePoint(text.codePointAt(end)!)))
  )
    end++;
  return end;
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

/** @param decomposed as {@link decomposeUpTo} returns it */
function foldDecomposed(decomposed: string): string {
  const plain = decomposed.replace(IGNORABLE, '').replace(ACCENTS, '');
  const bare = unicodeForm(foldCase(plain), 'NFKD').replace(IGNORABLE, '');
  const letters = bare.replace(ACCENTS, '').replace(STROKE, (letter) => STROKE_LETTERS[letter]!);
  return unicodeForm(letters, 'NFC').replace(IGNORABLE, '').replace(SPACES, ' ');
}

/**
 * The normal form: compatibility decomposition (NFKD), accents removed, case folded, every run of white space or control
 * characters one space, invisible characters and NUL removed, lone surrogates replaced. It is recomposed at the end, so a Hangul
 * syllable stays one character. Leading and trailing spaces stay (one each at most). Idempotent.
 */
export function normaliseText(text: string): string {
  return finishAtOnce(normaliseParts(text));
}

/**
 * The work of {@link normaliseText} in parts, which take some milliseconds each.
 * @param part code units of each
 */
export function* normaliseParts(text: string, part = PART): Generator<void, string> {
  if (PRINTABLE_ASCII.test(text)) {
    const lower = text.toLowerCase();
    return lower.includes('  ') ? lower.replace(/ {2,}/g, ' ') : lower;
  }
  let left = mostOf(text);
  const parts: string[] = [];
  let endsInSpace = false;
  for (let at = 0; at < text.length && left > 0; ) {
    if (at > 0) yield;
    const end = partEnd(text, at, part);
    const decomposed = decomposeUpTo(text.slice(at, end), left);
    left -= decomposed.length;
    const folded = foldDecomposed(decomposed);
    parts.push(endsInSpace && folded.startsWith(' ') ? folded.slice(1) : folded);
    if (folded !== '') endsInSpace = folded.endsWith(' ');
    at = end;
  }
  return parts.join('');
}

/**
 * Returns the end of a part: in front of a character whose normal form does not depend on the
 * characters before it.
 */
function partEnd(text: string, from: number, part: number): number {
  let end = from + part;
  const last = Math.min(text.length, from + LONGEST_PART * part);
  while (end < last && (isHighSurrogate(text, end - 1) || JOINED.test(String.fromCodePoint(text.codePointAt(end)!))))
    end++;
  return Math.min(end, text.length);
}
