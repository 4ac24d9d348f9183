import { decompose, foldCase, isAccent, isStrokeLetter, normaliseText } from './fold.ts';

/** Longest primary sort key, in code points. With four bytes each it stays far below the 2,704 bytes a btree entry may have. */
export const SORT_KEY_LENGTH = 200;
/** How much of a text its key is made from, in code points. */
const KEY_SOURCE_LENGTH = 4_000;
/** Longest tie breaker for accents, and for case, in code points each. */
const TIE_LENGTH = 100;

/** Lower than any character of a normalised text, whose control characters have become spaces. */
const LEVEL_SEPARATOR = '\u0001';
const NO_DIFFERENCE = '\u0002';
const OTHER_VARIANT = '\u0003';
const UPPER_CASE = '\u0004';
/** Stands for the stroke of ø or the ligature of æ, which have no combining mark of their own. */
const STROKE_MARK = '\u0335';

/** The first `length` code points; never half a surrogate pair. */
export function cutCodePoints(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = 0;
  for (let count = 0; count < length && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Returns a text of marks without the trailing ones that say {@link NO_DIFFERENCE}. */
function withoutTrailing(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === NO_DIFFERENCE) end--;
  return text.slice(0, end);
}

/** All of a text that its key can depend on, unless it begins with thousands of invisible characters. */
function beginning(text: string): string {
  return cutCodePoints(text.trimStart(), KEY_SOURCE_LENGTH);
}

/**
 * The key that orders text without regard to accents and case: the normal form, trimmed, at most 200 code points.
 * Compare it with `COLLATE "C"` in SQL and with {@link compareSortKeys} here; both order by code point.
 */
export function sortKey(text: string): string {
  return cutCodePoints(normaliseText(beginning(text)).trim(), SORT_KEY_LENGTH).trimEnd();
}

/**
 * {@link sortKey} followed by a tie breaker for texts with the same key: first accents (none before
 * some), then case (lower before upper), as docs/decisions/lists.md defines. Plain lower-case text
 * has no tie breaker, so its key is its `sortKey`. Texts that are equal on these levels (full-width
 * forms, say) are ordered by the id. At most 404 code points and 1,400 bytes.
 *
 * A prefix search on the column still works: the key starts with the sort key.
 */
export function sortKeyWithTies(text: string): string {
  const primary = sortKey(text);
  if (text === primary) return primary;
  let accents = '';
  let accentCount = 0;
  let cases = '';
  let caseCount = 0;
  for (const character of decompose(beginning(text))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()) {
    if (isAccent(character)) {
      if (accentCount++ < TIE_LENGTH) accents += character;
      continue;
    }
    if (accentCount >= TIE_LENGTH && caseCount >= TIE_LENGTH) break;
    const lower = character.toLowerCase();
    const folded = foldCase(lower);
    let variant = folded === lower ? NO_DIFFERENCE : OTHER_VARIANT;
    if (lower !== character) variant = UPPER_CASE;
    for (const _ of folded) {
      if (accentCount++ < TIE_LENGTH) accents += NO_DIFFERENCE;
      if (caseCount++ < TIE_LENGTH) cases += variant;
    }
    if (isStrokeLetter(lower) && accentCount++ < TIE_LENGTH) accents += STROKE_MARK;
  }
  accents = withoutTrailing(accents);
  cases = withoutTrailing(cases);
  if (accents === '' && cases === '') return primary;
  return `${primary}${LEVEL_SEPARATOR}${accents}${cases === '' ? '' : LEVEL_SEPARATOR + cases}`;
}

/** Moves surrogates above the rest of the basic plane, which is where their characters are in code point order. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/**
 * Order by code point: the order of the UTF-8 bytes, of PostgreSQL's `COLLATE "C"`, and not that of `<` on JavaScript
 * strings, which puts an emoji before U+FF5E.
 */
export function compareSortKeys(a: string, b: string): number {
  const left = a.isWellFormed() ? a : a.toWellFormed();
  const right = b.isWellFormed() ? b : b.toWellFormed();
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const x = left.charCodeAt(i);
    const y = right.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return left.length - right.length;
}
