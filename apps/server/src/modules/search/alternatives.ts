/** Words of the index that a misspelt word or a part of a word may stand for. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { editDistance, escapeLike, isOfPairs } from '@portico/platform/text';
import { queryLexemes, readStems, type Stems } from './lexemes.ts';
import type { ParsedQuery } from './parse-query.ts';

/** Shorter words have too many words that differ in one letter. */
export const SHORTEST_MISSPELT = 6;
/** Shorter parts are in too many words. */
const SHORTEST_PART = 3;
/** Shorter stems do not stand for a misspelt inflection. */
const SHORTEST_STEM = 5;
/** Letters that an inflection may have more than its stem, or other ones. */
const LONGEST_ENDING = 3;
/** Maximum numbers of words with the same half, of these that are compared, of near words and of words with a part. */
const HALF_ALIKE = 20_000;
const COMPARED = 200;
const MOST_NEAR = 8;
const MOST_PARTS = 40;

/** Alternatives of the words of a query. */
interface FoundAlternatives {
  /** Words with one other, missing, additional or exchanged letter, by the searched word; inflected ones too. */
  readonly near: ReadonlyMap<string, readonly string[]>;
  /** Words that contain it. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
}

/** Looks for alternatives in two statements for each word. @param stems of the words of the query */
export async function findAlternatives(
  db: TenantExecutor,
  query: ParsedQuery,
  stems: Stems,
): Promise<FoundAlternatives> {
  const words = new Set(
    query.groups
      .flat()
      .filter(({ words, quoted }) => words.length === 1 && !quoted && !isOfPairs(words[0]!.word))
      .map(({ words }) => words[0]!.word),
  );
  const alike = new Map<string, readonly string[]>();
  const parts = new Map<string, readonly string[]>();
  await db.pipeline((line) =>
    Promise.all(
      [...words].map(async (word) => {
        if (word.length < SHORTEST_PART) return;
        const [containing, similar] = await Promise.all([readParts(line, word), readSimilar(line, word, stems)]);
        if (containing.length > 0) parts.set(word, containing);
        if (similar.length > 0) alike.set(word, similar);
      }),
    ),
  );
  const inflected = await readStems(db, [...alike.values()].flat());
  const near = [...alike].map(([word, others]) => [word, nearOnes(word, others, stems, inflected)] as const);
  return { near: new Map(near.filter(([, others]) => others.length > 0)), parts };
}

async function readParts(db: TenantExecutor, word: string): Promise<string[]> {
  const rows = await db.query<{ word: string }>(
    `SELECT w.word FROM search_words_view w WHERE w.tenant_id = $1 AND w.word LIKE $2 ESCAPE '\\' AND w.word <> $3
      LIMIT ${MOST_PARTS}`,
    [db.tenantId, `%${escapeLike(word)}%`, word],
    { planned: true },
  );
  return rows.map((row) => row.word);
}

/** @returns words that may have one other letter than a word, or than an inflection of it */
async function readSimilar(db: TenantExecutor, word: string, stems: Stems): Promise<string[]> {
  if (word.length < SHORTEST_MISSPELT) return [];
  // One wrong letter leaves one half of the word as it is, or of its stem.
  const stem = shortestStem(word, stems);
  const half = Math.floor(stem.length / 2);
  const rows = await db.query<{ word: string }>(
    `SELECT w.word FROM (
       SELECT w.word FROM search_words_view w
        WHERE w.tenant_id = $1 AND length(w.word) BETWEEN $4 AND $5
          AND (w.word LIKE $2 ESCAPE '\\' OR w.word LIKE $3 ESCAPE '\\') LIMIT ${HALF_ALIKE}) w
      ORDER BY similarity(w.word, $6) DESC LIMIT ${COMPARED}`,
    [
      db.tenantId,
      `${escapeLike(stem.slice(0, half))}%`,
      `%${escapeLike(stem.slice(half))}%`,
      stem.length - 1,
      word.length + LONGEST_ENDING,
      word,
    ],
    { planned: true },
  );
  return rows.map((row) => row.word).filter((other) => other !== word && editDistance(word, other) <= LONGEST_ENDING);
}

/** @returns the shortest stem of a word whose halves are long enough for the index of parts */
const shortestStem = (word: string, stems: Stems): string =>
  [word, ...(stems.get(word)?.plain ?? [])]
    .filter(({ length }) => length >= SHORTEST_MISSPELT)
    .reduce((shortest, stem) => (stem.length < shortest.length ? stem : shortest));

/**
 * Returns similar words with one other letter; if there are none, words whose stem has one other
 * letter. Words with the same stem are left out: the search finds them without a correction.
 */
function nearOnes(word: string, similar: readonly string[], stems: Stems, inflected: Stems): string[] {
  const own = new Set(stems.get(word)?.marked);
  const others = similar.filter((other) => !inflected.get(other)?.marked.some((stem) => own.has(stem)));
  const near = others.filter((other) => isNear(word, other));
  const found =
    near.length > 0
      ? near
      : others.filter((other) => inflected.get(other)?.marked.some((stem) => isNearStem(stem, own)));
  return found.sort((a, b) => (a < b ? -1 : 1)).slice(0, MOST_NEAR);
}

/** Whether stems of one language differ in one letter. */
const isNearStem = (stem: string, own: ReadonlySet<string>): boolean =>
  [...own].some(
    (other) =>
      other.slice(0, 3) === stem.slice(0, 3) &&
      other.length >= SHORTEST_STEM + 3 &&
      stem.length >= SHORTEST_STEM + 3 &&
      isNear(other.slice(3), stem.slice(3)),
  );

/** Whether one letter is another, missing or added, or two neighbours are exchanged. */
export function isNear(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  if (editDistance(word, other) <= 1) return true;
  if (word.length !== other.length) return false;
  const at = [...word].findIndex((letter, index) => letter !== other[index]);
  return at >= 0 && word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === other;
}

/** Characters of all alternatives of a query: a condition may repeat them for each of its words. */
const MOST_CHARACTERS = 12_000;

/**
 * Returns alternatives with their inflections, as conditions take them. Words of a query share a
 * number of characters; alternatives beyond it are left out.
 */
export function withStems(alternatives: ReadonlyMap<string, readonly string[]>, stems: Stems): Map<string, string[]> {
  const most = MOST_CHARACTERS / alternatives.size;
  return new Map(
    [...alternatives].map(([word, others]) => {
      const lexemes: string[] = [];
      let characters = 0;
      for (const other of others) {
        const more = queryLexemes(other, stems);
        characters += more.join('').length;
        if (characters > most) break;
        lexemes.push(...more);
      }
      return [word, lexemes];
    }),
  );
}
