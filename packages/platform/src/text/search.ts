/**
 * Search text for a trigram index and the terms that are looked up in it. A document and a query take the same form, so
 * that `document LIKE pattern` is the whole of the search, in SQL as in {@link matchesSearch}.
 */
import { finishAtOnce } from '../parts.ts';
import { normaliseParts, normaliseText, storableText } from './fold.ts';

/** A term of a query. */
interface SearchTerm {
  /** For `LIKE … ESCAPE '\'`: `%…%`, or `% …%` where the term has to start a word. */
  pattern: string;
  /** The term in the normal form of the document, unescaped. */
  text: string;
}

/** More terms than this are ignored: they could only make a list of results shorter that is short already. */
const MAX_SEARCH_TERMS = 32;
/** Shorter terms match beginnings of words only: a trigram index cannot help with two characters inside a word. */
const MIN_INNER_TERM = 3;

/** Scripts written without spaces: every character is a word of its own and a longer query becomes a phrase. */
export const SINGLE =
  /[[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Hangul}\p{Script_Extensions=Bopomofo}]&&[\p{L}\p{N}]]/v;
const TOKEN = new RegExp(
  `${SINGLE.source}|(?:(?!${SINGLE.source})[\\p{L}\\p{N}\\p{M}])+|[^\\s\\p{L}\\p{N}\\p{M}]`,
  'gv',
);
const WORD = /^[\p{L}\p{N}\p{M}]/u;
/**
 * Characters that end or wrap a word in running text. At the edges of a term they are not part of
 * the search.
 */
const SENTENCE_MARKS = new Set(`.,;:!?"'()[]{}¿¡、。・「」『』〈〉《》،؛؟।`);

/** Code units of a normal form that are split into words in one part of the work. */
const PART = 4_096;
/** Factor by which a part may be longer where no word ends. */
const LONGEST_PART = 4;

/** Typographic quotes and dashes as people type them when they search. @param text in its normal form */
function searchForm(text: string): string {
  return text
    .replace(/[\u2018-\u201b\u02bc]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}

function tokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/**
 * The text that search looks in: the normal form of each part, words separated by single spaces, a space in front of every
 * word. A punctuation mark or symbol is a word of its own (`50%` becomes `50 %`), so is each Chinese, Japanese or Korean
 * character. A new line ends each part but the last, so that no phrase reaches from one part into the next. Parts without
 * any word are left out; a document without words is the empty string.
 */
export function searchDocument(parts: readonly string[]): string {
  return finishAtOnce(searchDocumentParts(parts));
}

/** The work of {@link searchDocument} in parts, which take some milliseconds each. */
export function* searchDocumentParts(parts: readonly string[]): Generator<void, string> {
  const lines: string[] = [];
  for (const part of parts) {
    const line = yield* documentLine(yield* normaliseParts(part));
    if (line !== '') lines.push(line);
  }
  return lines.join('\n');
}

/** @param text in its normal form */
function* documentLine(text: string): Generator<void, string> {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (at > 0) yield;
    const end = wordEnd(text, at + PART, at + LONGEST_PART * PART);
    const words = tokens(searchForm(text.slice(at, end)));
    if (words.length > 0) lines.push(` ${words.join(' ')}`);
    at = end;
  }
  return lines.join('');
}

/** The next place at which no word goes on. */
function wordEnd(text: string, from: number, last: number): number {
  let end = from;
  for (; end < text.length && end < last; end++) {
    const next = String.fromCodePoint(text.codePointAt(end)!);
    if (!isLowSurrogate(next) && (!WORD.test(next) || SINGLE.test(next))) break;
  }
  return Math.min(end, text.length);
}

const isLowSurrogate = (character: string) => (character.charCodeAt(0) & 0xfc00) === 0xdc00;

function toTerm(raw: string): SearchTerm | null {
  let words = tokens(raw);
  const start = words.findIndex((word) => !SENTENCE_MARKS.has(word));
  if (start >= 0) words = words.slice(start, words.findLastIndex((word) => !SENTENCE_MARKS.has(word)) + 1);
  if (words.length === 0) return null;
  const text = words.join(' ');
  const first = words[0]!;
  let characters = 0;
  for (const word of words) for (const _ of word) characters++;
  // A character that is a word by itself always has a space in front of it; saying so gives the index one more trigram.
  const startsWord = characters < MIN_INNER_TERM || !WORD.test(first) || SINGLE.test(first);
  return { pattern: `%${startsWord ? ' ' : ''}${escapeLike(text)}%`, text };
}

/**
 * The terms of a user's query, to be AND-ed. They are separated by white space; each is literal (`%`, `_` and `\` are plain
 * characters); a term of several words, such as `a.b` or a run of Chinese, has to occur as it stands. Terms under three
 * characters match beginnings of words only, others any part. Sentence marks around a term are dropped unless there is
 * nothing else in it. A query without terms gives the empty list, which matches everything: no filter.
 */
export function searchTerms(query: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  for (const raw of searchForm(normaliseText(query)).split(' ')) {
    const term = toTerm(raw);
    if (term) terms.set(term.text, term);
    if (terms.size >= MAX_SEARCH_TERMS) break;
  }
  return [...terms.values()];
}

/** The text with `%`, `_` and `\` escaped by `\`, for a LIKE pattern. NUL, which PostgreSQL refuses, is dropped. */
export function escapeLike(text: string): string {
  return storableText(text).replace(/[\\%_]/g, '\\$&');
}

/**
 * The LIKE pattern for a literal substring (docs/decisions/lists.md). It does not normalise: for a column of
 * normalised text, where case
 * and accents do not count, pass `normaliseText(userText)`.
 */
export function likePattern(userText: string): string {
  return `%${escapeLike(userText)}%`;
}
