/**
 * Converts the body of a list request to a query: filters flat and nested, order, and the binding
 * of page tokens.
 */
import { hash } from 'node:crypto';
import {
  type CommunityPostFilters,
  defaultPostOrder,
  deprecatedPostOrders,
  type ListCommunityPostsFilteredRequest,
  type ListCommunityPostsRequest,
  type ParsedPostOrder,
  parseDeprecatedPostOrder,
  parsePostOrder,
  postOrders,
  sortableFieldTypes,
} from '@portico/contract';
import { seesComments } from '../../../../kernel/access/index.ts';
import { type FieldError, FieldErrors, ValidationError } from '../../../../kernel/errors.ts';
import type { CommunityDefinition } from '../../../communities/index.ts';
import { attachmentCondition } from './attachment-filters.ts';
import { fieldOrder, namedOrder, type Order } from './orders.ts';
import type { ListQuery } from './page-query.ts';
import { type FilterContext, GRANTED, postConditions } from './post-filters.ts';
import { loadReferenceVisibility } from './shown-references.ts';
import type { Condition } from './statement.ts';

/** A request of either list, in the form of the present one. */
export interface ListInput extends ListCommunityPostsFilteredRequest {
  /** Orders have the names of the deprecated list. */
  readonly deprecated?: boolean;
  /**
   * Number of `postFieldFilters` that came under this name; the others came as
   * `customFieldFilters`.
   */
  readonly ownFieldFilters?: number;
}

/** Converts the body of the deprecated list to one of the present list. */
export function fromDeprecated(body: ListCommunityPostsRequest): ListInput {
  const { postType, customFieldFilters, attachmentHashtagIds, attachmentHashtagsLogicalAnd, orderBy, ...same } = body;
  return {
    ...same,
    ...(postType !== undefined && { communityPostFilters: { postTypes: [postType] } }),
    ...(customFieldFilters && { postFieldFilters: [...(same.postFieldFilters ?? []), ...customFieldFilters] }),
    ...(attachmentHashtagIds?.length && {
      communityAttachmentFilters: {
        hashtagIds: attachmentHashtagIds,
        hashtagsLogicalAnd: attachmentHashtagsLogicalAnd,
      },
    }),
    ...(orderBy !== undefined && { orderBy: orderBy as ListInput['orderBy'] }),
    ownFieldFilters: same.postFieldFilters?.length ?? 0,
    deprecated: true,
  };
}

/** Returns an error under the name with which the filter was sent. */
function asSent(fieldError: FieldError, ownFieldFilters: number | undefined): FieldError {
  const [whole, index] = /^postFieldFilters\[(\d+)\]/.exec(fieldError.field) ?? [];
  if (ownFieldFilters === undefined || whole === undefined || Number(index) < ownFieldFilters) return fieldError;
  const place = `customFieldFilters[${Number(index) - ownFieldFilters}]`;
  return { ...fieldError, field: `${place}${fieldError.field.slice(whole.length)}` };
}

/**
 * A query and the binding of its page tokens (docs/decisions/lists.md): filters and order, not page
 * size or load flags.
 */
interface ReadListInput {
  readonly query: ListQuery;
  readonly binding: unknown;
}

/** Reads a list request. @throws ValidationError with every error found */
export async function readListInput(input: ListInput, context: FilterContext): Promise<ReadListInput> {
  const { definition, scope } = context;
  const errors = new FieldErrors();
  const order = readOrder(input, context, errors);
  const nested = input.communityPostFilters ?? {};
  const flat: CommunityPostFilters = input;
  // A flag that only modifies another filter may be sent in the other place than the filter.
  const steering = (own: CommunityPostFilters, other: CommunityPostFilters): CommunityPostFilters => ({
    ...own,
    hashtagsLogicalAnd: own.hashtagsLogicalAnd ?? other.hashtagsLogicalAnd,
    includeStatelessPosts: own.includeStatelessPosts ?? other.includeStatelessPosts,
  });
  const attachments = attachmentCondition(
    input.communityAttachmentFilters,
    scope.actor,
    seesComments(scope.actor, definition.community),
  );
  const visibility = await loadReferenceVisibility(
    scope,
    [flat, nested].flatMap(({ postFieldFilters, screenFieldFilters }) => [
      { filters: postFieldFilters, fields: definition.fields },
      { filters: screenFieldFilters, fields: definition.workflow?.fields ?? [] },
    ]),
  );
  const conditions = [
    ...(await postConditions({ filters: steering(flat, nested), path: '' }, context, visibility, errors)),
    ...(await postConditions(
      { filters: steering(nested, flat), path: 'communityPostFilters' },
      context,
      visibility,
      errors,
    )),
    ...(attachments ? [attachments] : []),
  ].map(withShortKey);
  if (errors.length > 0 || !order) {
    throw new ValidationError(errors.list.map((fieldError) => asSent(fieldError, input.ownFieldFilters)));
  }
  const drafts = [flat, nested].some((filters) => filters.draft === true || filters.draftType !== undefined);
  const kept = new Map(conditions.map((condition) => [condition.key, condition]));
  // Creators see their drafts, with or without a grant.
  if (drafts) kept.delete(GRANTED);
  const desc = input.orderDesc ?? true;
  const pinnedFirst = input.pinnedFirst ?? true;
  return {
    query: {
      tenantId: scope.db.tenantId,
      communityId: definition.id,
      actor: scope.actor,
      drafts,
      conditions: [...kept.values()],
      order: order.order,
      desc,
      pinnedFirst,
    },
    binding: [
      definition.id,
      drafts,
      [...new Set(conditions.map((condition) => condition.key))].sort(),
      order.name,
      desc,
      pinnedFirst,
    ],
  };
}

/**
 * Maximum length of a key of a condition in UTF-16 units. A longer key is hashed: it names up to
 * 10,000 ids, and thousands of keys are kept.
 */
const LONGEST_KEY = 200;

function withShortKey(condition: Condition): Condition {
  const { key } = condition;
  return key.length <= LONGEST_KEY ? condition : { ...condition, key: hash('sha256', key, 'base64url') };
}

function readOrder(
  input: ListInput,
  { definition, scope }: FilterContext,
  errors: FieldErrors,
): { order: Order; name: string } | undefined {
  const name = input.orderBy ?? defaultPostOrder;
  // The default has the name of the newer list, in the older one too.
  const older = input.deprecated && input.orderBy !== undefined;
  const parsed: ParsedPostOrder | null = older ? parseDeprecatedPostOrder(name) : parsePostOrder(name);
  if (!parsed) {
    const names = input.deprecated ? Object.keys(deprecatedPostOrders) : postOrders;
    errors.add(
      'orderBy',
      'UNKNOWN_ORDER',
      `The list cannot be ordered by ${JSON.stringify(name)}; orders are ${names.join(', ')} and ${input.deprecated ? 'customField' : 'postCustomField'}-{id}.`,
      names,
    );
    return undefined;
  }
  if ('order' in parsed) return { order: namedOrder(parsed.order, scope.actor), name: parsed.order };
  const sortable = sortableFields(definition);
  const field = sortable.find((candidate) => candidate.id === parsed.customFieldId);
  if (field) return { order: fieldOrder(field), name: `field${field.id}` };
  const choice =
    sortable.length === 0
      ? 'there are none'
      : sortable.map((candidate) => `${candidate.id} (${candidate.label})`).join(', ');
  errors.push({
    field: 'orderBy',
    code: 'FIELD_NOT_SORTABLE',
    defaultMessage: `The list cannot be ordered by field ${parsed.customFieldId}; sortable fields: ${choice}.`,
    args: sortable.map((candidate) => candidate.id),
    customFieldId: parsed.customFieldId,
  });
  return undefined;
}

/** Returns the fields of posts and of screens by which a list can be ordered. */
function sortableFields(definition: CommunityDefinition) {
  return [...definition.fields, ...(definition.workflow?.fields ?? [])].filter(
    (field) => field.sortable && sortableFieldTypes.includes(field.type),
  );
}
