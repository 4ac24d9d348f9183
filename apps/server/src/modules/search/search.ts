/** Operation search: posts, comments, tasks, files, people and communities that the caller sees. */
import { type SearchRequest, type SearchResponse, type SearchResult, searchLimits } from '@portico/contract';
import { textWords } from '@portico/platform/text';
import { mapInTurns } from '@portico/platform/turns';
import type { Scope } from '../../kernel/scope.ts';
import { type CommunityDefinition, getDefinitions, seesCommunity } from '../communities/index.ts';
import { findAlternatives, withStems } from './alternatives.ts';
import { areFrequent, type Candidate, type Candidates, findCandidates, type Search } from './candidates.ts';
import { EntryKind } from './entries.repository.ts';
import { findUnindexed, isIndexComplete } from './index-state.ts';
import { readStems, type Stems } from './lexemes.ts';
import { Matcher } from './match.ts';
import { findCommunities, findPeople, type NamedResult } from './names.ts';
import { type ParsedQuery, parseQuery } from './parse-query.ts';
import { presentResults } from './present.ts';
import { type Alternatives, QueryText } from './query-text.ts';
import { countResults, KIND_NAMES, type Ranked, rank, rankSome } from './rank.ts';
import { type Restrictions, readRestrictions, restrictionKeys } from './restrictions.ts';

const PAGE = 20;
/** With fewer results, parts of words are searched for, and misspelt words corrected. */
const FEW = 10;
const HARDLY_ANY = 3;
/** Suggested continuations of the last word. */
const SUGGESTIONS = 5;

/** A search that is under way. */
interface Progress {
  readonly scope: Scope;
  readonly query: ParsedQuery;
  readonly stems: Stems;
  readonly definitions: ReadonlyMap<number, CommunityDefinition>;
  readonly restrictions: Restrictions;
  readonly kinds: readonly EntryKind[] | undefined;
}

/** Results in their order, and how they were found. */
interface Found {
  readonly ranked: readonly Ranked[];
  readonly more: boolean;
  readonly alternatives: Alternatives;
  readonly corrections: ReadonlyMap<string, readonly string[]>;
  readonly someWords: boolean;
}

/** Searches everything. @throws ValidationError for a bad request */
export async function search(scope: Scope, request: SearchRequest): Promise<SearchResponse> {
  const { actor } = scope;
  const ids = [...actor.roles.keys()].filter((id) => seesCommunity(actor, id));
  const definitions = await getDefinitions(scope, ids);
  const query = parseQuery(request.text ?? '', restrictionKeys(definitions.values()));
  const restrictions = await readRestrictions(scope, request, query.restrictions, [...definitions.values()]);
  const words = [...query.groups.flat(), ...query.not].flatMap((term) => term.words.map(({ word }) => word));
  const names = await mapInTurns([...definitions.values()], ({ community }) =>
    [...textWords(`${community.name} ${community.description ?? ''}`)].map(({ word }) => word),
  );
  const stems = await readStems(scope.db, [...words, ...names.flat()]);
  const progress: Progress = { scope, query, stems, definitions, restrictions, kinds: entryKinds(request.kinds) };
  const complete = await isIndexComplete(scope.db);
  const named = await findNamed(progress, request);
  const found = await find(progress, named, complete);
  return present(progress, request, found, complete);
}

/** @returns kinds of entries; undefined for all */
function entryKinds(kinds: readonly string[] | undefined): EntryKind[] | undefined {
  if (!kinds || kinds.length === 0) return undefined;
  return Object.values(EntryKind).filter((kind) => kinds.includes(KIND_NAMES[kind]));
}

/** People and communities, unless the search is about posts alone. */
async function findNamed(
  progress: Progress,
  { kinds = [], communityIds = [], ...request }: SearchRequest,
): Promise<NamedResult[]> {
  const { scope, query, stems, definitions } = progress;
  const ofPosts =
    query.restrictions.length > 0 ||
    communityIds.length > 0 ||
    (request.stateNames?.length ?? 0) > 0 ||
    request.from !== undefined ||
    request.to !== undefined;
  if (ofPosts || query.groups.length === 0 || query.not.length > 0) return [];
  const asked = (kind: 'person' | 'community') => kinds.length === 0 || kinds.includes(kind);
  return [
    ...(asked('person') ? await findPeople(scope, query, stems) : []),
    ...(asked('community') ? await findCommunities([...definitions.values()], query, stems, stems) : []),
  ];
}

async function find(progress: Progress, named: readonly NamedResult[], complete: boolean): Promise<Found> {
  const { scope, query, stems, kinds } = progress;
  const none = new Map<string, string[]>();
  const now = scope.clock.now();
  if (kinds?.length === 0 || progress.definitions.size === 0) {
    return { ranked: rank([], named, now), more: false, alternatives: none, corrections: none, someWords: false };
  }
  const exact = new QueryText(query, stems);
  const wanted = query.groups.length > 0;
  const first = await findCandidates(scope, searchOf(progress, conditionsOf(query, exact)));
  const old = complete ? [] : await findUnindexed(scope, searchOf(progress, undefined), query);
  const present = new Set(first.found.map(keyOf));
  let ranked = rank([...first.found, ...old.filter((entry) => !present.has(keyOf(entry)))], named, now);
  if (!wanted || ranked.length >= FEW) {
    return { ranked, more: first.more, alternatives: none, corrections: none, someWords: false };
  }
  const { near, parts } = await findAlternatives(scope.db, query, stems);
  const corrections = ranked.length < HARDLY_ANY ? near : none;
  const others = new Map([...parts]);
  for (const [word, list] of corrections) others.set(word, [...list, ...(others.get(word) ?? [])]);
  const otherStems = await readStems(scope.db, [...others.values()].flat());
  const alternatives = withStems(others, otherStems);
  if (alternatives.size > 0) {
    const text = new QueryText(query, stems, alternatives);
    const { found } = await findCandidates(scope, searchOf(progress, conditionsOf(query, text)));
    ranked = [...ranked, ...rank(without(found, ranked), [], now)];
  }
  if (ranked.length >= HARDLY_ANY || exact.demanded.length < 2) {
    return { ranked, more: first.more, alternatives, corrections, someWords: false };
  }
  const some = await findSome(progress, new QueryText(query, stems, alternatives));
  const added = rankSome(without(some.found, ranked), now);
  return {
    ranked: [...ranked, ...added],
    more: first.more || some.more,
    alternatives,
    corrections,
    someWords: added.length > 0,
  };
}

/**
 * Finds entries with some of the words: with a word that few entries have, or with all words but
 * one; if there are hardly any, with any word.
 */
async function findSome(progress: Progress, text: QueryText): Promise<Candidates> {
  const { scope } = progress;
  const groups = text.each();
  const of = (words: string) =>
    findCandidates(
      scope,
      searchOf(progress, { words, own: text.own(), title: text.title(), groups, titleGroups: text.each(true) }),
    );
  const frequent = await areFrequent(scope, groups);
  const most = text.most([...groups.keys()].filter((at) => !frequent[at]));
  const some = most === undefined ? undefined : await of(most);
  return some && some.found.length >= HARDLY_ANY ? some : of(text.any());
}

const keyOf = ({ kind, id }: Candidate) => `${kind} ${id}`;

function without(found: readonly Candidate[], ranked: readonly Ranked[]): Candidate[] {
  const known = new Set(ranked.flatMap(({ entry }) => (entry ? keyOf(entry) : [])));
  return found.filter((entry) => !known.has(keyOf(entry)));
}

function conditionsOf({ groups, not }: ParsedQuery, text: QueryText): Search['conditions'] {
  if (groups.length === 0 && not.length === 0) return undefined;
  if (groups.length === 0) return { words: text.all(), own: undefined, title: undefined };
  return { words: text.all(), own: text.own(), title: text.title(), whole: text.whole() };
}

function searchOf({ restrictions, kinds, definitions }: Progress, conditions: Search['conditions']): Search {
  return { conditions, restrictions, kinds, definitions: [...definitions.values()] };
}

async function present(
  progress: Progress,
  request: SearchRequest,
  found: Found,
  complete: boolean,
): Promise<SearchResponse> {
  const { scope, query, stems, definitions, restrictions } = progress;
  const { ranked, more, alternatives, corrections, someWords } = found;
  const size = Math.min(request.pageSize ?? PAGE, searchLimits.page);
  const skip = request.skip ?? 0;
  const matcher = new Matcher(new QueryText(query, stems).demanded, stems, alternatives);
  const items = await presentResults(scope, ranked.slice(skip, skip + size), {
    matcher,
    definitions,
    everyGroup: !someWords,
  });
  const corrected = correctedText(items, corrections);
  return {
    items,
    more: ranked.length > skip + size,
    counts: countResults(ranked, definitions, more),
    ...(corrected !== undefined && { corrected }),
    someWords,
    suggestions: suggestionsOf(items, query),
    ignored: [...restrictions.ignored],
    indexing: !complete,
  };
}

/** @returns the words that shown results have in place of misspelt ones */
function correctedText(items: readonly SearchResult[], corrections: Found['corrections']): string | undefined {
  const marked = new Set(items.flatMap(markedWords));
  const words = [...corrections].flatMap(([word, near]) =>
    marked.has(word) ? [] : near.filter((other) => marked.has(other)).slice(0, 1),
  );
  return words.length > 0 ? words.join(' ') : undefined;
}

function markedWords({ title = '', titleMarks = [], excerpt = '', excerptMarks = [] }: SearchResult): string[] {
  const words: string[] = [];
  for (const [text, marks] of [
    [title, titleMarks],
    [excerpt, excerptMarks],
  ] as const) {
    for (const { start = 0, end = 0 } of marks)
      for (const { word } of textWords(text.slice(start, end))) words.push(word);
  }
  return words;
}

/** @returns words of shown results that go on from the last word of the query */
function suggestionsOf(items: readonly SearchResult[], { groups }: ParsedQuery): string[] {
  const last = groups.at(-1)?.at(-1);
  const word = last?.words.at(-1)?.word;
  if (!last?.prefix || word === undefined) return [];
  const counts = new Map<string, number>();
  for (const other of items.flatMap(markedWords)) {
    if (other !== word && other.startsWith(word)) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, SUGGESTIONS)
    .map(([other]) => other);
}
