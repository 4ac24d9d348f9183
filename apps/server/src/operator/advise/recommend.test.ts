import { FieldType, FilterType } from '@portico/contract';
import { describe, expect, test } from 'vitest';
import { asKnown, definitionOf, type IndexSpec, merged, nameOf, serves } from './index-spec.ts';
import { adviceFor } from './recommend.ts';

const types = new Map<number, FieldType>([
  [1, FieldType.INT],
  [2, FieldType.DECIMAL],
  [3, FieldType.ENUM],
  [4, FieldType.STRING],
  [5, FieldType.GENERIC_ENTITY_LIST],
]);
const byIndexScan = { lists: 4, walks: 4, drives: 0 };
const byCandidateSet = { lists: 4, walks: 0, drives: 4 };
const advice = (filters: string[], order = 'postTitle', plans = byIndexScan, use: 'page' | 'total' = 'page') =>
  adviceFor({ use, order, filters }, plans, types);
const definitions = (filters: string[], order?: string) =>
  advice(filters, order).wanted.map(({ spec }) => definitionOf(spec));
const field = (id: number, operator: number) => `field ${id} operator ${operator}`;

describe('what is recommended', () => {
  test('for orders whose only filters most posts fit: an index that holds what is asked on the way', () => {
    expect(definitions([])).toEqual([
      'posts (tenant_id, community_id, title_key, id) INCLUDE (live, pinned, visibility) WHERE live',
    ]);
    expect(definitions(['postTypes, ordinary', 'public'], 'postRecency')).toEqual([
      'posts (tenant_id, community_id, recent_at, id) INCLUDE (live, pinned, type, visibility) WHERE live',
    ]);
    expect(definitions(['createdByUserIds'])).toEqual([]);
    expect(definitions([], 'postCreatorUser')).toEqual([]);
    expect(definitions([], 'field 1')).toEqual([]);
  });

  test('for intervals and lists of values: an index that holds the columns of these types', () => {
    expect(definitions([field(1, FilterType.INTERVAL), field(3, FilterType.IS_NULL_OR_IN)])).toEqual([
      'post_values (tenant_id, field_id, post_id, ord) INCLUDE (big, empty, ref)',
    ]);
    expect(definitions([field(2, FilterType.INTERVAL)])).toEqual([
      'post_values (tenant_id, field_id, post_id, ord) INCLUDE (num)',
    ]);
    for (const operator of [FilterType.EQUAL, FilterType.IS_EMPTY, FilterType.IS_NULL_OR_IN]) {
      expect(definitions([field(5, operator)])).toEqual([
        'post_values (tenant_id, field_id, post_id, ord) INCLUDE (ref)',
      ]);
    }
    for (const served of [
      field(3, FilterType.EQUAL),
      field(1, FilterType.IS_EMPTY),
      field(5, FilterType.CONTAINS),
      field(4, FilterType.LIKE),
      field(9, 4),
    ])
      expect(definitions([served])).toEqual([]);
  });

  test('for attachments: an index that holds what is compared, unless one leads to them', () => {
    expect(definitions(['attachment mimeTypeCategory', 'attachment name, short'])).toEqual([
      'attachments (tenant_id, community_id, post_id) INCLUDE (entity_type, kind, name_key, type) WHERE deleted_at IS NULL',
    ]);
    expect(definitions(['attachment createdByUserIds'])).toEqual([]);
  });

  test('nothing for drafts, totals and what is read by key', () => {
    for (const none of [
      advice(['draft']),
      advice(['public'], '', byIndexScan, 'total'),
      advice(['createdByUserIds'], 'postTitle', byCandidateSet),
      advice([`${field(4, FilterType.LIKE)}, short`]),
      advice(['containsText']),
    ]) {
      expect(none.wanted).toEqual([]);
      expect(none.why).toMatch(/\.$/);
    }
  });
});

describe('definitions', () => {
  const spec: IndexSpec = {
    table: 'posts',
    keys: ['tenant_id', 'community_id', 'title_key', 'id'],
    include: ['live', 'visibility'],
    where: 'live',
  };
  const wider = merged(spec, { ...spec, include: ['type'] });

  test('have names of their own', () => {
    expect(nameOf(spec)).toMatch(/^advised_posts__title_key__[0-9a-f]{8}$/);
    expect(nameOf(wider)).not.toBe(nameOf(spec));
  });

  test('serve one another when keys and predicate are the same and the columns are there', () => {
    expect(serves(asKnown(wider), spec)).toBe(true);
    expect(serves(asKnown(spec), wider)).toBe(false);
    expect(serves({ ...asKnown(wider), valid: false }, spec)).toBe(false);
    expect(serves({ ...asKnown(wider), where: '(NOT live)' }, spec)).toBe(false);
    expect(serves({ ...asKnown(wider), where: '(live)' }, spec)).toBe(true);
    expect(serves({ ...asKnown(wider), keys: ['tenant_id', 'community_id', 'id'] }, spec)).toBe(false);
  });
});
