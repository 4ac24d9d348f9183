/**
 * Lexemes of words: the word, and its stem in each language. A stem is marked with its language,
 * so that the stem of one language does not match a word of another. Stems come from the Snowball
 * dictionaries of PostgreSQL.
 */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { LRUCache } from 'lru-cache';

/** Dictionaries by the mark of their stems. */
const DICTIONARIES = {
  en: 'english_stem',
  it: 'italian_stem',
  de: 'german_stem',
  fr: 'french_stem',
  es: 'spanish_stem',
} as const;
const MARKS = Object.keys(DICTIONARIES);

/** Words that have stems, or that the dictionaries leave out: of Latin letters in their normal form. */
const STEMMED = /^[a-z]{1,40}$/;
/** Shorter stems match no other word: they would have too many. */
const SHORTEST_STEM = 3;

/** Stems of a word. */
interface WordStems {
  /** Marked stems, such as `en=contract`. */
  readonly marked: readonly string[];
  /** The same without marks, without repetition. */
  readonly plain: readonly string[];
  /** Whether the word is so common in some language that a search need not demand it. */
  readonly common: boolean;
}

/** Stems of words, by word; words without stems may be missing. */
export type Stems = ReadonlyMap<string, WordStems>;

const NONE: WordStems = { marked: [], plain: [], common: false };
const known = new LRUCache<string, WordStems>({ max: 50_000 });

/** Words of a statement: the answer for more would take long to read. */
const SOME_WORDS = 5_000;

/** Reads the stems of words that are not known yet, in one statement for some thousand of them. */
export async function readStems(db: TenantExecutor, words: Iterable<string>): Promise<Stems> {
  const stems = new Map<string, WordStems>();
  const missing: string[] = [];
  for (const word of new Set(words)) {
    if (!STEMMED.test(word)) continue;
    const found = known.get(word);
    if (found) stems.set(word, found);
    else missing.push(word);
  }
  for (let at = 0; at < missing.length; at += SOME_WORDS) {
    for (const [word, found] of await lookUp(db, missing.slice(at, at + SOME_WORDS))) stems.set(word, found);
  }
  return stems;
}

async function lookUp(db: TenantExecutor, words: readonly string[]): Promise<[string, WordStems][]> {
  const columns = Object.entries(DICTIONARIES).map(
    ([mark, dictionary]) => `coalesce((ts_lexize('pg_catalog.${dictionary}', w.word))[1], '') AS ${mark}`,
  );
  const rows = await db.query<{ word: string } & Record<string, string>>(
    `SELECT w.word, ${columns.join(', ')} FROM tenant_versions a, unnest($2::text[]) AS w (word) WHERE a.tenant_id = $1`,
    [db.tenantId, words],
  );
  return rows.map(({ word, ...byMark }) => {
    const found = stemsOf(byMark);
    known.set(word, found);
    return [word, found];
  });
}

function stemsOf(byMark: Readonly<Record<string, string>>): WordStems {
  const marked: string[] = [];
  const plain = new Set<string>();
  for (const mark of MARKS) {
    const stem = byMark[mark] as string;
    if (stem.length < SHORTEST_STEM) continue;
    marked.push(`${mark}=${stem}`);
    plain.add(stem);
  }
  // A dictionary has no stem of the words that it leaves out.
  return { marked, plain: [...plain], common: MARKS.some((mark) => byMark[mark] === '') };
}

/**
 * Returns the lexemes of a word in an indexed text. A stem that equals the word is left out: the
 * word stands for it.
 */
export function textLexemes(word: string, stems: Stems): string[] {
  const { marked } = stems.get(word) ?? NONE;
  return [word, ...marked.filter((stem) => stem.slice(3) !== word)];
}

/** Returns the lexemes by which a searched word is found: of a text one of them is enough. */
export function queryLexemes(word: string, stems: Stems): string[] {
  const { marked, plain } = stems.get(word) ?? NONE;
  return [...new Set([word, ...marked, ...plain])];
}

/** Whether a word may stand for its continuations: the mark of a language would stand for all stems of it. */
export const goesOn = (word: string): boolean => !MARKS.includes(word);

/** Whether a search need not demand a word, such as an article. */
export function isCommon(word: string, stems: Stems): boolean {
  return stems.get(word)?.common ?? false;
}
