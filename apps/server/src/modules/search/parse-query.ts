/** Reads the text of a search. */
import { searchLimits } from '@portico/contract';
import { isOfPairs, textWords } from '@portico/platform/text';
import { goesOn } from './lexemes.ts';

/** A searched word or phrase. */
export interface Term {
  /** Words of a phrase, with their places in it; a single word is a phrase of one. */
  readonly words: readonly { readonly word: string; readonly place: number }[];
  /** Whether the last word may go on. */
  readonly prefix: boolean;
  /** Whether it was in quotes: then inflections do not match. */
  readonly quoted: boolean;
}

/** A restriction such as `in:support`. */
export interface Restriction {
  readonly key: string;
  readonly value: string;
  /** As it was written. */
  readonly text: string;
}

export interface ParsedQuery {
  /** A result has a term of each group. */
  readonly groups: readonly (readonly Term[])[];
  /** A result has none of them. */
  readonly not: readonly Term[];
  readonly restrictions: readonly Restriction[];
}

/** Minus sign, key (in quotes or not), value (in quotes or not). */
const PART = /(-)?(?:(?:"([^"]+)"|([\p{L}\p{N}_]+)):(?=[^\s:/]))?(?:"([^"]*)"?|(\S+))/gu;
/** Shorter words do not stand for their continuations. */
const SHORTEST_PREFIX = 2;
/** Articles and prepositions before an apostrophe, in Italian and French: words of their own that need not match. */
const ELIDED = /^(?:[cdjlmnst]|qu|un|(?:a|da|de|ne|su)ll|coll|quell)['’](?=[\p{L}\p{N}])/iu;
/** Words joined by hyphens, which texts may write as one: `e-mail`. */
const HYPHENS = /[-‐‑]/gu;
const HYPHENATED = /^[\p{L}\p{N}]+(?:[-‐‑][\p{L}\p{N}]+){1,2}$/u;

/**
 * Reads words, phrases, exclusions, alternatives and restrictions.
 * @param isKey whether a word before a colon names a restriction; other words are searched for
 */
export function parseQuery(text: string, isKey: (key: string) => boolean): ParsedQuery {
  const groups: Term[][] = [];
  const not: Term[] = [];
  const restrictions: Restriction[] = [];
  let joins = false;
  let left: number = searchLimits.terms;
  for (const match of text.matchAll(PART)) {
    const [whole, minus, quotedKey, plainKey, quoted, plain] = match;
    const key = quotedKey ?? plainKey;
    const value = quoted ?? plain ?? '';
    if (key !== undefined && minus === undefined && isKey(key)) {
      restrictions.push({ key, value, text: whole });
      continue;
    }
    if (key === undefined && quoted === undefined && (value === '|' || value.toLowerCase() === 'or')) {
      joins = groups.length > 0;
      continue;
    }
    const ends = quoted === undefined && match.index + whole.length === text.length;
    const free = quoted === undefined && key === undefined;
    const words = free ? value.replace(ELIDED, '') : value;
    const term = readTerm(key === undefined ? words : `${key} ${value}`, left, ends, quoted !== undefined);
    if (!term) continue;
    left -= term.words.length;
    const joined = free && HYPHENATED.test(words) ? readTerm(words.replace(HYPHENS, ''), 1, ends, false) : undefined;
    const terms = joined ? [term, joined] : [term];
    if (minus !== undefined) not.push({ ...term, prefix: false });
    else if (joins) groups.at(-1)!.push(...terms);
    else groups.push(terms);
    joins = false;
  }
  return { groups, not, restrictions };
}

function readTerm(text: string, most: number, ends: boolean, quoted: boolean): Term | undefined {
  const all = [...textWords(text, most)];
  // The last character of a run is a word of its own only where it is the whole run.
  const words = all.filter(
    ({ word, start }, at) => !(isOfPairs(word) && [...word].length === 1 && (all[at - 1]?.end ?? -1) > start),
  );
  const last = words.at(-1);
  if (!last) return undefined;
  const alone = isOfPairs(last.word) && [...last.word].length === 1;
  const prefix = alone || (ends && !isOfPairs(last.word) && last.word.length >= SHORTEST_PREFIX && goesOn(last.word));
  return { words: words.map(({ word, place }) => ({ word, place })), prefix, quoted };
}
