import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';
import { nameOf } from '../post/user-name.ts';
import type { FilterField, Option } from './filters.ts';

const MOST = 100;

/**
 * What can be chosen for a filter: what the definition lists, or what a search finds.
 * @param chosen ids that must be among the options by name, whatever is sought
 */
export function useFilterOptions(
  { by, options, source, sourceId }: FilterField,
  sought: string,
  enabled: boolean,
  chosen: readonly number[],
): readonly Option[] {
  const text = sought.trim();
  const posts = source === 'posts' ? chosen : [];
  const found = useQuery({
    queryKey: ['options', by, source, sourceId, text, posts],
    enabled: enabled && source !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<Option[]> => {
      switch (source!) {
        case 'people': {
          const community = sourceId === undefined ? {} : { communityId: sourceId };
          const { items = [] } = await portal.users.find({ ...community, fullTextFilter: text, pageSize: MOST });
          return items.map((user) => ({ id: user.id!, label: nameOf(user) }));
        }
        case 'groups': {
          const { items = [] } = await portal.groups.find({ fullTextFilter: text, pageSize: MOST });
          return items.map(({ id, name }) => ({ id: id!, label: name ?? '' }));
        }
        case 'entries': {
          const { items = [] } = await portal.catalogs.entries({
            catalogId: sourceId!,
            pageSize: MOST,
            orderDesc: false,
            ...(text !== '' && { label: text }),
          });
          return items.map(({ id, label }) => ({ id: id!, label: label ?? '' }));
        }
        case 'posts': {
          const list =
            sourceId === undefined
              ? []
              : ((await portal.posts.list({ communityId: sourceId, title: text, pageSize: MOST })).items ?? []);
          const known = new Set(list.map(({ id }) => id));
          const others = await Promise.all(
            posts.filter((id) => !known.has(id)).map((postId) => portal.posts.get({ postId })),
          );
          return [...others, ...list].map(({ id, title }) => ({ id: id!, label: title ?? `#${id}` }));
        }
      }
    },
  });
  if (source === undefined) {
    const wanted = text.toLowerCase();
    return (options ?? []).filter(({ label }) => label.toLowerCase().includes(wanted));
  }
  return found.data ?? [];
}
