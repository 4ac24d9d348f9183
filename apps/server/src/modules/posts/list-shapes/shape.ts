/**
 * The shape of a list: the kinds of filters, their fields, and the order. It has no values: two
 * lists of one shape run the same statements, and the same index helps both
 * (docs/adr/0010-index-adviser.md).
 */
import {
  type CommunityAttachmentFilters,
  type CommunityPostFilters,
  type CustomFieldFilter,
  defaultPostOrder,
  type ListCommunityPostsFilteredRequest,
  PostType,
  parseDeprecatedPostOrder,
  parsePostOrder,
  Visibility,
} from '@portico/contract';

/** Purpose of a statement: the page, or the number of posts on all pages. */
export type ShapeUse = 'page' | 'total';

export interface ListShape {
  readonly use: ShapeUse;
  /** Published name of the order, or `field 12`; empty for totals, which have no order. */
  readonly order: string;
  /** Kinds of the filters, sorted: `currentWorkflowStatusIds`, `field 12 operator 2`, `attachment name`, `title, short`. */
  readonly filters: readonly string[];
}

/** Shorter texts contain no trigram, so the index does not support them. Characters. */
const SHORT = 3;
/** Maximum number of filters in a shape. */
const MAX_FILTERS = 30;
const TEXTS = new Set(['title', 'description', 'containsText', 'name']);

type AnyFilters = Readonly<Record<string, unknown>>;

/**
 * Filters of posts by name, without flags that only modify another filter and without filters read
 * separately.
 */
const POST_FILTERS = [
  'title',
  'description',
  'containsText',
  'createdByUserId',
  'createdByUserIds',
  'createdByGroupIds',
  'modifiedByUserId',
  'creationTimestampFrom',
  'creationTimestampTo',
  'modifiedTimestampFrom',
  'modifiedTimestampTo',
  'followedByMe',
  'mentioned',
  'toManage',
  'toManageProcesses',
  'toManageStandardTasks',
  'acknowledgeTaskFilter',
  'currentWorkflowStatusIds',
  'postSurveyTypes',
  'draftType',
  'draft',
  'onlyPinned',
  'postId',
  'hashtagIds',
] as const satisfies readonly (keyof CommunityPostFilters)[];

const ATTACHMENT_FILTERS = [
  'name',
  'createdByUserId',
  'createdByUserIds',
  'createdByGroupIds',
  'mimeTypes',
  'mimeTypeCategory',
  'excludeFilePickers',
  'creationTimestampFrom',
  'creationTimestampTo',
  'modifiedByUserId',
  'modifiedTimestampFrom',
  'modifiedTimestampTo',
  'postFilePickerFieldId',
  'wfScreenFilePickerFieldId',
  'hashtagIds',
  'types',
  'entityTypes',
] as const satisfies readonly (keyof CommunityAttachmentFilters)[];

/** Returns whether a value filters at all (docs/decisions/lists.md). */
function filters(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

function named(set: AnyFilters, names: readonly string[], prefix: string, found: Set<string>): void {
  for (const name of names) {
    const value = set[name];
    if (!filters(value)) continue;
    const short = TEXTS.has(name) && typeof value === 'string' && value.trim().length < SHORT;
    found.add(`${prefix}${name}${short ? ', short' : ''}`);
  }
}

function onFields(list: readonly CustomFieldFilter[] | undefined | null, found: Set<string>): void {
  for (const { columnId, typeId, parameters } of list ?? []) {
    const [text] = parameters ?? [];
    const short = typeof text === 'string' && parameters?.length === 1 && text.trim().length < SHORT;
    found.add(`field ${columnId} operator ${typeId}${short ? ', short' : ''}`);
  }
}

function onPosts(set: CommunityPostFilters, found: Set<string>): void {
  named(set as AnyFilters, POST_FILTERS, '', found);
  onFields(set.postFieldFilters, found);
  onFields(set.screenFieldFilters, found);
  const { visibility, postTypes, eventPostFilter } = set;
  // These codes decide which index exists: few posts are private, and nearly all are ordinary.
  if (visibility !== undefined) found.add(visibility === Visibility.PRIVATE ? 'private' : 'public');
  if (filters(postTypes)) found.add(postTypes?.includes(PostType.CUSTOM) ? 'postTypes, ordinary' : 'postTypes');
  if (eventPostFilter) found.add(filters(eventPostFilter.location) ? 'event location' : 'event time');
}

/** A valid request of either list. */
export type ShapedInput = ListCommunityPostsFilteredRequest & { readonly deprecated?: boolean };

/** Returns the shape of a request. */
export function shapeOf(input: ShapedInput, use: ShapeUse): ListShape {
  const found = new Set<string>();
  onPosts(input, found);
  if (input.communityPostFilters) onPosts(input.communityPostFilters, found);
  if (input.communityAttachmentFilters)
    named(input.communityAttachmentFilters as AnyFilters, ATTACHMENT_FILTERS, 'attachment ', found);
  return { use, order: use === 'total' ? '' : orderOf(input), filters: [...found].sort().slice(0, MAX_FILTERS) };
}

function orderOf({ orderBy, deprecated }: ShapedInput): string {
  if (orderBy === undefined) return defaultPostOrder;
  const parsed = deprecated ? parseDeprecatedPostOrder(orderBy) : parsePostOrder(orderBy);
  if (!parsed) return orderBy;
  return 'order' in parsed ? parsed.order : `field ${parsed.customFieldId}`;
}

/** Serializes a shape for the table. */
export function shapeText(shape: ListShape): string {
  return JSON.stringify([shape.use, shape.order, ...shape.filters]);
}

/** Parses the result of {@link shapeText}. */
export function parseShape(text: string): ListShape {
  const [use, order, ...filters] = JSON.parse(text) as [ShapeUse, string, ...string[]];
  return { use, order, filters };
}
