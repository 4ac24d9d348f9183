/** Presents results: their texts, with the parts that matched. */
import type { SearchResult } from '@portico/contract';
import { finishInTurns } from '@portico/platform/parts';
import { type TextWord, textWords } from '@portico/platform/text';
import type { Scope } from '../../kernel/scope.ts';
import type { CommunityDefinition } from '../communities/index.ts';
import { usersOf } from '../people/index.ts';
import { type EntryLabels, type FieldData, openFieldTexts, readEntryLabels } from '../post-parts/index.ts';
import type { Candidate } from './candidates.ts';
import { EntryKind, readTexts, type SourceTexts, sizesOf } from './entries.repository.ts';
import { readStems, type Stems } from './lexemes.ts';
import { type Excerpt, excerptOf, joinMarks, type Mark, type Matcher } from './match.ts';
import type { NamedResult } from './names.ts';
import { portionsOf } from './portions.ts';
import { KIND_NAMES, type Ranked, stateName } from './rank.ts';

/** Characters of the text of a file in which a match is marked. */
const FILE_LENGTH = 100_000;
/** Words of a text in which a match is marked, and of the texts of an answer together. */
const MOST_WORDS = 20_000;
const MOST_WORDS_TOGETHER = 200_000;
/** Words of each text of the results beyond. */
const FEW_WORDS = 500;
/** Bytes of the texts of results that are read at once. */
const PORTION_BYTES = 12 * 1024 * 1024;
/** Words after which other work may go on. */
const STEPS = 200;

/** How results are found. */
interface Shown {
  readonly matcher: Matcher;
  readonly definitions: ReadonlyMap<number, CommunityDefinition>;
  /** Whether a result must match every group of the query. */
  readonly everyGroup: boolean;
}

/** A part of an object in which words are marked. */
interface Part {
  readonly text: string;
  readonly label?: string;
}

/** A part with its words, or the first of them. */
interface ReadPart extends Part {
  readonly words: readonly TextWord[];
  readonly whole: boolean;
}

/** The texts of an entry. */
interface ReadEntry {
  readonly entry: Candidate;
  readonly texts: SourceTexts;
  readonly title: ReadPart;
  /** Title of the post of a task or file. */
  readonly inPost: ReadPart | undefined;
  readonly parts: readonly ReadPart[];
}

/**
 * Presents results. Entries whose texts do not match any more, or whose matching text the
 * index has of an earlier time, are left out.
 */
export async function presentResults(scope: Scope, results: readonly Ranked[], shown: Shown): Promise<SearchResult[]> {
  const entries = results.flatMap(({ entry }) => entry ?? []);
  const found = new Map<Candidate, SearchResult>();
  const budget = new WordBudget(shown.matcher.size > 0 ? MOST_WORDS_TOGETHER : 0);
  const sizes = await sizesOf(scope.db, entries, FILE_LENGTH);
  const sized = entries.map((entry, at) => ({ entry, size: sizes[at] ?? 0 }));
  for (const portion of portionsOf(sized, PORTION_BYTES)) {
    const some = portion.map(({ entry }) => entry);
    for (const [entry, result] of await presentEntries(scope, some, shown, budget)) found.set(entry, result);
  }
  const users = await usersOf(
    scope,
    scope.db,
    entries.map(({ authorId }) => authorId),
  );
  return results.flatMap(({ entry, named }): SearchResult[] => {
    if (named) return [presentNamed(named)];
    const result = found.get(entry);
    const author = users.get(entry.authorId);
    return result ? [{ ...result, ...(author && { authorUser: author }) }] : [];
  });
}

const presentNamed = ({ kind, id, name, marks, user, description, caption }: NamedResult): SearchResult => ({
  kind,
  id,
  title: name,
  titleMarks: [...marks],
  ...(kind === 'community' && { communityId: id, communityName: name }),
  ...(description && { excerpt: excerptOf(description, []).text }),
  ...(caption && presentExcerpt(excerptOf(caption.text, caption.marks))),
  ...(user && { authorUser: user }),
});

/** Presents some entries, in turns with other work. */
async function presentEntries(
  scope: Scope,
  entries: readonly Candidate[],
  shown: Shown,
  budget: WordBudget,
): Promise<[Candidate, SearchResult][]> {
  const { definitions, matcher } = shown;
  const texts = new Map(
    (await readTexts(scope.db, entries, FILE_LENGTH)).map((text) => [`${text.kind} ${text.id}`, text]),
  );
  const labels = await labelsOf(scope, texts, entries, definitions);
  const read: ReadEntry[] = [];
  const words = new Set<string>();
  for (const entry of entries) {
    const text = texts.get(`${entry.kind} ${entry.id}`);
    if (!text) continue;
    const parts = partsOf(text, definitions.get(entry.communityId), labels);
    read.push(
      await finishInTurns(
        readEntry(entry, text, parts, budget, (word) => {
          if (matcher.needsStems(word)) words.add(word);
        }),
      ),
    );
  }
  const stems = await readStems(scope.db, words);
  const found: [Candidate, SearchResult][] = [];
  for (const one of read) {
    const result = await finishInTurns(presentEntry(one, stems, shown));
    if (result) found.push([one.entry, result]);
  }
  return found;
}

/** Words that an answer reads. */
class WordBudget {
  #left: number;

  constructor(words: number) {
    this.#left = words;
  }

  /** Reads the words of a part. @param note gets each of them */
  *read(part: Part, note: (word: string) => void): Generator<void, ReadPart> {
    const words: TextWord[] = [];
    const most = this.#left > 0 ? MOST_WORDS : FEW_WORDS;
    for (const word of textWords(part.text, most + 1)) {
      if (words.length === most) return { ...part, words, whole: false };
      words.push(word);
      note(word.word);
      this.#left -= 1;
      if (words.length % STEPS === 0) yield;
    }
    yield;
    return { ...part, words, whole: true };
  }
}

function* readEntry(
  entry: Candidate,
  texts: SourceTexts,
  parts: readonly Part[],
  budget: WordBudget,
  note: (word: string) => void,
): Generator<void, ReadEntry> {
  const title = yield* budget.read({ text: texts.title ?? texts.postTitle ?? '' }, note);
  const inPost = texts.title === null ? undefined : yield* budget.read({ text: texts.postTitle ?? '' }, note);
  const read: ReadPart[] = [];
  for (const part of parts) read.push(yield* budget.read(part, note));
  return { entry, texts, title, inPost, parts: read };
}

/** Returns the labels of catalog entries among the values of posts. */
function labelsOf(
  scope: Scope,
  texts: ReadonlyMap<string, SourceTexts>,
  entries: readonly Candidate[],
  definitions: ReadonlyMap<number, CommunityDefinition>,
): Promise<EntryLabels> {
  const posts = entries.flatMap(({ kind, id, communityId }): [CommunityDefinition, FieldData][] => {
    const definition = definitions.get(communityId);
    const { customData, screenData } = texts.get(`${kind} ${id}`) ?? {};
    return definition && customData && screenData ? [[definition, { customData, screenData }]] : [];
  });
  return readEntryLabels(scope.db, posts);
}

/** The texts of an object, apart from its title. */
function partsOf(texts: SourceTexts, definition: CommunityDefinition | undefined, labels: EntryLabels): Part[] {
  const { text, customData, screenData } = texts;
  const fields =
    definition && customData && screenData ? openFieldTexts(definition, { customData, screenData }, labels) : [];
  return [{ text: text ?? '' }, ...fields].filter((part) => part.text !== '');
}

/** @returns undefined for an entry that does not match */
function* presentEntry(
  { entry, texts, title, inPost, parts: read }: ReadEntry,
  stems: Stems,
  { matcher, definitions, everyGroup }: Shown,
): Generator<void, SearchResult | undefined> {
  const inTitle = yield* matcher.marksInParts(title.words, stems);
  const ofPost = inPost ? yield* matcher.marksInParts(inPost.words, stems) : [];
  const parts: (ReadPart & { readonly marks: Mark[][] })[] = [];
  for (const part of read) parts.push({ ...part, marks: yield* matcher.marksInParts(part.words, stems) });
  const has = (group: number) =>
    [inTitle, ofPost, ...parts.map(({ marks }) => marks)].some((marks) => (marks[group]?.length ?? 0) > 0);
  const groups = Array.from({ length: matcher.size }, (_, group) => has(group));
  // Long texts are not read to their end.
  const whole =
    parts.every((part) => part.whole) && (entry.kind !== EntryKind.FILE || (texts.text?.length ?? 0) < FILE_LENGTH);
  if (whole && groups.length > 0 && !(everyGroup ? groups.every(Boolean) : groups.some(Boolean))) return undefined;
  const definition = definitions.get(entry.communityId);
  const best = bestPart(parts);
  const state = stateName(entry, definitions);
  const excerpt = best && excerptOf(best.text, best.marks.flat());
  return {
    kind: KIND_NAMES[entry.kind],
    id: entry.id,
    postId: entry.postId,
    communityId: entry.communityId,
    communityName: definition?.community.name ?? '',
    title: title.text,
    titleMarks: joinMarks(inTitle.flat()),
    ...(excerpt && presentExcerpt(excerpt)),
    ...(best?.label !== undefined && { fieldLabel: best.label }),
    ...(entry.kind !== EntryKind.POST && { postTitle: texts.postTitle ?? '' }),
    ...(state !== undefined && { stateName: state }),
    timestamp: entry.at,
  };
}

const presentExcerpt = ({ text, marks }: Excerpt) => ({ excerpt: text, excerptMarks: marks });

/** @returns the part with matches of most groups; the first one if none has any */
function bestPart<P extends { readonly marks: Mark[][] }>(parts: readonly P[]): P | undefined {
  const groupsIn = ({ marks }: P) => marks.filter((group) => group.length > 0).length;
  return [...parts].sort((a, b) => groupsIn(b) - groupsIn(a))[0];
}
