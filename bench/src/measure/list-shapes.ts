/**
 * Shapes of lists: orders, filters, both, combinations of three; each with plain SQL for its
 * expected content.
 */
import { type FieldType, fieldTypeName, fieldTypes, postOrders, sortableFieldTypes } from '@portico/contract';
import type { Dataset, DatasetField, PersonKind } from '../dataset/dataset.ts';
import { allFilters, combined, type Filter, visibleSql } from './filters.ts';

type ListGroup = 'order' | 'filter' | 'filter by order' | 'text' | 'mark' | 'combination';

/** A requested list. */
export interface ListShape {
  readonly name: string;
  readonly group: ListGroup;
  readonly person: PersonKind;
  readonly filters: readonly Filter[];
  readonly orderBy: string;
  readonly orderDesc: boolean;
}

/** The caller: a person who sees only some of the private posts. */
export const ASKER: PersonKind = 'contributor';
/** Posts on a page. */
export const PAGE_SIZE = 20;

const DEFAULT_ORDER = 'postLastModifyAndCommentTimestamp';

/**
 * Pinned posts come first in descending lists, as by default, and in their regular place in
 * ascending ones: one direction of each order then shows the cost of pinned posts that fill a good
 * part of the page.
 */
const pinnedFirst = ({ orderDesc }: ListShape) => orderDesc;

/** Body of the request, without paging. */
export function bodyOf(shape: ListShape): Record<string, unknown> {
  return {
    ...combined(shape.filters).body,
    orderBy: shape.orderBy,
    orderDesc: shape.orderDesc,
    pinnedFirst: pinnedFirst(shape),
  };
}

/** Orders of a community's list: named ones and one field of each type. */
function ordersOf(dataset: Dataset): readonly { orderBy: string; name: string }[] {
  return [
    ...postOrders.map((orderBy) => ({ orderBy, name: orderBy })),
    ...sortableFields(dataset).map((field) => ({
      orderBy: orderByField(field),
      name: `field ${fieldTypeName(field.type)}`,
    })),
  ];
}

const orderByField = (field: DatasetField) => `postCustomField-${field.id}`;

function sortableFields(dataset: Dataset): DatasetField[] {
  const kept = new Map<FieldType, DatasetField>();
  for (const field of dataset.community.fields)
    if (field.sortable && sortableFieldTypes.includes(field.type) && !kept.has(field.type)) kept.set(field.type, field);
  return [...kept.values()];
}

/** Every measured shape. */
export function listShapes(dataset: Dataset): readonly ListShape[] {
  const filters = allFilters(dataset, ASKER);
  const orders = ordersOf(dataset);
  const shape = (
    group: ListGroup,
    some: readonly Filter[],
    order?: { orderBy: string; name: string },
    orderDesc = true,
  ): ListShape => ({
    name: [some.map(({ name }) => name).join(' + '), order ? `by ${order.name}${orderDesc ? '' : ' ascending'}` : '']
      .filter(Boolean)
      .join(' '),
    group,
    person: ASKER,
    filters: some,
    orderBy: order?.orderBy ?? DEFAULT_ORDER,
    orderDesc,
  });
  const groupOf = (filter: Filter) => (filter.kind === 'value' ? 'filter' : filter.kind);
  const others = orders.filter(
    ({ orderBy, name }) =>
      ['postTitle', 'postCreatorUser', 'postViewedByMeTimestamp'].includes(orderBy) || /^field (INT|ENUM)$/.test(name),
  );
  const one = (pattern: RegExp) => filters.find(({ name }) => pattern.test(name));
  // Every filter in two orders of other kinds, in turn; two filters in every order and both
  // directions.
  const everyOrder = [one(/^ENUM EQUAL common/), one(/^ENUM EQUAL rare/)].filter((filter) => filter !== undefined);
  const crossed = filters.filter(
    (filter) => !everyOrder.includes(filter) && /EQUAL|INTERVAL|IS_EMPTY|CONTAINS|^[a-z]/.test(filter.name),
  );
  return [
    ...orders.flatMap((order) => [shape('order', [], order), shape('order', [], order, false)]),
    ...filters.map((filter) => shape(groupOf(filter), [filter])),
    ...crossed.flatMap((filter, index) =>
      byTurns(others, index).map((order) =>
        shape(filter.kind === 'value' ? 'filter by order' : filter.kind, [filter], order),
      ),
    ),
    ...everyOrder.flatMap((filter) =>
      orders.flatMap((order) => [
        shape('filter by order', [filter], order),
        shape('filter by order', [filter], order, false),
      ]),
    ),
    ...combinations(filters).flatMap((three, index) => [
      shape('combination', three),
      ...byTurns(others, index).map((order) => shape('combination', three, order)),
    ]),
  ];
}

/** Returns two items, others each turn: all items occur without measuring every pair. */
function byTurns<T>(some: readonly T[], turn: number): T[] {
  return [0, 1].flatMap((more) => some.slice((2 * turn + more) % some.length).slice(0, 1));
}

/** Threes of filters: all common, one rare, all rare, with texts, intervals, marks, references. */
function combinations(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  const one = (start: string) => filters.find(({ name }) => name.startsWith(start));
  const threes = [
    ['ENUM EQUAL common', 'FLAG EQUAL true', 'ENUM_LIST CONTAINS common'],
    ['ENUM EQUAL common', 'FLAG EQUAL true', 'ENUM_LIST CONTAINS rare'],
    ['ENUM EQUAL rare', 'FLAG EQUAL true', 'INT INTERVAL wide'],
    ['ENUM EQUAL rare', 'ENUM_LIST CONTAINS rare', 'HIERARCHICAL_ENUM EQUAL rare'],
    ['INT INTERVAL wide', 'DATE INTERVAL wide', 'DECIMAL INTERVAL wide'],
    ['INT INTERVAL narrow', 'DATE INTERVAL wide', 'ENUM EQUAL common'],
    ['INT INTERVAL wide', 'DATETIME INTERVAL narrow', 'FLAG EQUAL false'],
    ['containsText common', 'ENUM EQUAL common', 'FLAG EQUAL true'],
    ['containsText common', 'ENUM EQUAL rare', 'created since'],
    ['containsText rare', 'ENUM EQUAL common', 'created since'],
    ['STRING LIKE common', 'GENERIC_ENTITY_LIST of users CONTAINS common', 'state common'],
    ['GENERIC_ENTITY_LIST of users CONTAINS rare', 'state common', 'FLAG EQUAL true'],
    ['GENERIC_ENTITY_LIST of users CONTAINS common', 'HIERARCHICAL_ENUM EQUAL common', 'BIGINT INTERVAL wide'],
    ['private', 'ENUM EQUAL common', 'INT INTERVAL wide'],
    ['hashtag common', 'state rare', 'FLAG EQUAL true'],
    ['hashtag rare', 'creator common', 'created since'],
    ['followedByMe', 'ENUM EQUAL common', 'FLAG EQUAL true'],
    ['mentioned', 'STRING LIKE common', 'created since'],
    ['toManage', 'ENUM EQUAL rare', 'INT INTERVAL wide'],
    ['INT IS_EMPTY', 'ENUM IS_EMPTY', 'DATE IS_EMPTY'],
    ['creator common', 'state common', 'created within'],
  ];
  return threes
    .map((three) => three.map(one).filter((filter) => filter !== undefined))
    .filter(({ length }) => length === 3);
}

/** Plain SQL of the ids of a page. */
export function expectedSql(dataset: Dataset, shape: ListShape, size: number, offset: number): string {
  const { tenant, community } = dataset;
  const way = shape.orderDesc ? 'DESC' : 'ASC';
  const keys = orderKeys(dataset, shape);
  const where = [
    `p.tenant_id = ${tenant.id}`,
    `p.community_id = ${community.id}`,
    visibleSql(dataset, shape.person)('p'),
    ...(shape.filters.length > 0 ? [combined(shape.filters).where] : []),
  ];
  return `SELECT id FROM (SELECT p.id, p.pinned, ${keys.map((key, index) => `${key} AS k${index}`).join(', ')} FROM posts p WHERE ${where.join(' AND ')}) l
     ORDER BY ${pinnedFirst(shape) ? 'pinned DESC, ' : ''}k0 IS NULL, ${keys.map((_, index) => `k${index} ${way}, `).join('')}id ${way} LIMIT ${size} OFFSET ${offset}`;
}

function orderKeys(dataset: Dataset, { orderBy, person }: ListShape): string[] {
  const user = (column: string) =>
    ['last_key', 'first_key'].map(
      (key) => `(SELECT u.${key} FROM users u WHERE u.tenant_id = p.tenant_id AND u.id = p.${column})`,
    );
  const done = (column: string) => [
    `(SELECT s.${column} FROM post_user_state s WHERE s.tenant_id = p.tenant_id AND s.post_id = p.id AND s.user_id = ${dataset.people[person].userId})`,
  ];
  switch (orderBy) {
    case 'postCustomId':
      return ['p.custom_no'];
    case 'postTitle':
      return [`nullif(p.title_key, '')`];
    case 'postCreatorUser':
      return user('creator_id');
    case 'postCreationTimestamp':
      return ['p.created_at'];
    case 'postLastModifyUser':
      return user('modifier_id');
    case 'postLastModifyTimestamp':
      return ['p.modified_at'];
    case DEFAULT_ORDER:
      return ['p.active_at'];
    case 'postViewedByMeTimestamp':
      return done('viewed_at');
    case 'postModifiedByMeTimestamp':
      return done('modified_at');
    case 'postCommentedByMeTimestamp':
      return done('commented_at');
    case 'postScheduledPublication':
      return ['p.scheduled_at'];
    case 'postRecency':
      return ['p.recent_at'];
    default:
      return [fieldKey(dataset.community.fields.find((field) => orderByField(field) === orderBy)!)];
  }
}

function fieldKey({ id, type }: DatasetField): string {
  const held = `p.custom_data ->> '${id}'`;
  switch (fieldTypes[type].kind) {
    case 'text':
      // The order of texts depends on their sort keys, which only the product computes.
      return `(SELECT v.txt FROM post_values v WHERE v.tenant_id = p.tenant_id AND v.field_id = ${id} AND v.post_id = p.id AND v.txt IS NOT NULL)`;
    case 'choice':
      return `coalesce((SELECT e.label_key FROM field_enum_values e WHERE e.tenant_id = p.tenant_id AND e.field_id = ${id} AND e.id = (${held})::bigint),
        (SELECT c.label_key FROM catalog_entries c JOIN fields f ON f.tenant_id = c.tenant_id AND f.catalog_id = c.catalog_id
          WHERE c.tenant_id = p.tenant_id AND f.id = ${id} AND c.id = (${held})::bigint))`;
    case 'flag':
      return `(${held})::boolean::int`;
    default:
      return `(${held})::numeric`;
  }
}
