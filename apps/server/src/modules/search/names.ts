/** People and communities that match, as the lists show them to the caller. */
import type { User } from '@portico/contract';
import { type TextWord, textWords } from '@portico/platform/text';
import { mapInTurns } from '@portico/platform/turns';
import type { Scope } from '../../kernel/scope.ts';
import type { CommunityDefinition } from '../communities/index.ts';
import { findPeopleByWords, findSearchedUsers, listPeople } from '../people/index.ts';
import { isNear, SHORTEST_MISSPELT } from './alternatives.ts';
import { readStems, type Stems } from './lexemes.ts';
import { joinMarks, type Mark, Matcher } from './match.ts';
import type { ParsedQuery } from './parse-query.ts';
import { QueryText } from './query-text.ts';

/** A person or community whose name matches. */
export interface NamedResult {
  readonly kind: 'person' | 'community';
  readonly id: number;
  readonly name: string;
  readonly marks: readonly Mark[];
  /** Part of the name that matches, 0 to 1. */
  readonly share: number;
  /** Whether a match begins the name: of a person, the first name or the last one. */
  readonly begins: boolean;
  readonly user?: User;
  /** The caption of a person, if words match in it. */
  readonly caption?: { readonly text: string; readonly marks: readonly Mark[] };
  readonly description?: string | null;
}

/** People and communities of a search. */
const MOST = 10;

/** Returns the words that a person or community must have: none for a query with alternatives or phrases of its own. */
const wordsOf = (query: ParsedQuery): string[] =>
  query.groups.flatMap((group) => group.flatMap(({ words }) => words.map(({ word }) => word)));

/** Finds people by the words of their names, addresses and captions; if there are none, by misspelt names. */
export async function findPeople(scope: Scope, query: ParsedQuery, stems: Stems): Promise<NamedResult[]> {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const { items = [] } = await listPeople(scope, { fullTextFilter: words.join(' '), pageSize: MOST });
  const matcher = new Matcher(query.groups, stems, new Map());
  const captioned = items.length < MOST ? await findCaptioned(scope, query, stems) : [];
  const known = new Set(items.map(({ id }) => id));
  const found = [
    ...items.map((user) => named(user, [], (own) => matcher.marks(own, stems).flat())),
    ...captioned.filter(({ id }) => !known.has(id)),
  ].slice(0, MOST);
  if (found.length > 0) return found;
  return (await misspeltPeople(scope, words)).map((user) =>
    named(user, nearMarks([...textWords(user.caption ?? '')], words), (own) => nearMarks(own, words)),
  );
}

function named(user: User, inCaption: readonly Mark[], marksIn: (own: TextWord[]) => Mark[]): NamedResult {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  const own = [...textWords(name)];
  const marks = joinMarks(marksIn(own));
  const caption = [...textWords(user.caption ?? '')];
  return {
    kind: 'person',
    id: user.id as number,
    name,
    marks,
    share: inCaption.length === 0 ? shareOf(own, marks) : shareOf([...caption], inCaption) * OF_CAPTION,
    begins: marks.length > 0,
    user,
    ...(inCaption.length > 0 && { caption: { text: user.caption ?? '', marks: joinMarks(inCaption) } }),
  };
}

/** How much of a name a caption counts as. */
const OF_CAPTION = 0.8;

/** @returns people whose captions have words of the query, and whose names have the others */
async function findCaptioned(scope: Scope, query: ParsedQuery, stems: Stems): Promise<NamedResult[]> {
  const demanded = new QueryText(query, stems).demanded;
  const forms = demanded.map((group) =>
    group.flatMap(({ words, quoted }) =>
      words.length === 1 && !quoted ? formsOf(words[0]!.word, stems) : words.map(({ word }) => word).slice(0, 1),
    ),
  );
  const users = await findPeopleByWords(scope, forms);
  const words = users.flatMap(({ caption = '' }) => [...textWords(caption ?? '')].map(({ word }) => word));
  const inflected = await readStems(scope.db, words);
  const matcher = new Matcher(demanded, stems, new Map());
  return users.flatMap((user) => {
    const inCaption = matcher.marks([...textWords(user.caption ?? '')], inflected);
    const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
    const inName = matcher.marks([...textWords(name)], inflected);
    if (inCaption.some((marks, at) => marks.length === 0 && inName[at]!.length === 0)) return [];
    return [named(user, inCaption.flat(), () => inName.flat())];
  });
}

/** @returns a word and its stems, of which an inflection has one as a part */
const formsOf = (word: string, stems: Stems): string[] => [...new Set([word, ...(stems.get(word)?.plain ?? [])])];

/** Whether a word is another one, with one wrong letter at most from six letters on. */
const isWord = (word: string, other: string): boolean =>
  word === other || (word.length >= SHORTEST_MISSPELT && isNear(word, other));

const nearMarks = (own: readonly TextWord[], words: readonly string[]): Mark[] =>
  own.filter(({ word }) => words.some((wanted) => isWord(wanted, word)));

/** @returns the part of the characters of a name's words that marks cover */
function shareOf(own: readonly TextWord[], marks: readonly Mark[]): number {
  const length = (parts: readonly Mark[]) => joinMarks(parts).reduce((sum, { start, end }) => sum + end - start, 0);
  const whole = length(own);
  return whole === 0 ? 0 : Math.min(1, length(marks) / whole);
}

/** @returns people of whose names and captions each word is one, with one wrong letter in words of six and more */
async function misspeltPeople(scope: Scope, words: readonly string[]): Promise<User[]> {
  const long = words.filter((word) => word.length >= SHORTEST_MISSPELT);
  if (long.length === 0 || long.length > 3) return [];
  const candidates = await findSearchedUsers(
    scope.db,
    long.map((word) => [word.slice(0, Math.floor(word.length / 2)), word.slice(Math.floor(word.length / 2))]),
  );
  const ids = candidates.filter(({ doc }) => {
    const own = [...textWords(doc)].map(({ word }) => word);
    return words.every((word) => own.some((other) => isWord(word, other)));
  });
  if (ids.length === 0) return [];
  const { items = [] } = await listPeople(scope, { ids: ids.map(({ id }) => id), pageSize: MOST });
  return items;
}

/** Finds communities of the caller by the words of their names and descriptions; if there are none, by misspelt names. */
export async function findCommunities(
  definitions: readonly CommunityDefinition[],
  query: ParsedQuery,
  stems: Stems,
  textStems: Stems,
): Promise<NamedResult[]> {
  const matcher = new Matcher(query.groups, stems, new Map());
  if (matcher.size === 0) return [];
  const spelt = await mapInTurns(definitions, ({ id, community }) => {
    const own = [...textWords(community.name)];
    const marks = matcher.marks(own, textStems);
    const all = [
      ...own,
      ...[...textWords(community.description ?? '')].map((word) => ({ ...word, place: word.place + own.length + 9 })),
    ];
    const matches = matcher.marks(all, textStems).every((group) => group.length > 0);
    return matches ? namedCommunity(id, community, own, marks.flat()) : undefined;
  });
  const found = spelt.length > 0 ? spelt : await misspeltCommunities(definitions, wordsOf(query));
  return found.sort((a, b) => b.share - a.share || a.id - b.id).slice(0, MOST);
}

/** @returns communities of whose names each word is one, with one wrong letter in words of six and more */
const misspeltCommunities = (definitions: readonly CommunityDefinition[], words: readonly string[]) =>
  mapInTurns(definitions, ({ id, community }): NamedResult | undefined => {
    const own = [...textWords(community.name)];
    const matches = words.every((word) => own.some((other) => isWord(word, other.word)));
    return matches ? namedCommunity(id, community, own, nearMarks(own, words)) : undefined;
  });

const namedCommunity = (
  id: number,
  { name, description }: CommunityDefinition['community'],
  own: readonly TextWord[],
  marks: readonly Mark[],
): NamedResult => ({
  kind: 'community',
  id,
  name,
  marks: joinMarks(marks),
  share: shareOf(own, marks),
  begins: marks.some(({ start }) => start === own[0]?.start),
  description,
});
