/** The posts of a list with the settings of the address, updated as they change. */
import type { BaseListPostsElement, GetPostDefinitionResponse, Input, PagedListPostsResponse } from '@portico/sdk';
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { onPostChanges } from '../live/live-updates.ts';
import { portal, queryClient } from '../portal.ts';
import { definitionQuery } from '../shared-queries.ts';
import { conditionsOf, type Filter, momentFieldsOf } from './filters.ts';
import { type ListSearch, orderOf } from './list-search.ts';

export type ListedPost = Partial<BaseListPostsElement> & Pick<BaseListPostsElement, 'id'>;

/** The query of a list, without its page. */
export type ListQuery = Partial<Input<'listCommunityPostsFiltered'>> & { communityId: number };

type ListPage = Omit<PagedListPostsResponse, 'items'> & { items: ListedPost[] };

const PAGE = 100;
/** Members of posts that lists read; the texts of posts are not among them. */
const FIELDS = [
  'id',
  'communityId',
  'customId',
  'title',
  'type',
  'currentWorkflowState',
  'customData',
  'creatorUser',
  'creationTimestamp',
  'lastModifyTimestamp',
  'lastOperationTimestamp',
  'commentsCount',
  'attachmentsCount',
  'tasksCount',
  'event',
] as const;

/** Fields of moments of a community whose definition has been read. */
export function knownMomentFields(communityId: number): ReadonlySet<number> {
  const definition = queryClient.getQueryData<GetPostDefinitionResponse>(definitionQuery(communityId).queryKey);
  return definition ? momentFieldsOf(definition) : new Set();
}

/**
 * The query of a list.
 * @param more further conditions, for example of a column of a board
 */
export function queryOf(communityId: number, search: ListSearch, more: readonly Filter[] = []) {
  const own = (search.filters ?? []).filter(([by]) => !more.some(([other]) => other === by));
  return {
    communityId,
    fields: FIELDS.join(','),
    ...conditionsOf([...own, ...more], knownMomentFields(communityId)),
    ...orderOf(search),
    ...(search.text !== undefined && { containsText: search.text }),
  };
}

/** Pages of posts, read on demand. */
export function usePosts(communityId: number, search: ListSearch, more: readonly Filter[] = [], pageSize = PAGE) {
  const query = queryOf(communityId, search, more);
  const key = ['posts', communityId, query, pageSize];
  const posts = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      portal.posts.list(
        {
          ...query,
          pageSize,
          ...(pageParam === '' ? { calculateTotalItemsCount: true } : { pageToken: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    // The list stays while another filter or order is being read.
    placeholderData: keepPreviousData,
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
  });
  const items = useMemo(() => posts.data?.pages.flatMap(({ items: page = [] }) => page) ?? [], [posts.data]);
  const name = JSON.stringify(key);
  const [newCount, setNewCount] = useState({ name, count: 0 });
  const reload = useCallback(async () => {
    const parsed = JSON.parse(name) as typeof key;
    setNewCount({ name, count: 0 });
    queryClient.setQueryData<Pages>(
      parsed,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    await queryClient.invalidateQueries({ queryKey: parsed });
  }, [name]);
  const applied = useRef<Promise<void>>(Promise.resolve());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name says what the query is
  useEffect(
    () =>
      onPostChanges((changes) => {
        const own = changes.filter((change) => change.communityId === communityId);
        if (own.length === 0) return;
        const ids = new Set(own.map(({ postId }) => postId!));
        // One after the other, so that an older answer never replaces a newer one.
        applied.current = applied.current
          .then(() => applyChanges(JSON.parse(name), query, ids))
          .then(
            (count) => setNewCount((before) => ({ name, count: (before.name === name ? before.count : 0) + count })),
            () => queryClient.invalidateQueries({ queryKey: JSON.parse(name) }),
          );
      }),
    [communityId, name],
  );
  return {
    query,
    posts,
    items,
    total: posts.data?.pages[0]?.totalItemsCount,
    /** Number of new posts that are not in the list yet. */
    newCount: newCount.name === name ? newCount.count : 0,
    /** Reads the list again from its beginning. */
    reload,
  };
}

const NO_IDS: ReadonlySet<number> = new Set();

/** Ids of the pinned posts, which are above all others in every order. */
export const usePinned = (communityId: number): ReadonlySet<number> =>
  useQuery({
    queryKey: ['posts', communityId, 'pinned'],
    queryFn: () => portal.posts.list({ communityId, onlyPinned: true, pageSize: PAGE, fields: 'id' }),
    select: idsOf,
  }).data ?? NO_IDS;

const idsOf = ({ items }: ListPage): ReadonlySet<number> => new Set(items.map(({ id }) => id));

type Pages = InfiniteData<ListPage>;

/** Maximum number of changed posts that are read by their ids: the bound of the filter `postIds`. */
const MOST_CHANGES = 500;

/**
 * Applies changes to a list without moving its rows: posts in the list are replaced in place, by
 * one request. A list of one page, or with more changes, is read again, page by page in its place.
 * @returns the number of posts that are not in the list
 */
async function applyChanges(
  key: unknown[],
  query: ReturnType<typeof queryOf>,
  ids: ReadonlySet<number>,
): Promise<number> {
  const data = queryClient.getQueryData<Pages>(key);
  if (!data) return 0;
  if (data.pages.length === 1 || ids.size > MOST_CHANGES) {
    await queryClient.invalidateQueries({ queryKey: key });
    return 0;
  }
  const listed = new Set(data.pages.flatMap(({ items = [] }) => items.map(({ id }) => id!)));
  const found = new Map<number, ListedPost>();
  let pageToken: string | undefined;
  do {
    // Long posts may fill a page before it has all of them.
    const page = await portal.posts.list({
      ...query,
      postIds: [...ids],
      pageSize: MOST_CHANGES,
      ...(pageToken !== undefined && { pageToken }),
    });
    for (const post of page.items ?? []) found.set(post.id!, post);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  queryClient.setQueryData<Pages>(key, (before) =>
    before === undefined
      ? before
      : {
          ...before,
          pages: before.pages.map((page) => ({
            ...page,
            items: (page.items ?? []).flatMap((post) => (ids.has(post.id!) ? (found.get(post.id!) ?? []) : post)),
          })),
        },
  );
  return [...found.keys()].filter((id) => !listed.has(id)).length;
}
