/** Options of a field, found by part of their name. */
import { type EditDynamicFieldContext, fieldTypes } from '@portico/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';
import { nameOf } from '../posts/user-name.ts';
import type { Choice, FormField } from './input-values.ts';

/** Maximum number of options shown at once; typing finds further ones. */
const MOST = 50;

/** The objects that a search finds; `accounts` and `allGroups` serve the administration. */
export interface OptionSource {
  readonly of: 'people' | 'groups' | 'posts' | 'entries' | 'accounts' | 'allGroups';
  /** Id of the community or the catalog that is searched; for people also `postId`. */
  readonly id?: number | undefined;
  readonly postId?: number | undefined;
  /** The field whose entries are searched, and the parent values that they must fit. */
  readonly within?: {
    readonly fieldId: number;
    readonly communityId: number;
    /** The post, if the field belongs to a screen. */
    readonly screenOf?: number | undefined;
    readonly values: Readonly<Record<string, readonly number[]>>;
  };
}

const TARGETS: Readonly<Record<string, OptionSource['of']>> = {
  'core.user': 'people',
  'core.group': 'groups',
  'communication.post': 'posts',
};

/**
 * @returns the source that is searched for options; undefined if the definition lists all options
 */
export function optionSourceOf(field: FormField, communityId: number): OptionSource | undefined {
  const { generic_entity_list_config_id: target, community_id: other, catalog_id: catalog } = field.metadata ?? {};
  if (fieldTypes[field.type!].kind === 'objects') {
    const of = TARGETS[target ?? 'core.user'] ?? 'people';
    return { of, id: of === 'posts' ? Number(other ?? communityId) : communityId };
  }
  return (field.enumValues?.length ?? 0) === 0 && catalog !== undefined
    ? { of: 'entries', id: Number(catalog) }
    : undefined;
}

/** @param enabled whether the options are open; no request is sent before */
export function useOptionSearch(source: OptionSource | undefined, text: string, enabled: boolean) {
  return useQuery({
    queryKey: ['choices', source, text],
    enabled: enabled && source !== undefined,
    placeholderData: keepPreviousData,
    queryFn: () => searchOptions(source!, text),
  });
}

/** @param pageSize maximum number of options */
export async function searchOptions(
  { of, id, postId, within }: OptionSource,
  text: string,
  pageSize = MOST,
): Promise<readonly Choice[]> {
  const words = text.trim();
  switch (of) {
    case 'people': {
      const where = postId === undefined ? id !== undefined && { communityId: id } : { postId };
      const { items = [] } = await portal.users.find({ ...where, fullTextFilter: words, pageSize });
      return items.map((user) => ({ id: user.id!, label: nameOf(user) }));
    }
    case 'groups': {
      const { items = [] } = await portal.groups.find({
        ...(id !== undefined && { communityId: id }),
        fullTextFilter: words,
        pageSize,
      });
      return items.map((group) => ({ id: group.id!, label: group.name ?? '' }));
    }
    case 'accounts': {
      const { items = [] } = await portal.users.list({ fullTextFilter: words, statusFilter: [1], pageSize });
      return items.map((user) => ({ id: user.id!, label: nameOf(user) }));
    }
    case 'allGroups': {
      const { items = [] } = await portal.groups.list({ fullTextFilter: words, orderDesc: false, pageSize });
      return items.map((group) => ({ id: group.id!, label: group.name ?? '' }));
    }
    case 'posts': {
      const { items = [] } = await portal.posts.list({
        communityId: id!,
        ...(words !== '' && { title: words }),
        pageSize,
        loadPostDetails: false,
      });
      return items.map((post) => ({ id: post.id!, label: post.title || `#${post.id}` }));
    }
    case 'entries': {
      const { items = [] } = await portal.catalogs.entries({
        catalogId: id!,
        pageSize,
        orderBy: 'position',
        orderDesc: false,
        ...(words !== '' && { label: words }),
        ...(within && { context: contextOf(within) }),
      });
      return items.map((entry) => ({ id: entry.id!, label: entry.label ?? '' }));
    }
  }
}

function contextOf({
  fieldId,
  communityId,
  screenOf,
  values,
}: NonNullable<OptionSource['within']>): EditDynamicFieldContext {
  const data = values as Record<string, number[]>;
  if (screenOf === undefined) return { type: 1, fieldId, communityId, postContext: { post: { customData: data } } };
  return { type: 2, fieldId, communityId, screenContext: { postId: screenOf, screenData: data } };
}
