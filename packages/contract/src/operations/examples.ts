/**
 * Examples of bodies and answers in the OpenAPI document: their type, and the examples derived from
 * tables.
 */
import { FilterType } from '../codes/codes.ts';
import { FieldType, fieldTypes } from '../codes/field-types.ts';
import {
  customFieldOrderPrefix,
  deprecatedCustomFieldOrderPrefix,
  deprecatedPostOrders,
  postOrders,
} from '../filters.ts';
import type {
  ListCommunityPostsFilteredRequest,
  ListCommunityPostsRequest,
  TypeMap,
  TypeName,
} from '../types/index.ts';

/** An example in the form of OpenAPI. */
export interface Example<T = unknown> {
  readonly summary: string;
  readonly value: T;
}

/** Examples by name. */
export type Examples = Readonly<Record<string, Example>>;

/** Examples of a type, widened so that the type of the table of operations stays small. */
export function examples<T extends TypeName>(byName: Readonly<Record<string, Example<TypeMap[T]>>>): Examples {
  return byName;
}

const DAY = 86_400_000;

function nextValue(value: string | number | boolean): string | number | boolean {
  return typeof value === 'number' ? value + (value > 1_000_000_000_000 ? 30 * DAY : 1) : value;
}

function parametersFor(type: FieldType, operator: FilterType): (string | number | boolean)[] {
  const value = fieldTypes[type].example;
  switch (operator) {
    case FilterType.IS_EMPTY:
      return [];
    case FilterType.INTERVAL:
    case FilterType.IN:
    case FilterType.IS_NULL_OR_IN:
      return [value, nextValue(value)];
    default:
      return [value];
  }
}

/** An example for each operator of a type of field. */
export function filterExamples(): Record<string, Example<ListCommunityPostsFilteredRequest>> {
  const examples: Record<string, Example<ListCommunityPostsFilteredRequest>> = {};
  for (const [typeName, type] of Object.entries(FieldType)) {
    for (const [operatorName, typeId] of Object.entries(FilterType)) {
      if (!fieldTypes[type].operators.includes(typeId)) continue;
      examples[`filter-${typeName}-${operatorName}`] = {
        summary: `Field of type ${typeName}, operator ${operatorName}`,
        value: { postFieldFilters: [{ columnId: 4100 + type, typeId, parameters: parametersFor(type, typeId) }] },
      };
    }
  }
  return examples;
}

/** An example for each order; dates and recency are descending, names and numbers ascending. */
export function orderExamples(): Record<string, Example<ListCommunityPostsFilteredRequest>> {
  const examples: Record<string, Example<ListCommunityPostsFilteredRequest>> = {};
  for (const orderBy of [...postOrders, `${customFieldOrderPrefix}4104` as const]) {
    const orderDesc = /Timestamp|Recency|Publication/.test(orderBy);
    examples[`order-${orderBy}`] = {
      summary: `Ordered by ${orderBy}, ${orderDesc ? 'descending' : 'ascending'}`,
      value: { orderBy, orderDesc, pinnedFirst: false },
    };
  }
  return examples;
}

export function deprecatedOrderExamples(): Record<string, Example<ListCommunityPostsRequest>> {
  const names = Object.keys(deprecatedPostOrders) as (keyof typeof deprecatedPostOrders)[];
  const examples: Record<string, Example<ListCommunityPostsRequest>> = {};
  for (const orderBy of [...names, `${deprecatedCustomFieldOrderPrefix}4104` as const]) {
    examples[`order-${orderBy}`] = { summary: `Ordered by ${orderBy}`, value: { orderBy } };
  }
  return examples;
}
