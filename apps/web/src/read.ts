/** What several pages read, each once. */
import { useQuery } from '@tanstack/react-query';
import { portal } from './portal.ts';

/** The caller. */
export const useMe = () => useQuery({ queryKey: ['me'], queryFn: () => portal.auth.currentUser() });

/** Communities that the caller may read, by name. */
export const useCommunities = () =>
  useQuery({
    queryKey: ['communities'],
    queryFn: async () => {
      const { communities = [] } = await portal.communities.list();
      return communities.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
    },
  });

/** Workspaces with their communities, and how much is new in each. */
export const useTree = () => useQuery({ queryKey: ['tree'], queryFn: () => portal.communities.tree() });

/** How posts of a community look: fields, workflow. */
export const useDefinition = (communityId: number, enabled = true) =>
  useQuery({
    queryKey: ['definition', communityId],
    enabled,
    queryFn: () => portal.communities.definition({ communityId }),
  });

/** How many notifications are unread; 0 until it is known. */
export const useUnread = () =>
  useQuery({ queryKey: ['notifications', 'count'], queryFn: () => portal.notifications.count() }).data?.unread ?? 0;

/** Communities and views that the caller has put among their favourites. */
export const useFavourites = () => useQuery({ queryKey: ['favourites'], queryFn: () => portal.views.favourites() });
