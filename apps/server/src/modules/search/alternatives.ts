/** Words of the index that a misspelt word or a part of a word may stand for. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { editDistance, escapeLike, isOfPairs } from '@portico/platform/text';
import { queryLexemes, type Stems } from './lexemes.ts';
import type { ParsedQuery } from './parse-query.ts';

/** Shorter words have too many words that differ in one letter. */
export const SHORTEST_MISSPELT = 6;
/** Shorter parts are in too many words. */
const SHORTEST_PART = 3;
/** Maximum numbers of compared words, of near words and of words with a part. */
const COMPARED = 400;
const MOST_NEAR = 8;
const MOST_PARTS = 40;

/** Alternatives of the words of a query. */
interface FoundAlternatives {
  /** Words with one other, missing, additional or exchanged letter, by the searched word. */
  readonly near: ReadonlyMap<string, readonly string[]>;
  /** Words that contain it. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
}

/** Looks for alternatives in one statement for each word. */
export async function findAlternatives(db: TenantExecutor, query: ParsedQuery): Promise<FoundAlternatives> {
  const words = new Set(
    query.groups
      .flat()
      .filter(({ words, quoted }) => words.length === 1 && !quoted && !isOfPairs(words[0]!.word))
      .map(({ words }) => words[0]!.word),
  );
  const near = new Map<string, readonly string[]>();
  const parts = new Map<string, readonly string[]>();
  await db.pipeline((line) =>
    Promise.all(
      [...words].map(async (word) => {
        if (word.length < SHORTEST_PART) return;
        const [containing, alike] = await Promise.all([readParts(line, word), readNear(line, word)]);
        if (containing.length > 0) parts.set(word, containing);
        if (alike.length > 0) near.set(word, alike);
      }),
    ),
  );
  return { near, parts };
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

async function readNear(db: TenantExecutor, word: string): Promise<string[]> {
  if (word.length < SHORTEST_MISSPELT) return [];
  // One wrong letter leaves one half of the word as it is.
  const half = Math.floor(word.length / 2);
  const rows = await db.query<{ word: string }>(
    `SELECT w.word FROM search_words_view w
      WHERE w.tenant_id = $1 AND length(w.word) BETWEEN $4 - 1 AND $4 + 1
        AND (w.word LIKE $2 ESCAPE '\\' OR w.word LIKE $3 ESCAPE '\\') LIMIT ${COMPARED}`,
    [db.tenantId, `${escapeLike(word.slice(0, half))}%`, `%${escapeLike(word.slice(half))}`, word.length],
    { planned: true },
  );
  return rows
    .map((row) => row.word)
    .filter((other) => other !== word && isNear(word, other))
    .sort((a, b) => (a < b ? -1 : 1))
    .slice(0, MOST_NEAR);
}

/** Whether one letter is another, missing or added, or two neighbours are exchanged. */
export function isNear(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  if (editDistance(word, other) <= 1) return true;
  if (word.length !== other.length) return false;
  const at = [...word].findIndex((letter, index) => letter !== other[index]);
  return at >= 0 && word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === other;
}

/** Alternatives with their inflections, as conditions take them. */
export function withStems(alternatives: ReadonlyMap<string, readonly string[]>, stems: Stems): Map<string, string[]> {
  return new Map(
    [...alternatives].map(([word, others]) => [word, others.flatMap((other) => queryLexemes(other, stems))]),
  );
}
