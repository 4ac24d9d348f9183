/** The search over everything, as the page of the search and the palette ask it. */
import type { SearchResponse } from '@portico/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';
import type { SearchAddress } from './search-address.ts';

/** Minimum length of a searched text: one character of Chinese is a word. */
const MIN_LENGTH = 1;

export type SearchHit = NonNullable<SearchResponse['items']>[number];

/** Asks for the first results. @param count maximum number of results */
export function useSearch(address: SearchAddress, count: number, enabled = true) {
  const { text = '', states = [], communities = [], kinds = [] } = address;
  const given = text.trim().length >= MIN_LENGTH || states.length > 0;
  return useQuery({
    queryKey: ['search', text, states, communities, kinds, count],
    enabled: enabled && given,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      portal.search.find(
        {
          text,
          ...(states.length > 0 && { stateNames: [...states] }),
          ...(communities.length > 0 && { communityIds: [...communities] }),
          ...(kinds.length > 0 && { kinds: [...kinds] }),
          pageSize: count,
        },
        { signal },
      ),
  });
}
