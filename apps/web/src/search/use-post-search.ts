/** Posts of several communities that match words or states. */
import type { Community, PagedListPostsResponse } from '@portico/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { portal, queryClient } from '../portal.ts';
import type { SearchAddress } from './search-address.ts';

/** Number of posts read from each community. */
const PAGE_SIZE = 20;
/** Maximum number of communities in a search. */
export const MAX_COMMUNITIES = 30;
/** Minimum length of a searched word. */
const MIN_LENGTH = 2;

export type FoundPost = NonNullable<PagedListPostsResponse['items']>[number];

/** The found posts of a community. */
export interface CommunityHits {
  readonly community: Community;
  readonly items: readonly FoundPost[];
  readonly total: number;
  /** States of the community with the given names. */
  readonly stateIds: readonly number[];
}

const definitionOf = (communityId: number) =>
  queryClient.fetchQuery({
    queryKey: ['definition', communityId],
    queryFn: () => portal.communities.definition({ communityId }),
  });

const statesOf = async (communityId: number) => (await definitionOf(communityId)).workflowDefinition?.states ?? [];

/** Names of the states of communities, each once. */
export const useStateNames = (communities: readonly Community[], enabled: boolean) => {
  const ids = communities.slice(0, MAX_COMMUNITIES).map(({ id }) => id!);
  return useQuery({
    queryKey: ['state names', ids],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const states = (await Promise.all(ids.map(statesOf))).flat();
      return [...new Set(states.flatMap(({ name }) => name ?? []))];
    },
  });
};

/** @param communities the first {@link MAX_COMMUNITIES} are searched */
export function usePostSearch({ text = '', states = [] }: SearchAddress, communities: readonly Community[]) {
  const among = communities.slice(0, MAX_COMMUNITIES);
  return useQuery({
    queryKey: ['posts', 'found', text, states, among.map(({ id }) => id)],
    enabled: (text.length >= MIN_LENGTH || states.length > 0) && among.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const search = async (community: Community): Promise<CommunityHits> => {
        const communityId = community.id!;
        const named = states.length === 0 ? [] : await statesOf(communityId);
        const stateIds = named.flatMap(({ id, name }) => (states.includes(name ?? '') ? id! : []));
        if (states.length > 0 && stateIds.length === 0) return { community, items: [], total: 0, stateIds };
        const { items = [], totalItemsCount = items.length } = await portal.posts.list(
          {
            communityId,
            ...(text.length >= MIN_LENGTH && { containsText: text }),
            ...(stateIds.length > 0 && { currentWorkflowStatusIds: stateIds }),
            pageSize: PAGE_SIZE,
            calculateTotalItemsCount: true,
            fields: 'id,customId,title,currentWorkflowState,creatorUser,lastModifyTimestamp',
          },
          { signal },
        );
        return { community, items, total: totalItemsCount, stateIds };
      };
      const groups = (await Promise.all(among.map(search))).filter(({ total }) => total > 0);
      return { groups, total: groups.reduce((sum, { total }) => sum + total, 0) };
    },
  });
}
