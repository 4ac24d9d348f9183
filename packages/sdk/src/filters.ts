/**
 * Resolves conditions by name to the filters of the interface, through the post definition of the
 * community.
 */
import {
  type CustomFieldFilter,
  customFieldOrderPrefix,
  deprecatedCustomFieldOrderPrefix,
  deprecatedPostOrders,
  type FieldType,
  type FieldTypeFacts,
  FilterType,
  fieldTypes,
  type GetPostDefinitionResponse,
  type JsonValue,
  type PostFieldDefinition,
  type PostWorkflowDefinitionScreenField,
  postOrders,
} from '@portico/contract';
import { ConfigurationError } from './errors.ts';
import type { Condition, NamedFilters, Operand } from './inputs.ts';
import { wireOrder } from './name-check.ts';
import { findNamed, fold, type Named, requireNamed, unknownName } from './names.ts';

/** The members of a custom field of posts or screens that names and values depend on. */
export type Field = Pick<PostFieldDefinition, 'id' | 'label' | 'externalId' | 'type' | 'enumValues' | 'metadata'> &
  Named;

/** Facts about the type of a field; undefined for a type of a newer server. */
export function factsOf(field: Field): FieldTypeFacts | undefined {
  return fieldTypes[field.type as FieldType];
}

const STATE_WORDS = new Set(['state', 'status', 'workflow state']);

/** The filters that result from conditions by name. */
interface ResolvedFilters {
  postFieldFilters?: CustomFieldFilter[];
  screenFieldFilters?: CustomFieldFilter[];
  currentWorkflowStatusIds?: number[];
  hashtagIds?: number[];
  orderBy?: string;
}

/**
 * Resolves `where`, `state`, `hashtags` and `orderBy`.
 * @throws UnknownNameError, or ConfigurationError if a condition does not fit the type of its field
 */
export function resolveFilters(
  definition: GetPostDefinitionResponse,
  input: NamedFilters,
  deprecated = false,
): ResolvedFilters {
  const fields = definition.fieldDefinitions ?? [];
  const screenFields = definition.workflowDefinition?.screenFieldMetadatas ?? [];
  const states = statesOf(definition);
  const resolved: ResolvedFilters = {};
  for (const [name, condition] of Object.entries(input.where ?? {})) {
    const field = findNamed<Field>(fields, name);
    const screenField = field ? undefined : findNamed<PostWorkflowDefinitionScreenField>(screenFields, name);
    if (field) append(resolved, 'postFieldFilters', fieldFilter(field, condition));
    else if (screenField) append(resolved, 'screenFieldFilters', fieldFilter(screenField, condition));
    else if (STATE_WORDS.has(fold(name)) && states.length > 0) {
      append(resolved, 'currentWorkflowStatusIds', ...stateIds(states, condition));
    } else throw unknownName('field', [...fields, ...screenFields], name);
  }
  if (input.state !== undefined) append(resolved, 'currentWorkflowStatusIds', ...stateIds(states, input.state));
  if (input.hashtags !== undefined) {
    const hashtags = (definition.hashtags ?? []).map(({ name, ...hashtag }) => ({ ...hashtag, label: name }));
    resolved.hashtagIds = listed(input.hashtags).map((given) => idOf(requireNamed('hashtag', hashtags, given)));
  }
  if (input.orderBy !== undefined) resolved.orderBy = orderOf([...fields, ...screenFields], input.orderBy, deprecated);
  return resolved;
}

function append<K extends 'postFieldFilters' | 'screenFieldFilters' | 'currentWorkflowStatusIds'>(
  filters: ResolvedFilters,
  name: K,
  ...items: NonNullable<ResolvedFilters[K]>
): void {
  filters[name] = [...(filters[name] ?? []), ...items] as ResolvedFilters[K];
}

function orderOf(fields: readonly Field[], given: string, deprecated: boolean): string {
  const known = wireOrder(given, deprecated);
  if (known !== undefined) return known;
  const field = findNamed(fields, given);
  if (field) return `${deprecated ? deprecatedCustomFieldOrderPrefix : customFieldOrderPrefix}${idOf(field)}`;
  const orders = (deprecated ? Object.keys(deprecatedPostOrders) : postOrders).map((label) => ({ label }));
  throw unknownName('order', [...fields, ...orders], given);
}

/** Workflow states with their names as labels. */
function statesOf(definition: GetPostDefinitionResponse): Named[] {
  return (definition.workflowDefinition?.states ?? []).map(({ name, ...state }) => ({ ...state, label: name }));
}

function stateIds(states: readonly Named[], condition: Condition): number[] {
  const given = typeof condition === 'object' && condition !== null && 'in' in condition ? condition.in : condition;
  return listed(given as Operand).map((state) => {
    if (typeof state !== 'string' && typeof state !== 'number') {
      throw new ConfigurationError('A workflow state is given by its name, external id or number.');
    }
    return idOf(requireNamed('workflow state', states, state));
  });
}

function listed<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

function idOf(named: Named): number {
  if (named.id === undefined) throw new ConfigurationError(`"${named.label}" has no id in the definition.`);
  return named.id;
}

function fieldFilter(field: Field, condition: Condition): CustomFieldFilter {
  const { typeId, parameters } = operatorFor(field, condition);
  return { columnId: idOf(field), typeId, parameters };
}

function operatorFor(field: Field, condition: Condition): { typeId: FilterType; parameters: JsonValue[] } {
  const value = (operand: Operand) => operandValue(field, operand);
  const one = (typeId: FilterType, operand: Operand) => ({ typeId, parameters: [value(operand)] });
  if (condition === null) return { typeId: FilterType.IS_EMPTY, parameters: [] };
  if (Array.isArray(condition)) return { typeId: FilterType.IN, parameters: (condition as Operand[]).map(value) };
  if (typeof condition !== 'object' || condition instanceof Date) {
    const operand = condition as Operand;
    if (factsOf(field)?.operators.includes(FilterType.LIKE)) return one(FilterType.LIKE, operand);
    return one(holdsIds(field) ? FilterType.IN : FilterType.EQUAL, operand);
  }
  const wish = condition as Exclude<Condition, Operand | null | readonly Operand[]>;
  if ('from' in wish || 'to' in wish) {
    const bound = (operand: Operand | null | undefined) =>
      operand === null || operand === undefined ? null : value(operand);
    return { typeId: FilterType.INTERVAL, parameters: [bound(wish.from), endOfDay(field, wish.to) ?? bound(wish.to)] };
  }
  if (wish.equals !== undefined) return one(FilterType.EQUAL, wish.equals);
  if (wish.contains !== undefined) return one(FilterType.CONTAINS, wish.contains);
  if (wish.in !== undefined) return { typeId: FilterType.IN, parameters: wish.in.map(value) };
  if (wish.inOrEmpty !== undefined) return { typeId: FilterType.IS_NULL_OR_IN, parameters: wish.inOrEmpty.map(value) };
  if (wish.empty === true) return { typeId: FilterType.IS_EMPTY, parameters: [] };
  throw new ConfigurationError(
    `The condition on "${field.label}" is none of: a value, a list, null, {from, to}, {equals}, {contains}, {in}, {inOrEmpty}, {empty: true}.`,
  );
}

/** Converts a value of a field to its form in requests: ids for labels, milliseconds for dates. */
export function operandValue(field: Field, operand: Operand): JsonValue {
  if (operand instanceof Date) return operand.getTime();
  if (typeof operand === 'bigint') return operandValue(field, String(operand));
  const kind = factsOf(field)?.kind;
  if (kind === 'choice') {
    if (typeof operand === 'boolean') throw new ConfigurationError(`"${field.label}" takes no ${operand}.`);
    const values = field.enumValues ?? [];
    if (values.length === 0) return unlistedValue(field, operand);
    return idOf(requireNamed(`value of the field "${field.label}"`, values, operand));
  }
  if ((kind === 'day' || kind === 'instant') && typeof operand === 'string') return dateValue(field, operand);
  if (kind === 'number' && typeof operand === 'string') {
    if (!/^-?\d+(\.\d+)?$/.test(operand))
      throw new ConfigurationError(`"${field.label}" takes a number, not "${operand}".`);
    // Digits beyond the range of numbers stay text.
    return Number.isSafeInteger(Math.trunc(Number(operand))) ? Number(operand) : operand;
  }
  if (kind === 'flag' && (operand === 'true' || operand === 'false')) return operand === 'true';
  if (kind === 'objects' && typeof operand === 'string' && /^-?\d+$/.test(operand)) return Number(operand);
  return operand;
}

/**
 * A definition does not list the values of a field with a large catalog: numbers are sent
 * unchanged.
 */
function unlistedValue(field: Field, operand: string | number): number {
  if (/^-?\d+$/.test(String(operand))) return Number(operand);
  throw new ConfigurationError(
    `The definition does not list the values of "${field.label}", because its catalog is large: give the number of "${operand}", which the entries of the catalog tell.`,
  );
}

const DAY_MS = 86_400_000;

/** A day as the upper bound of moments means the end of that day (UTC). */
function endOfDay(field: Field, operand: Operand | null | undefined): number | undefined {
  if (factsOf(field)?.kind !== 'instant' || typeof operand !== 'string') return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(operand) ? dateValue(field, operand) + DAY_MS - 1 : undefined;
}

function dateValue(field: Field, text: string): number {
  const ms = /^-?\d{9,}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(ms)) {
    throw new ConfigurationError(`"${field.label}" takes a date such as 2026-12-31, not "${text}".`);
  }
  return ms;
}

/** Whether values are ids, which are written as a list even if the field holds a single value. */
export function holdsIds(field: Field): boolean {
  const kind = factsOf(field)?.kind;
  return kind === 'choice' || kind === 'objects';
}
