import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';
import type { Choice } from '../write/input-values.ts';
import { searchOptions } from '../write/option-search.ts';
import type { FilterField } from './filters.ts';

const MOST = 100;

/**
 * Options of a filter: from the definition, or from a search.
 * @param chosen ids that must be among the options with their names, whatever the search text is
 */
export function useFilterOptions(
  { by, options, source, sourceId }: FilterField,
  sought: string,
  enabled: boolean,
  chosen: readonly number[],
): readonly Choice[] {
  const text = sought.trim();
  const posts = source === 'posts' ? chosen : [];
  const found = useQuery({
    queryKey: ['options', by, source, sourceId, text, posts],
    enabled: enabled && source !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<readonly Choice[]> => {
      // Groups are searched in the whole tenant.
      const id = source === 'groups' ? undefined : sourceId;
      const found = source === 'posts' && id === undefined ? [] : await searchOptions({ of: source!, id }, text, MOST);
      const missing = posts.filter((postId) => !found.some((option) => option.id === postId));
      const others = await Promise.all(missing.map((postId) => portal.posts.get({ postId })));
      return [...others.map((post) => ({ id: post.id!, label: post.title || `#${post.id}` })), ...found];
    },
  });
  if (source === undefined) {
    const wanted = text.toLowerCase();
    return (options ?? []).filter(({ label }) => label.toLowerCase().includes(wanted));
  }
  return found.data ?? [];
}
