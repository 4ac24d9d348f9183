/** The groupings that a table offers, and the filter of each group. */
import { fieldTypes, type GetPostDefinitionResponse, type PostSummaryKey } from '@portico/sdk';
import type { Texts } from '../../texts/index.ts';
import type { Filter } from '../filters.ts';
import type { ListSearch } from '../list-search.ts';

/** A grouping by its name in the address. */
export interface Grouping {
  readonly key: NonNullable<ListSearch['group']>;
  readonly label: string;
  /** Whether its values are yes and no. */
  readonly flag: boolean;
}

/**
 * The groupings of a community: the state, the author, and fields that hold one choice, yes or no,
 * or people. The list can be filtered by each.
 */
export function groupingsOf(
  { fieldDefinitions = [], workflowDefinition }: GetPostDefinitionResponse,
  texts: Texts,
): Grouping[] {
  return [
    ...(workflowDefinition ? [{ key: 'state', label: texts.state, flag: false } as const] : []),
    ...fieldDefinitions.flatMap(({ id, label = '', type, searchable, metadata }): Grouping[] => {
      const { kind, list } = fieldTypes[type!];
      const people = metadata?.['generic_entity_list_config_id'] === 'core.user';
      const groups = kind === 'flag' || (kind === 'choice' && list !== true) || (kind === 'objects' && people);
      return searchable && groups ? [{ key: `field-${id!}`, label, flag: kind === 'flag' }] : [];
    }),
    { key: 'author', label: texts.author, flag: false },
  ];
}

/** The filter of the posts of a group; undefined if no filter says so, as for posts without a state. */
export function filterOf({ key, flag }: Grouping, { value }: PostSummaryKey): Filter | undefined {
  if (value === undefined) return key.startsWith('field-') ? [key, 'empty'] : undefined;
  return flag ? [key, 'is', value === 'true'] : [key, 'in', Number(value)];
}

/** The name of a group; undefined for posts without a value. */
export function nameOfGroup({ value, name }: PostSummaryKey, { flag }: Grouping, texts: Texts): string | undefined {
  if (flag && value !== undefined) return value === 'true' ? texts.yes : texts.no;
  return name ?? value;
}
