/**
 * Finds the words of a query in a text: verifies results before they are shown, and marks what
 * matched.
 */
import { finishAtOnce } from '@portico/platform/parts';
import type { TextWord } from '@portico/platform/text';
import { queryLexemes, type Stems, textLexemes } from './lexemes.ts';
import type { ParsedQuery, Term } from './parse-query.ts';
import type { Alternatives } from './query-text.ts';

/** A part of a text, in UTF-16 units. */
export interface Mark {
  start: number;
  end: number;
}

/** A term, prepared for many texts. */
interface PreparedTerm {
  readonly words: readonly {
    readonly lexemes: ReadonlySet<string>;
    readonly prefix: string | undefined;
    readonly gap: number;
  }[];
}

/** Marks of a group in one text that are looked for: an excerpt shows few. */
const MOST_MARKS = 500;
/** Comparisons after which other work may go on. */
const STEPS = 1_000;

/** Matches terms of a query with words. */
export class Matcher {
  readonly #groups: readonly (readonly PreparedTerm[])[];
  /** First letters of the lexemes, without the marks of languages. */
  readonly #beginnings: ReadonlySet<string>;

  /** @param groups whose matches count  @param stems of the words of the query */
  constructor(groups: ParsedQuery['groups'], stems: Stems, alternatives: Alternatives) {
    this.#groups = groups.map((group) => group.map((term) => prepare(term, stems, alternatives)));
    const lexemes = this.#groups.flat().flatMap(({ words }) => words.flatMap((one) => [...one.lexemes]));
    this.#beginnings = new Set(lexemes.map((lexeme) => lexeme[lexeme.indexOf('=') + 1] ?? ''));
  }

  /** Number of groups. */
  get size(): number {
    return this.#groups.length;
  }

  /** Whether a word may match by its stem: a stem begins as its word does. */
  needsStems(word: string): boolean {
    return this.#beginnings.has(word[0] ?? '');
  }

  /** Returns the parts of a text that match, for each group. @param stems of the words of the text */
  marks(words: readonly TextWord[], stems: Stems): Mark[][] {
    return finishAtOnce(this.marksInParts(words, stems));
  }

  /** The same for a long text, as work in parts. */
  *marksInParts(words: readonly TextWord[], stems: Stems): Generator<void, Mark[][]> {
    const text = new LexemesOfText(words, stems);
    const all: Mark[][] = [];
    let steps = 0;
    for (const group of this.#groups) {
      const found: Mark[] = [];
      all.push(found);
      for (const term of group) {
        for (const [at, { start }] of words.entries()) {
          if (++steps % STEPS === 0) yield;
          if (found.length >= MOST_MARKS) break;
          const end = text.endOfMatch(term, at);
          if (end !== undefined) found.push({ start, end });
        }
      }
    }
    return all;
  }
}

function prepare({ words, prefix, quoted }: Term, stems: Stems, alternatives: Alternatives): PreparedTerm {
  const alone = words.length === 1 && !quoted;
  return {
    words: words.map(({ word, place }, at) => ({
      lexemes: new Set(alone ? [...queryLexemes(word, stems), ...(alternatives.get(word) ?? [])] : [word]),
      prefix: prefix && at === words.length - 1 ? word : undefined,
      gap: place - (words[at - 1]?.place ?? place),
    })),
  };
}

/** The words of a text with their lexemes. */
class LexemesOfText {
  readonly #words: readonly TextWord[];
  readonly #stems: Stems;
  readonly #lexemes: (readonly string[])[] = [];
  #byPlace: ReadonlyMap<number, number> | undefined;

  constructor(words: readonly TextWord[], stems: Stems) {
    this.#words = words;
    this.#stems = stems;
  }

  /** Returns the end of the match of a term that begins with a word; undefined if none does. */
  endOfMatch(term: PreparedTerm, first: number): number | undefined {
    let at: number | undefined = first;
    let place = this.#words[first]!.place;
    for (const { lexemes: wanted, prefix, gap } of term.words) {
      if (gap > 0) {
        place += gap;
        at = this.#at(place);
      }
      if (at === undefined) return undefined;
      const { word } = this.#words[at]!;
      const matches =
        wanted.has(word) ||
        (prefix !== undefined && word.startsWith(prefix)) ||
        this.#lexemesAt(at).some((lexeme) => wanted.has(lexeme));
      if (!matches) return undefined;
    }
    return this.#words[at as number]!.end;
  }

  #lexemesAt(at: number): readonly string[] {
    this.#lexemes[at] ??= textLexemes(this.#words[at]!.word, this.#stems);
    return this.#lexemes[at];
  }

  #at(place: number): number | undefined {
    this.#byPlace ??= new Map(this.#words.map((word, at) => [word.place, at]));
    return this.#byPlace.get(place);
  }
}

/** Returns marks in order, overlapping and touching ones as one. */
export function joinMarks(marks: readonly Mark[]): Mark[] {
  const joined: Mark[] = [];
  for (const { start, end } of [...marks].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Characters of an excerpt, and of them before the first match. */
const EXCERPT = 220;
const BEFORE = 60;
const SPACES = /\s+/g;

/** A part of a text with what matched in it. */
export interface Excerpt {
  text: string;
  marks: Mark[];
}

/** Cuts the part of a text around the place with most matches; white space becomes single spaces. */
export function excerptOf(text: string, marks: readonly Mark[]): Excerpt {
  const joined = joinMarks(marks);
  const from = wordStart(text, Math.max(0, densest(joined) - BEFORE));
  const cut = text.length - from > EXCERPT ? wordStart(text, from + EXCERPT) : text.length;
  const to = cut > from ? cut : Math.min(text.length, from + EXCERPT);
  let shown = from > 0 ? '…' : '';
  const kept: Mark[] = [];
  let at = from;
  const add = (part: string) => {
    const flat = part.replace(SPACES, ' ');
    shown += shown === '' || shown.endsWith(' ') || shown === '…' ? flat.replace(/^ /, '') : flat;
  };
  for (const { start, end } of joined) {
    if (start < from || end > to) continue;
    add(text.slice(at, start));
    const begin = shown.length;
    add(text.slice(start, end));
    kept.push({ start: begin, end: shown.length });
    at = end;
  }
  add(text.slice(at, to));
  return { text: `${shown.trimEnd()}${to < text.length ? '…' : ''}`, marks: kept };
}

/** @returns the start of the mark after which most marks are within an excerpt */
function densest(marks: readonly Mark[]): number {
  let best = { start: 0, count: 0 };
  for (const [at, { start }] of marks.slice(0, 200).entries()) {
    let count = 0;
    for (let next = at; next < marks.length && marks[next]!.end <= start + EXCERPT - BEFORE; next++) count += 1;
    if (count > best.count) best = { start, count };
  }
  return best.start;
}

/** @returns the start of the first word at or after a place that is not too far */
function wordStart(text: string, place: number): number {
  if (place === 0) return 0;
  const space = text.slice(place, place + 30).search(/\s/);
  if (space >= 0) return place + space + 1;
  return (text.charCodeAt(place) & 0xfc00) === 0xdc00 ? place + 1 : place;
}
