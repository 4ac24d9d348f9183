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
/** A name that has all words, and one that consists of them. */
const NAMED = 1.1;
const WHOLE_NAME = 1.4;

/** @param now epoch milliseconds */
function scoreOf(entry: Candidate, now: number): number {
  const age = Math.max(0, now - entry.at);
  const close = entry.rank / (entry.rank + 0.25);
  return (
    (entry.titled ? TITLED : 0) + close + AGE * 0.5 ** (age / HALF_AGE) + (entry.used ? USED : 0) + OF_KIND[entry.kind]
  );
}

/** @returns results, the best first; equal ones by time and id */
export function rank(entries: readonly Candidate[], named: readonly NamedResult[], now: number): Ranked[] {
  const all: Ranked[] = [
    ...entries.map((entry) => ({ score: scoreOf(entry, now), entry })),
    ...named.map((one) => ({ score: NAMED + WHOLE_NAME * one.share, named: one })),
  ];
  return all.sort((a, b) => b.score - a.score || timeOf(b) - timeOf(a) || idOf(b) - idOf(a));
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
