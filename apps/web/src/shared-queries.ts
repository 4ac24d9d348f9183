/** Queries that several pages share. */
import type { CommunityTree, GetPostDefinitionResponse } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useContext } from 'react';
import { definitionIn } from './content/field-label.ts';
import { portal } from './portal.ts';
import { LanguageContext } from './texts/index.ts';

/** The caller. */
export const useMe = () => useQuery({ queryKey: ['me'], queryFn: () => portal.auth.currentUser() });

/** Administrative rights, as the interface names them. */
export type Right = 'manageUsers' | 'manageDigitalWorplace';

const RIGHTS: readonly Right[] = ['manageUsers', 'manageDigitalWorplace'];

/** The administrative rights of the caller. */
export const useRights = () =>
  useQuery({
    queryKey: ['rights'],
    staleTime: 300_000,
    queryFn: async () => {
      const { items = [] } = await portal.explain.rights({});
      return RIGHTS.filter((right) => items.some(({ capability, permitted }) => capability === right && permitted));
    },
    select: setOf,
  });

const setOf = (rights: readonly Right[]): ReadonlySet<Right> => new Set(rights);

/** Communities that the caller may read, by name. */
export const useCommunities = () =>
  useQuery({
    queryKey: ['communities'],
    queryFn: async () => {
      const { communities = [] } = await portal.communities.list();
      return communities.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
    },
  });

/** Workspaces with their communities, and the number of new posts in each. */
export const useTree = () => useQuery({ queryKey: ['tree'], queryFn: () => portal.communities.tree() });

/** The number of new posts by community: changed by others and not opened since. */
export const newPostsOf = (tree: CommunityTree | undefined): ReadonlyMap<number, number> =>
  new Map(
    (tree?.workspaces ?? []).flatMap(({ communities = [] }) =>
      communities.map(({ communityId, newPosts = 0 }) => [communityId!, newPosts] as const),
    ),
  );

/**
 * The definition of posts in a community: the workflow, and the fields with their labels in the
 * language of the account.
 */
export function useDefinition(communityId: number, enabled = true) {
  const { tag, own = tag } = useContext(LanguageContext);
  const select = useCallback((definition: GetPostDefinitionResponse) => definitionIn(definition, own), [own]);
  return useQuery({ ...definitionQuery(communityId), enabled, select });
}

export const definitionQuery = (communityId: number) => ({
  queryKey: ['definition', communityId],
  queryFn: () => portal.communities.definition({ communityId }),
});

/** The query of a complete post. */
export const postQuery = (postId: number) => ({
  queryKey: ['post', postId],
  queryFn: () => portal.posts.get({ postId }),
});

/** The number of unread notifications; 0 until it is known. */
export const useUnread = () =>
  useQuery({ queryKey: ['notifications', 'count'], queryFn: () => portal.notifications.count() }).data?.unread ?? 0;

/** The caller's favourite communities and views. */
export const useFavourites = () => useQuery({ queryKey: ['favourites'], queryFn: () => portal.views.favourites() });

/** Communities in which the caller can write posts. */
export const writableQuery = {
  queryKey: ['writable-communities'],
  queryFn: async () => (await portal.communities.list({ with: 'write' })).communities ?? [],
};
