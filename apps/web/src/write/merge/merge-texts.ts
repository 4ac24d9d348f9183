/** Merges texts that two people changed from the same one, and finds their differences. Pure. */
import { diff3Merge, diffIndices } from 'node-diff3';

/** Words, blanks, marks and line ends of a text: each is an operation of a delta, as JSON. */
type Words = readonly string[];

/** Words that both texts agree on, or that both changed. */
type Place = { readonly agreed: Words } | { readonly base: Words; readonly mine: Words; readonly theirs: Words };

export interface TextMerge {
  readonly places: readonly Place[];
  /** Whether the changes are in different lines. */
  readonly apart: boolean;
}

/** The text that is chosen for a place that both changed. */
export type Side = 'mine' | 'theirs' | 'both';

/** Words of a text beside another one. */
export interface Change {
  readonly kind: 'same' | 'added' | 'removed';
  readonly words: Words;
}

/** Texts with more lines, and changed lines with more words, are compared as wholes: the search takes their square. */
const MOST_LINES = 2_000;
const MOST_WORDS = 2_000;

const LINE_END = '\n';
/** Scripts without blanks between words: each sign is a word. */
const SIGN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]`;
const WORD = new RegExp(String.raw`\n|[^\S\n]+|${SIGN}|(?:(?!${SIGN})[\p{L}\p{N}\p{M}_])+|[^]`, 'gu');

interface Op {
  readonly insert?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

function opsOf(text: string, rich: boolean): readonly Op[] {
  if (!rich) return [{ insert: text }];
  if (text === '') return [];
  const delta = JSON.parse(text) as readonly Op[] | { ops: readonly Op[] };
  return 'ops' in delta ? delta.ops : delta;
}

/** The order of attributes makes no difference. */
const wordOf = (insert: unknown, { attributes }: Op): string =>
  JSON.stringify(
    attributes === undefined
      ? { insert }
      : { insert, attributes: Object.fromEntries(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))) },
  );

/** Returns the operation that a word is. */
export const readWord = (word: string): Op => JSON.parse(word) as Op;

export const isLineEnd = (word: string): boolean => readWord(word).insert === LINE_END;

function wordsOf(text: string, rich: boolean): Words {
  return opsOf(text, rich).flatMap((op) =>
    typeof op.insert === 'string'
      ? (op.insert.match(WORD) ?? []).map((word) => wordOf(word, op))
      : [wordOf(op.insert, op)],
  );
}

/** A line with its end; its words are joined, as lines are compared as wholes. No word contains a line end. */
function linesOf(text: string, rich: boolean): readonly string[] {
  const lines: string[][] = [[]];
  for (const word of wordsOf(text, rich)) {
    lines.at(-1)!.push(word);
    if (isLineEnd(word)) lines.push([]);
  }
  return lines.filter(({ length }) => length > 0).map((line) => line.join(LINE_END));
}

const inWords = (lines: readonly string[]): Words => lines.flatMap((line) => line.split(LINE_END));

/** Returns the text of words. */
export function textOfWords(words: Words, rich: boolean): string {
  const ops: { insert: unknown; attributes?: unknown }[] = [];
  for (const { insert, attributes } of words.map(readWord)) {
    const last = ops.at(-1);
    const joined =
      typeof insert === 'string' &&
      typeof last?.insert === 'string' &&
      JSON.stringify(last.attributes) === JSON.stringify(attributes);
    if (joined) last.insert = `${last.insert as string}${insert}`;
    else ops.push({ insert, ...(attributes && { attributes }) });
  }
  if (!rich) return ops.map(({ insert }) => insert).join('');
  return ops.length === 0 ? '' : JSON.stringify(ops);
}

/** How many items all lists have in common at the start, and at the end. */
function inCommon(lists: readonly (readonly string[])[]): readonly [number, number] {
  const [first, ...others] = lists as [readonly string[], ...(readonly string[])[]];
  const shortest = Math.min(...lists.map(({ length }) => length));
  let start = 0;
  while (start < shortest && others.every((list) => list[start] === first[start])) start++;
  let end = 0;
  while (end < shortest - start && others.every((list) => list.at(-1 - end) === first.at(-1 - end))) end++;
  return [start, end];
}

/** Merges lists: places that both changed have all three. */
function mergeLists(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  most: number,
): readonly Place[] {
  const [start, end] = inCommon([base, mine, theirs]);
  const [o, a, b] = [base, mine, theirs].map((list) => list.slice(start, list.length - end)) as [
    string[],
    string[],
    string[],
  ];
  const long = [o, a, b].some(({ length }) => length > most);
  const between: Place[] = long
    ? [{ base: o, mine: a, theirs: b }]
    : diff3Merge(a, o, b).map(({ ok, conflict }) =>
        conflict ? { base: conflict.o, mine: conflict.a, theirs: conflict.b } : { agreed: ok ?? [] },
      );
  return [{ agreed: base.slice(0, start) }, ...between, { agreed: base.slice(base.length - end) }];
}

/**
 * Merges two changes of a text: first whole lines, then the words of lines that both changed.
 * @param rich whether the texts are deltas
 */
export function mergeTexts(base: string, mine: string, theirs: string, rich: boolean): TextMerge {
  let apart = true;
  const lines = mergeLists(linesOf(base, rich), linesOf(mine, rich), linesOf(theirs, rich), MOST_LINES);
  const places = lines.flatMap((place) => {
    if ('agreed' in place) return [{ agreed: inWords(place.agreed) }];
    apart = false;
    return mergeLists(inWords(place.base), inWords(place.mine), inWords(place.theirs), MOST_WORDS);
  });
  return { places: places.filter((place) => !('agreed' in place) || place.agreed.length > 0), apart };
}

/** Returns the places that both changed. */
export const overlapsOf = ({ places }: TextMerge) => places.flatMap((place) => ('agreed' in place ? [] : [place]));

/** Returns the words of a merge, with a side chosen for each place that both changed. */
export function resolved({ places }: TextMerge, sides: readonly Side[]): Words {
  let at = 0;
  return places.flatMap((place) => {
    if ('agreed' in place) return place.agreed;
    const side = sides[at++] ?? 'mine';
    return side === 'both' ? [...place.mine, ...place.theirs] : place[side];
  });
}

function changesOf(base: readonly string[], other: readonly string[], most: number): readonly Change[] {
  const [start, end] = inCommon([base, other]);
  const [from, to] = [base.slice(start, base.length - end), other.slice(start, other.length - end)];
  const changes: Change[] = [{ kind: 'same', words: base.slice(0, start) }];
  let at = 0;
  const long = Math.max(from.length, to.length) > most;
  const found = long
    ? [{ buffer1: [0, from.length] as const, buffer1Content: from, buffer2Content: to }]
    : diffIndices(from, to);
  for (const { buffer1, buffer1Content, buffer2Content } of found) {
    changes.push({ kind: 'same', words: from.slice(at, buffer1[0]) });
    changes.push({ kind: 'removed', words: buffer1Content }, { kind: 'added', words: buffer2Content });
    at = buffer1[0] + buffer1[1];
  }
  changes.push({ kind: 'same', words: from.slice(at) }, { kind: 'same', words: base.slice(base.length - end) });
  return changes.filter(({ words }) => words.length > 0);
}

/** Returns the differences of a text from another one, in its order. */
export function differences(base: string, other: string, rich: boolean): readonly Change[] {
  const lines = changesOf(linesOf(base, rich), linesOf(other, rich), MOST_LINES);
  return lines.flatMap((change, index) => {
    const words = inWords(change.words);
    const next = lines[index + 1];
    if (change.kind === 'removed' && next?.kind === 'added') return changesOf(words, inWords(next.words), MOST_WORDS);
    // Its words are among those of the change before.
    if (change.kind === 'added' && lines[index - 1]?.kind === 'removed') return [];
    return [{ kind: change.kind, words }];
  });
}
