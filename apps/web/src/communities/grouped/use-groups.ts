/** The groups of a table with their counts and sums, updated as posts change. */
import type { Input, PostSummaryKey, SummarisePostsResponse } from '@portico/sdk';
import { keepPreviousData, type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isQuantity } from '../../content/field-number.ts';
import { onPostChanges } from '../../live/live-updates.ts';
import { portal, queryClient } from '../../portal.ts';
import type { Column } from '../columns.ts';
import type { ListSearch } from '../list-search.ts';
import { queryOf } from '../use-posts.ts';
import { apiNameOf } from '../views.ts';
import type { Grouping } from './groupings.ts';

/** Maximum number of columns that are added up: each is a request. */
const MOST_SUMS = 6;

export interface PostGroup {
  readonly id: string;
  readonly key: PostSummaryKey;
  readonly count: number;
  /** Sums of columns, by their keys. */
  readonly sums: Readonly<Record<string, number | undefined>>;
}

interface Groups {
  readonly groups: readonly PostGroup[];
  readonly total: Pick<PostGroup, 'count' | 'sums'>;
  /** Groups that are too many to be shown one by one. */
  readonly other: { readonly groups: number; readonly posts: number } | undefined;
  /** Whether there are more posts than the counts and sums are about. */
  readonly bounded: boolean;
}

const idOf = (keys: readonly PostSummaryKey[] = []): string => keys[0]?.value ?? '';

export function useGroups(
  communityId: number,
  search: ListSearch,
  grouping: Grouping,
  columns: readonly Column[],
): { query: UseQueryResult<SummarisePostsResponse>; data: Groups | undefined } {
  const { fields: _fields, orderBy: _orderBy, orderDesc: _orderDesc, ...filters } = queryOf(communityId, search);
  const summed = columns.filter(({ field }) => field && isQuantity(field)).slice(0, MOST_SUMS);
  const request = (measure: object): Input<'summarisePosts'> =>
    ({ ...filters, groupBy: [apiNameOf(grouping.key)], ...measure }) as Input<'summarisePosts'>;
  const requests = [request({}), ...summed.map(({ key }) => request({ measure: 'sum', measureOf: apiNameOf(key) }))];
  const results = useQueries({
    queries: requests.map((one) => ({
      queryKey: ['posts', communityId, 'summary', one],
      queryFn: ({ signal }: { signal: AbortSignal }) => portal.posts.summarise(one, { signal }),
      placeholderData: keepPreviousData,
    })),
  });
  useEffect(
    () =>
      onPostChanges((changes) => {
        if (changes.some((change) => change.communityId === communityId))
          void queryClient.invalidateQueries({ queryKey: ['posts', communityId, 'summary'] });
      }),
    [communityId],
  );
  const query = results[0]! as UseQueryResult<SummarisePostsResponse>;
  const sums = results.slice(1).map(({ data }) => data as SummarisePostsResponse | undefined);
  return { query, data: query.data && groupsOf(query.data, summed, sums) };
}

function groupsOf(
  counted: SummarisePostsResponse,
  summed: readonly Column[],
  sums: readonly (SummarisePostsResponse | undefined)[],
): Groups {
  const sumsOf = (read: (sum: SummarisePostsResponse) => number | undefined) =>
    Object.fromEntries(summed.map(({ key }, index) => [key, sums[index] && read(sums[index])]));
  const byId = new Map(
    sums.flatMap((sum, index) =>
      (sum?.groups ?? []).map(({ keys, value }) => [`${index} ${idOf(keys)}`, value] as const),
    ),
  );
  return {
    groups: (counted.groups ?? []).map(({ keys = [], postsCount = 0 }) => ({
      id: idOf(keys),
      key: keys[0] ?? {},
      count: postsCount,
      sums: Object.fromEntries(summed.map(({ key }, index) => [key, byId.get(`${index} ${idOf(keys)}`)])),
    })),
    total: { count: counted.postsCount ?? 0, sums: sumsOf(({ value }) => value) },
    other: counted.other && { groups: counted.other.groupsCount ?? 0, posts: counted.other.postsCount ?? 0 },
    bounded: counted.bounded === true,
  };
}
