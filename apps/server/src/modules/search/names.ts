/** People and communities that match, as the lists show them to the caller. */
import type { User } from '@portico/contract';
import { type TextWord, textWords } from '@portico/platform/text';
import type { Scope } from '../../kernel/scope.ts';
import type { CommunityDefinition } from '../communities/index.ts';
import { findSearchedUsers, listPeople } from '../people/index.ts';
import { isNear, SHORTEST_MISSPELT } from './alternatives.ts';
import type { Stems } from './lexemes.ts';
import { joinMarks, type Mark, Matcher } from './match.ts';
import type { ParsedQuery } from './parse-query.ts';

/** A person or community whose name matches. */
export interface NamedResult {
  readonly kind: 'person' | 'community';
  readonly id: number;
  readonly name: string;
  readonly marks: readonly Mark[];
  /** Part of the words of the name that match, 0 to 1. */
  readonly share: number;
  readonly user?: User;
  readonly description?: string | null;
}

/** People and communities of a search. */
const MOST = 10;

/** Returns the words that a person or community must have: none for a query with alternatives or phrases of its own. */
const wordsOf = (query: ParsedQuery): string[] =>
  query.groups.flatMap((group) => group.flatMap(({ words }) => words.map(({ word }) => word)));

/** Finds people by the words of their names and addresses, misspelt ones too. */
export async function findPeople(scope: Scope, query: ParsedQuery, stems: Stems): Promise<NamedResult[]> {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const { items = [] } = await listPeople(scope, { fullTextFilter: words.join(' '), pageSize: MOST });
  const users = items.length > 0 ? items : await misspeltPeople(scope, words);
  const spelt = new Matcher(query.groups, stems, new Map());
  return users.flatMap((user) => {
    const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
    const own = [...textWords(name)];
    const marks = items.length > 0 ? spelt.marks(own, stems).flat() : nearMarks(own, words);
    return {
      kind: 'person' as const,
      id: user.id as number,
      name,
      marks: joinMarks(marks),
      share: shareOf(own, marks),
      user,
    };
  });
}

const nearMarks = (own: readonly TextWord[], words: readonly string[]): Mark[] =>
  own.filter(({ word }) => words.some((wanted) => wanted === word || isNear(wanted, word)));

const shareOf = (own: readonly TextWord[], marks: readonly Mark[]): number =>
  own.length === 0
    ? 0
    : own.filter(({ start, end }) => marks.some((mark) => mark.start <= start && mark.end >= end)).length / own.length;

/** @returns people of whose names each word is one, with one wrong letter in words of six and more */
async function misspeltPeople(scope: Scope, words: readonly string[]): Promise<User[]> {
  const long = words.filter((word) => word.length >= SHORTEST_MISSPELT);
  if (long.length === 0 || long.length > 3) return [];
  const found = await findSearchedUsers(
    scope.db,
    long.map((word) => [word.slice(0, Math.floor(word.length / 2)), word.slice(Math.floor(word.length / 2))]),
  );
  const ids = found.filter(({ doc }) => {
    const own = [...textWords(doc)].map(({ word }) => word);
    return words.every((word) =>
      own.some((other) => other === word || (word.length >= SHORTEST_MISSPELT && isNear(word, other))),
    );
  });
  if (ids.length === 0) return [];
  const { items = [] } = await listPeople(scope, { ids: ids.map(({ id }) => id), pageSize: MOST });
  return items;
}

/** Finds communities of the caller by the words of their names and descriptions. */
export function findCommunities(
  definitions: readonly CommunityDefinition[],
  query: ParsedQuery,
  stems: Stems,
  textStems: Stems,
): NamedResult[] {
  const matcher = new Matcher(query.groups, stems, new Map());
  if (matcher.size === 0) return [];
  const found: NamedResult[] = [];
  for (const { id, community } of definitions) {
    const own = [...textWords(community.name)];
    const marks = matcher.marks(own, textStems);
    const all = [
      ...own,
      ...[...textWords(community.description ?? '')].map((word) => ({ ...word, place: word.place + own.length + 9 })),
    ];
    if (matcher.marks(all, textStems).some((group) => group.length === 0)) continue;
    found.push({
      kind: 'community',
      id,
      name: community.name,
      marks: joinMarks(marks.flat()),
      share: shareOf(own, marks.flat()),
      description: community.description,
    });
  }
  return found.sort((a, b) => b.share - a.share || a.id - b.id).slice(0, MOST);
}
