/**
 * Recommends an index for lists of a shape, if one would help. The rules are few because the
 * indexes that every installation has serve nearly all shapes. For each rule, the planner was seen
 * to use the index, in plans for known and unknown parameters, and to read fewer pages with it
 * (docs/adr/0010-index-adviser.md has the figures, advise-indexes.db.test.ts checks them).
 */
import { type FieldType, FilterType } from '@portico/contract';
import { typeOf } from '../../modules/fields/index.ts';
import type { ListShape } from '../../modules/posts/list-shapes/index.ts';
import type { IndexSpec } from './index-spec.ts';

/** Pages read less: `large` is by a fifth to nine tenths, `some` by a tenth to a quarter. */
export type Gain = 'large' | 'some';

export interface Recommendation {
  readonly spec: IndexSpec;
  readonly gain: Gain;
}

export interface Advice {
  readonly wanted: readonly Recommendation[];
  /**
   * Reason for the advice: the slow part, and the effect of an index on it or why no index helps.
   */
  readonly why: string;
}

/** How many lists of the shape ran, and which plans their pages used (columns of `list_shapes`). */
interface PlanCounts {
  readonly lists: number;
  /** Index scans. */
  readonly walks: number;
  /** Candidate sets. */
  readonly drives: number;
}

/** Columns of `posts` by which lists are ordered. */
const ORDER_COLUMNS: Readonly<Record<string, string>> = {
  postCustomId: 'custom_no',
  postTitle: 'title_key',
  postCreationTimestamp: 'created_at',
  postLastModifyTimestamp: 'modified_at',
  postLastModifyAndCommentTimestamp: 'active_at',
  postRecency: 'recent_at',
};

/**
 * Filters that most posts match, so that no index serves them, and the columns they read. With no other filter a list scans
 * the index of its order without a budget, and tests these columns and visibility of each row.
 */
const UNSELECTIVE_FILTERS: Readonly<Record<string, readonly string[]>> = {
  public: ['visibility'],
  'postTypes, ordinary': ['type'],
};

/** Columns of `attachments` that filters read, besides the two that every such filter does. */
const ATTACHMENT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  name: ['name_key'],
  mimeTypes: ['mime_type'],
  mimeTypeCategory: ['kind'],
  createdByUserId: ['creator_id'],
  createdByUserIds: ['creator_id'],
  createdByGroupIds: ['creator_id'],
  modifiedByUserId: ['modifier_id'],
  creationTimestampFrom: ['created_at'],
  creationTimestampTo: ['created_at'],
  modifiedTimestampFrom: ['modified_at'],
  modifiedTimestampTo: ['modified_at'],
  postFilePickerFieldId: ['field_id'],
  wfScreenFilePickerFieldId: ['field_id'],
  hashtagIds: ['id'],
};

/** Filters on attachments that an index of every installation serves. */
const INDEXED_ATTACHMENT_FILTERS: ReadonlySet<string> = new Set([
  'createdByUserId',
  'createdByUserIds',
  'modifiedByUserId',
]);

/** A filter on a custom field, as a shape names it. */
interface FieldFilter {
  readonly fieldId: number;
  readonly operator: number;
  readonly short: boolean;
}

/** Reads `field 12 operator 2, short`. */
export function readFieldFilter(filter: string): FieldFilter | undefined {
  const [, id, operator, short] = /^field (\d+) operator (\d+)(, short)?$/.exec(filter) ?? [];
  return id === undefined ? undefined : { fieldId: Number(id), operator: Number(operator), short: short !== undefined };
}

/** Columns of `post_values` that a test of the filter reads from the row. */
function valueColumns({ fieldId, operator }: FieldFilter, types: ReadonlyMap<number, FieldType>): readonly string[] {
  const type = types.get(fieldId);
  if (type === undefined) return [];
  const { filter, column } = typeOf({ type });
  // Each person, group or post is checked for visibility.
  if (filter === 'objects') return operator === FilterType.CONTAINS ? [] : ['ref'];
  const many = operator === FilterType.IN || operator === FilterType.IS_NULL_OR_IN;
  // Equality with one value, and emptiness, are found in the indexes that there are.
  if (filter === 'text' || !(many || operator === FilterType.INTERVAL)) return [];
  return operator === FilterType.IS_NULL_OR_IN ? [column, 'empty'] : [column];
}

/** Advice for one shape. @param types types of the fields that the shape names */
export function adviceFor(shape: ListShape, plans: PlanCounts, types: ReadonlyMap<number, FieldType>): Advice {
  if (shape.filters.some((filter) => filter === 'draft' || filter === 'draftType'))
    return { wanted: [], why: 'Only drafts of the caller are read, by an existing index.' };
  if (shape.use === 'total')
    return {
      wanted: [],
      why: 'A total counts all matching posts by existing indexes; only fewer totals reduce the cost.',
    };
  const found = [...attachmentAdvice(shape), ...walkAdvice(shape), ...valueAdvice(shape, types)];
  const why = found.map(({ because }) => because);
  if (shape.filters.some((filter) => filter.endsWith(', short') && !filter.startsWith('attachment ')))
    why.push('Search terms of one or two letters have no trigram, so each text is read; use at least three letters.');
  if (why.length === 0) why.push(noneHelps(shape, plans));
  return { wanted: found.map(({ spec, gain }) => ({ spec, gain })), why: why.join(' ') };
}

interface Found extends Recommendation {
  readonly because: string;
}

function* attachmentAdvice({ filters }: ListShape): Generator<Found> {
  const names = filters
    .filter((filter) => filter.startsWith('attachment '))
    .map((filter) => filter.slice('attachment '.length).replace(', short', ''));
  if (names.length === 0 || names.every((name) => INDEXED_ATTACHMENT_FILTERS.has(name))) return;
  const include = new Set(['entity_type', 'type', ...names.flatMap((name) => ATTACHMENT_COLUMNS[name] ?? [])]);
  yield {
    spec: {
      table: 'attachments',
      keys: ['tenant_id', 'community_id', 'post_id'],
      include: [...include].sort(),
      where: 'deleted_at IS NULL',
    },
    gain: 'large',
    because: 'All attachments of the community are compared; a covering index is smaller than the table.',
  };
}

function* walkAdvice({ order, filters }: ListShape): Generator<Found> {
  const key = ORDER_COLUMNS[order];
  if (key === undefined || filters.some((filter) => !UNSELECTIVE_FILTERS[filter])) return;
  const include = new Set([
    'live',
    'pinned',
    'visibility',
    ...filters.flatMap((name) => UNSELECTIVE_FILTERS[name] ?? []),
  ]);
  yield {
    spec: {
      table: 'posts',
      keys: ['tenant_id', 'community_id', key, 'id'],
      include: [...include].sort(),
      where: 'live',
    },
    gain: 'large',
    because:
      'The row of each post on the way is read to see whether it is public; a covering index avoids that. Private posts still need one grant lookup each.',
  };
}

function* valueAdvice({ filters }: ListShape, types: ReadonlyMap<number, FieldType>): Generator<Found> {
  const include = new Set(
    filters.flatMap((filter) => {
      const read = readFieldFilter(filter);
      return read ? valueColumns(read, types) : [];
    }),
  );
  if (include.size === 0) return;
  yield {
    spec: { table: 'post_values', keys: ['tenant_id', 'field_id', 'post_id', 'ord'], include: [...include].sort() },
    gain: 'some',
    because:
      'Intervals, lists of values and references are compared in the rows of values; a covering index avoids that.',
  };
}

function noneHelps({ order, filters }: ListShape, { lists, walks, drives }: PlanCounts): string {
  if (walks * 2 < lists) return 'Posts are read by primary key from the most selective filter; no further index helps.';
  if (filters.length === 0) return 'The order joins names, or what the caller did, with posts; its indexes exist.';
  const missed = drives > 0 ? ', in vain' : '';
  return order.startsWith('field ')
    ? `An index scan in the requested order tests each post${missed}; a narrower filter helps, an index does not.`
    : `Posts are tested in an order unrelated to the filters${missed}; a narrower filter helps, an index does not.`;
}
