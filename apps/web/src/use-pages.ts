/** Lists that are read in pages. */
import { useInfiniteQuery } from '@tanstack/react-query';

interface Page<T> {
  items?: T[];
  nextPageToken?: string;
}

/** The elements of the pages that are loaded. */
const itemsOf = <T>({ pages }: { pages: readonly Page<T>[] }): T[] => pages.flatMap(({ items = [] }) => items);

/**
 * The elements of a list, as far as its pages are loaded.
 * @param readPage reads the page that the given member of the request names, the first one without it
 * @param options.look returns the milliseconds after which the list is read again; false: it is not
 */
export const usePages = <T>(
  queryKey: readonly unknown[],
  readPage: (page: { pageToken?: string }, context: { signal: AbortSignal }) => Promise<Page<T>>,
  { look, ...options }: { staleTime?: number; look?: (items: readonly T[]) => number | false } = {},
) =>
  useInfiniteQuery({
    ...options,
    refetchInterval: ({ state: { data } }) => (look && data ? look(itemsOf(data)) : false),
    queryKey,
    queryFn: (context) => readPage(context.pageParam === '' ? {} : { pageToken: context.pageParam }, context),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
    select: itemsOf<T>,
  });
