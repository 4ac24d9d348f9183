/**
 * The forty fields of the big community: every type of the contract among the searched and ordered
 * fields; the others are only shown, as in a real form. Each has its share of filled values and
 * their distribution.
 */
import { FieldType, fieldTypeName } from '@portico/contract';
import {
  describeDelta,
  type NewField,
  plainTextToDelta,
  type StoredValue,
  typeOf,
} from '@portico/server/testing/dataset';
import type { Dice } from './random.ts';
import { COMMON_WORD, markedWords, paragraph, phrase } from './words.ts';

/** Source of the values. Ids are as the product assigned them. */
export interface ValueSource {
  readonly dice: Dice;
  /** Own values or catalog entries of the field, most common first. */
  readonly ids: readonly number[];
  /** For a value below another field: the ids below each id of that field. */
  readonly idsBelow: ReadonlyMap<number, readonly number[]>;
  /** Value of the parent field. */
  readonly parent: StoredValue | undefined;
  readonly userIds: readonly number[];
  readonly groupIds: readonly number[];
  /** Number of the post in its community, from 0, and the number of posts. */
  readonly index: number;
  readonly posts: number;
  /** Creation time of the post. Epoch milliseconds. */
  readonly createdAt: number;
  /** Returns an earlier public post, or undefined. */
  earlierPost(): number | undefined;
}

export interface FieldPlan {
  readonly field: NewField;
  /** Share of the posts that have a value. */
  readonly share: number;
  /** Number of own values, or of entries of its catalog. */
  readonly values?: number;
  readonly catalog?: boolean;
  /** Label of the parent field. */
  readonly parent?: string;
  value(from: ValueSource): StoredValue | undefined;
}

const DAY = 86_400_000;
const both = { searchable: true, sortable: true };
const found = { searchable: true, sortable: false };
const shown = { searchable: false, sortable: false };

const oneOf = ({ dice, ids }: ValueSource): StoredValue => ids[dice.falling(ids.length)] as number;
const words = (least: number, most: number) => (from: ValueSource) =>
  phrase(from.dice, least + from.dice.below(most - least + 1)) + markedWords(from.dice, from.posts);
const dayAfter = (days: number) => (from: ValueSource) =>
  Math.floor((from.createdAt + from.dice.exponential(days) * DAY) / DAY) * DAY;

/**
 * Several of a list, each once. A few people are in everything; the frequency of list values
 * declines evenly.
 */
function severalOf(dice: Dice, items: readonly number[], most: number, of: 'people' | 'values' = 'people'): number[] {
  const chosen = new Set<number>();
  for (let left = 1 + dice.skewed(most, 2); left > 0; left--)
    chosen.add(items[of === 'people' ? dice.skewed(items.length) : dice.falling(items.length)] as number);
  return [...chosen];
}

function belowParent({ dice, idsBelow, parent }: ValueSource): StoredValue | undefined {
  const ids = idsBelow.get(parent as number) ?? [];
  return ids.length === 0 ? undefined : ids[dice.falling(ids.length)];
}

function richText(from: ValueSource): StoredValue {
  const { dice } = from;
  const text = paragraph(dice, 1 + dice.below(3)) + markedWords(dice, from.posts);
  const ops = dice.chance(0.5)
    ? [{ insert: phrase(dice, 2), attributes: { bold: true } }, { insert: ` ${text}\n` }]
    : plainTextToDelta(text);
  return describeDelta(ops).delta;
}

const type = (kind: FieldType, label: string, use: object, more: Partial<NewField> = {}): NewField => ({
  type: kind,
  label,
  ...use,
  ...more,
});

/** Fields that lists are filtered and ordered by; the other communities have some of them. */
const used: readonly FieldPlan[] = [
  { field: type(FieldType.ENUM, 'Priority', both), share: 0.98, values: 6, value: oneOf },
  { field: type(FieldType.INT, 'Quantity', both), share: 0.9, value: ({ dice }) => quantity(dice) },
  { field: type(FieldType.DATE, 'Due', both), share: 0.85, value: dayAfter(45) },
  { field: type(FieldType.STRING, 'Subject', both), share: 0.9, value: words(2, 5) },
  { field: type(FieldType.FLAG, 'Approved', both), share: 0.8, value: ({ dice }) => dice.chance(0.9) },
  {
    field: type(FieldType.GENERIC_ENTITY_LIST, 'Responsible', found, {
      metadata: { generic_entity_list_config_id: 'core.user' },
    }),
    share: 0.75,
    value: ({ dice, userIds }) => severalOf(dice, userIds, 3),
  },
  { field: type(FieldType.ENUM, 'Category', both), share: 0.9, values: 40, value: oneOf },
  { field: type(FieldType.ENUM, 'Product', both), share: 0.8, values: 200, catalog: true, value: oneOf },
  {
    field: type(FieldType.ENUM_LIST, 'Labels', found),
    share: 0.7,
    values: 30,
    value: ({ dice, ids }) => severalOf(dice, ids, 4, 'values'),
  },
  { field: type(FieldType.ENUM, 'Country', both), share: 0.95, values: 12, value: oneOf },
  {
    field: type(FieldType.HIERARCHICAL_ENUM, 'Region', both),
    share: 0.9,
    values: 96,
    parent: 'Country',
    value: belowParent,
  },
  { field: type(FieldType.INT, 'Complaints', both), share: 0.005, value: ({ dice }) => 1 + dice.skewed(50) },
  {
    field: type(FieldType.BIGINT, 'Serial number', both),
    share: 0.7,
    value: ({ index }) => 4_000_000_000_000 + index * 7,
  },
  {
    field: type(FieldType.DECIMAL, 'Amount', both, { metadata: { decimal_digits: '2' } }),
    share: 0.85,
    value: ({ dice }) => Math.round(dice.next() ** 4 * 5_000_000) / 100,
  },
  {
    field: type(FieldType.DATETIME, 'Started', both),
    share: 0.6,
    value: ({ dice, createdAt }) => Math.round(createdAt + dice.exponential(5) * DAY),
  },
  {
    field: type(FieldType.STRING, 'Reference', both),
    share: 0.95,
    value: ({ dice, index }) => `${dice.pick(['PO', 'SR', 'CR'])}-${String(index).padStart(7, '0')}`,
  },
  {
    field: type(FieldType.TEXT_AREA, 'Notes', both),
    share: 0.5,
    value: (from) => paragraph(from.dice, 1 + from.dice.below(3)) + markedWords(from.dice, from.posts),
  },
  { field: type(FieldType.DELTA_AREA, 'Details', found), share: 0.4, value: richText },
  {
    field: type(FieldType.FEEDBACK, 'Rating', both, { metadata: { feedback_max_value: '5' } }),
    share: 0.5,
    value: ({ dice }) => 5 - dice.skewed(6, 2),
  },
  {
    field: type(FieldType.LINK, 'Page', both),
    share: 0.4,
    value: ({ dice, index }) => `https://www.example.com/${phrase(dice, 1).toLowerCase()}/${index}`,
  },
  {
    field: type(FieldType.GENERIC_ENTITY_LIST, 'Involved', found, {
      metadata: { generic_entity_list_config_id: 'core.user', extends_post_visibility: 'true' },
    }),
    share: 0.1,
    value: ({ dice, userIds }) => severalOf(dice, userIds, 2),
  },
  {
    field: type(FieldType.GENERIC_ENTITY_LIST, 'Related', found, {
      metadata: { generic_entity_list_config_id: 'communication.post' },
    }),
    share: 0.2,
    value: (from) => {
      const id = from.earlierPost();
      return id === undefined ? undefined : [id];
    },
  },
];

/** Round numbers are common. */
function quantity(dice: Dice): number {
  return dice.chance(0.3) ? 100 * (1 + dice.skewed(20, 4)) : dice.below(20_000);
}

const onlyShown: readonly FieldPlan[] = [
  {
    field: type(FieldType.GENERIC_ENTITY_LIST, 'Team', shown, {
      metadata: { generic_entity_list_config_id: 'core.group' },
    }),
    share: 0.4,
    value: ({ dice, groupIds }) => severalOf(dice, groupIds, 2),
  },
  { field: type(FieldType.STRING, 'Contact', shown), share: 0.6, value: words(2, 2) },
  { field: type(FieldType.STRING, 'Room', shown), share: 0.3, value: ({ dice }) => `R ${dice.below(900)}` },
  {
    field: type(FieldType.STRING, 'Colour', shown),
    share: 0.4,
    value: ({ dice }) => dice.pick(['red', 'blue', COMMON_WORD]),
  },
  ...['Width', 'Height', 'Depth', 'Copies'].map((label) => ({
    field: type(FieldType.INT, label, shown),
    share: 0.5,
    value: ({ dice }: ValueSource) => dice.below(1000),
  })),
  ...['Weight', 'Discount'].map((label) => ({
    field: type(FieldType.DECIMAL, label, shown, { metadata: { decimal_digits: '1' } }),
    share: 0.5,
    value: ({ dice }: ValueSource) => dice.below(1000) / 10,
  })),
  ...['Urgent', 'Fragile', 'Confidential'].map((label) => ({
    field: type(FieldType.FLAG, label, shown),
    share: 0.7,
    value: ({ dice }: ValueSource) => dice.chance(0.2),
  })),
  ...['Ordered', 'Paid', 'Shipped'].map((label) => ({
    field: type(FieldType.DATE, label, shown),
    share: 0.5,
    value: dayAfter(10),
  })),
  { field: type(FieldType.ENUM, 'Channel', shown), share: 0.8, values: 8, value: oneOf },
  { field: type(FieldType.TEXT_AREA, 'Remark', shown), share: 0.2, value: words(4, 12) },
];

/** A field of a type that the form above lacks, filled with samples of the type. */
export function sampledField(fieldType: FieldType): FieldPlan {
  const spec = typeOf({ type: fieldType });
  const use = { searchable: true, sortable: spec.sortable };
  const metadata: Record<string, string> =
    spec.kind === 'objects' ? { generic_entity_list_config_id: 'core.user' } : {};
  return {
    field: type(fieldType, fieldTypeName(fieldType), use, { metadata }),
    share: 0.5,
    ...(spec.kind === 'choice' && { values: 30 }),
    value: ({ dice, ids, userIds, createdAt }) =>
      spec.sample({
        random: {
          next: () => dice.next(),
          int: (from, to) => from + dice.below(to - from + 1),
          chance: (share) => dice.chance(share),
          pick: (list) => dice.pick(list),
          some: (list, count) => [...new Set(Array.from({ length: count }, () => dice.pick(list)))],
        },
        at: createdAt,
        sentences: [paragraph(dice, 1), paragraph(dice, 1)],
        site: 'https://www.example.com',
        ids: spec.kind === 'objects' ? userIds : ids,
        metadata,
      }),
  };
}

const planned = new Set([...used, ...onlyShown].map(({ field }) => field.type));
const others = Object.values(FieldType)
  .filter((fieldType) => !planned.has(fieldType))
  .map(sampledField);

/** All fields of the big community, in the order of its form. */
export const bigCommunityFields: readonly FieldPlan[] = [...used, ...onlyShown, ...others];
/** The fields of every other community. */
export const smallCommunityFields: readonly FieldPlan[] = used.slice(0, 6);
