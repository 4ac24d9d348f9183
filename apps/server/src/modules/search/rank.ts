/** Order and counts of results. */
import type { SearchCount, SearchCounts } from '@portico/contract';
import type { CommunityDefinition } from '../communities/index.ts';
import type { Candidate } from './candidates.ts';
import { EntryKind } from './entries.repository.ts';
import type { NamedResult } from './names.ts';

/** Kinds of results by the kinds of entries. */
export const KIND_NAMES = {
  [EntryKind.POST]: 'post',
  [EntryKind.COMMENT]: 'comment',
  [EntryKind.TASK]: 'task',
  [EntryKind.FILE]: 'file',
} as const;

/** A result with its score; higher is better. */
export type Ranked =
  | { readonly score: number; readonly entry: Candidate; readonly named?: undefined }
  | { readonly score: number; readonly named: NamedResult; readonly entry?: undefined };

/** Weights of the score. */
const TITLED = 1.2;
const WHOLE = 0.25;
const USED = 0.15;
const AGE = 0.5;
/** Time after which the weight of the age has halved. Milliseconds. */
const HALF_AGE = 120 * 86_400_000;
const OF_KIND: Readonly<Record<EntryKind, number>> = {
  [EntryKind.POST]: 0.25,
  [EntryKind.FILE]: 0.15,
  [EntryKind.TASK]: 0.12,
  [EntryKind.COMMENT]: 0,
};
/** Weights of a name with all words, of a match at its beginning, and of the part that matches. */
const NAMED = 1.1;
const NAME_BEGINS = 1;
const WHOLE_NAME = 1.4;
/** Comments, tasks and files of one post that stand by their scores alone, and what each further one loses. */
const OF_ONE_POST = 3;
const FURTHER = 0.25;
/** Weights of the words that an entry of a search for some words has, anywhere and in its title. */
const SOME = 4;
const SOME_IN_TITLE = 1;

/** @param now epoch milliseconds */
function scoreOf(entry: Candidate, now: number): number {
  const age = Math.max(0, now - entry.at);
  const close = entry.rank / (entry.rank + 0.25);
  return (
    (entry.titled ? TITLED : 0) +
    close +
    AGE * 0.5 ** (age / HALF_AGE) +
    (entry.used ? USED : 0) +
    (entry.whole ? WHOLE : 0) +
    OF_KIND[entry.kind]
  );
}

/** @returns results, the best first; equal ones by time and id */
export function rank(entries: readonly Candidate[], named: readonly NamedResult[], now: number): Ranked[] {
  return inOrder([
    ...apart(entries.map((entry) => ({ score: scoreOf(entry, now), entry }))),
    ...named.map((one) => ({
      score: NAMED + (one.begins ? NAME_BEGINS : 0) + WHOLE_NAME * one.share,
      named: one,
    })),
  ]);
}

/**
 * Ranks entries with some of the words: entries with more words come first, and a word counts more
 * if fewer of the entries have it.
 */
export function rankSome(entries: readonly Candidate[], now: number): Ranked[] {
  const all = entries.reduce((bits, entry) => bits | entry.groups, 0);
  const weights = Array.from({ length: 32 - Math.clz32(all) }, (_, at) => {
    const having = entries.filter(({ groups }) => groups & (1 << at)).length;
    return having === 0 ? 0 : Math.log(1 + entries.length / having);
  });
  const sum = (bits: number) => weights.reduce((total, weight, at) => total + (bits & (1 << at) ? weight : 0), 0);
  const whole = sum(all) || 1;
  return inOrder(
    apart(
      entries.map((entry) => ({
        score:
          scoreOf(entry, now) + (SOME * sum(entry.groups)) / whole + (SOME_IN_TITLE * sum(entry.titleGroups)) / whole,
        entry,
      })),
    ),
  );
}

type Scored = Extract<Ranked, { entry: Candidate }>;

const inOrder = <R extends Ranked>(all: readonly R[]): R[] =>
  [...all].sort((a, b) => b.score - a.score || timeOf(b) - timeOf(a) || idOf(b) - idOf(a));

/**
 * Keeps the comments, tasks and files of one post from filling a page: a post with all words in its
 * title is before them, and after the first few each loses places.
 */
function apart(entries: readonly Scored[]): Scored[] {
  const best = new Map<number, number>();
  const before = new Map<number, number>();
  const placed = inOrder(entries).map(({ score, entry }): Scored => {
    if (entry.kind === EntryKind.POST) return { score, entry };
    best.set(entry.postId, Math.max(score, best.get(entry.postId) ?? score));
    const count = before.get(entry.postId) ?? 0;
    before.set(entry.postId, count + 1);
    return { score: score - FURTHER * Math.max(0, count - OF_ONE_POST + 1), entry };
  });
  return placed.map(({ score, entry }) =>
    entry.kind === EntryKind.POST && entry.titled
      ? { score: Math.max(score, (best.get(entry.postId) ?? score) + 0.001), entry }
      : { score, entry },
  );
}

const timeOf = ({ entry }: Ranked) => entry?.at ?? 0;
const idOf = ({ entry, named }: Ranked) => entry?.id ?? named?.id ?? 0;

/** Counts results by kind, community, state and year. */
export function countResults(
  results: readonly Ranked[],
  definitions: ReadonlyMap<number, CommunityDefinition>,
  more: boolean,
): SearchCounts {
  const kinds = new Map<string, number>();
  const communities = new Map<string, number>();
  const states = new Map<string, number>();
  const years = new Map<string, number>();
  const add = (counts: Map<string, number>, value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const { entry, named } of results) {
    add(kinds, entry ? KIND_NAMES[entry.kind] : named.kind);
    if (!entry) continue;
    add(communities, String(entry.communityId));
    add(years, String(new Date(entry.at).getUTCFullYear()));
    const state = stateName(entry, definitions);
    if (state !== undefined) add(states, state);
  }
  const named = (value: string) => definitions.get(Number(value))?.community.name ?? '';
  return {
    kinds: listed(kinds),
    communities: listed(communities).map((count) => ({ ...count, name: named(count.value as string) })),
    states: listed(states),
    years: listed(years).sort((a, b) => Number(b.value) - Number(a.value)),
    total: results.length,
    more,
  };
}

const listed = (counts: ReadonlyMap<string, number>): SearchCount[] =>
  [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

/** @returns the name of the state of the post of an entry */
export function stateName(
  { stateId, communityId }: Candidate,
  definitions: ReadonlyMap<number, CommunityDefinition>,
): string | undefined {
  if (stateId === null) return undefined;
  return definitions.get(communityId)?.workflow?.states.find(({ id }) => id === stateId)?.name;
}
