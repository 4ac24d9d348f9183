/** Presents results: their texts, with the parts that matched. */
import type { SearchResult } from '@portico/contract';
import { textWords } from '@portico/platform/text';
import type { Scope } from '../../kernel/scope.ts';
import type { CommunityDefinition } from '../communities/index.ts';
import { usersOf } from '../people/index.ts';
import { type EntryLabels, type FieldData, openFieldTexts, readEntryLabels } from '../post-parts/index.ts';
import type { Candidate } from './candidates.ts';
import { EntryKind, readTexts, type SourceTexts } from './entries.repository.ts';
import { readStems, type Stems } from './lexemes.ts';
import { type Excerpt, excerptOf, joinMarks, type Mark, type Matcher } from './match.ts';
import { KIND_NAMES, type Ranked, stateName } from './rank.ts';

/** Characters of the text of a file in which a match is marked. */
const FILE_LENGTH = 100_000;
/** Words of a text in which a match is marked. */
const MOST_WORDS = 20_000;

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

/**
 * Presents results. Entries whose texts do not match any more, or whose matching text the
 * index has of an earlier time, are left out.
 */
export async function presentResults(scope: Scope, results: readonly Ranked[], shown: Shown): Promise<SearchResult[]> {
  const entries = results.flatMap(({ entry }) => entry ?? []);
  const texts = new Map(
    (await readTexts(scope.db, entries, FILE_LENGTH)).map((text) => [`${text.kind} ${text.id}`, text]),
  );
  const labels = await labelsOf(scope, texts, entries, shown.definitions);
  const stems = await readStems(scope.db, wordsIn([...texts.values()], shown.definitions, entries, labels));
  const users = await usersOf(
    scope,
    scope.db,
    entries.map(({ authorId }) => authorId),
  );
  return results.flatMap(({ entry, named }): SearchResult[] => {
    if (named) {
      const { kind, id, name, marks, user, description, caption } = named;
      return [
        {
          kind,
          id,
          title: name,
          titleMarks: [...marks],
          ...(kind === 'community' && { communityId: id, communityName: name }),
          ...(description && { excerpt: excerptOf(description, []).text }),
          ...(caption && presentExcerpt(excerptOf(caption.text, caption.marks))),
          ...(user && { authorUser: user }),
        },
      ];
    }
    const text = texts.get(`${entry.kind} ${entry.id}`);
    const result = text && presentEntry(entry, text, stems, { ...shown, labels });
    const author = users.get(entry.authorId);
    return result ? [{ ...result, ...(author && { authorUser: author }) }] : [];
  });
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

function wordsIn(
  texts: readonly SourceTexts[],
  definitions: ReadonlyMap<number, CommunityDefinition>,
  entries: readonly Candidate[],
  labels: EntryLabels,
): Set<string> {
  const communityOf = new Map(entries.map((entry) => [`${entry.kind} ${entry.id}`, entry.communityId]));
  const words = new Set<string>();
  for (const text of texts) {
    const definition = definitions.get(communityOf.get(`${text.kind} ${text.id}`) ?? 0);
    for (const part of [
      text.title ?? '',
      text.postTitle ?? '',
      ...partsOf(text, definition, labels).map((one) => one.text),
    ]) {
      for (const { word } of textWords(part, MOST_WORDS)) words.add(word);
    }
  }
  return words;
}

/** The texts of an object, apart from its title. */
function partsOf(texts: SourceTexts, definition: CommunityDefinition | undefined, labels: EntryLabels): Part[] {
  const { text, customData, screenData } = texts;
  const fields =
    definition && customData && screenData ? openFieldTexts(definition, { customData, screenData }, labels) : [];
  return [{ text: text ?? '' }, ...fields].filter((part) => part.text !== '');
}

/** @returns undefined for an entry that does not match */
function presentEntry(
  entry: Candidate,
  texts: SourceTexts,
  stems: Stems,
  shown: Shown & { readonly labels: EntryLabels },
): SearchResult | undefined {
  const { matcher, definitions, labels } = shown;
  const definition = definitions.get(entry.communityId);
  const marksIn = (text: string) => matcher.marks([...textWords(text, MOST_WORDS)], stems);
  const title = texts.title ?? texts.postTitle ?? '';
  const inTitle = marksIn(title);
  const parts = partsOf(texts, definition, labels).map((part) => ({ ...part, marks: marksIn(part.text) }));
  const inPost = texts.title === null ? [] : marksIn(texts.postTitle ?? '');
  const has = (group: number) =>
    [inTitle, inPost, ...parts.map(({ marks }) => marks)].some((marks) => (marks[group]?.length ?? 0) > 0);
  const groups = Array.from({ length: matcher.size }, (_, group) => has(group));
  // The text of a long file is not read to its end.
  const whole = entry.kind !== EntryKind.FILE || (texts.text?.length ?? 0) < FILE_LENGTH;
  if (whole && groups.length > 0 && !(shown.everyGroup ? groups.every(Boolean) : groups.some(Boolean)))
    return undefined;
  const best = bestPart(parts);
  const state = stateName(entry, definitions);
  const excerpt = best && excerptOf(best.text, best.marks.flat());
  return {
    kind: KIND_NAMES[entry.kind],
    id: entry.id,
    postId: entry.postId,
    communityId: entry.communityId,
    communityName: definition?.community.name ?? '',
    title,
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
