/**
 * Filters on custom fields of posts and screens: each cell of the table operator × type of field
 * (docs/decisions/lists.md).
 */
import {
  type CustomFieldFilter,
  type ErrorCode,
  FilterType,
  type JsonValue,
  maximumFilterText,
} from '@portico/contract';
import { likePattern, normaliseText, sortKey, storableText } from '@portico/platform/text';
import type { FieldError, FieldErrors } from '../../../../kernel/errors.ts';
import type { FieldDefinition } from '../../../communities/index.ts';
import {
  columnTypes,
  MAX_TEXT_LENGTH,
  type NumberType,
  readFilterId,
  type StoredValue,
  textTypeOf,
  typeOf,
  ValueError,
} from '../../../fields/index.ts';
import { checkCount, readOperator, readText } from './field-parameters.ts';
import { namesPosts, noVisibleReference, onlyVisibleReference, type ReferenceVisibility } from './shown-references.ts';
import {
  type Bound,
  type Condition,
  condition,
  fieldValue,
  type RowProbe,
  rowCondition,
  type Statement,
  type ValueLookup,
} from './statement.ts';

/**
 * Reads a list of field filters.
 * @param fields the fields that may be named: the community's, or those of its workflow's screens
 * @param path JSON path of the list, for errors
 * @param errors gets every error found
 * @param visibility the references in the filters that the caller sees
 */
export function fieldConditions(
  filters: readonly CustomFieldFilter[] | undefined,
  fields: readonly FieldDefinition[],
  path: string,
  errors: FieldErrors,
  visibility: ReferenceVisibility,
): Condition[] {
  const conditions: Condition[] = [];
  for (const [index, filter] of (filters ?? []).entries()) {
    const at = `${path}[${index}]`;
    const field = fields.find((candidate) => candidate.id === filter.columnId);
    if (!field?.searchable) {
      errors.push(refusal(field, filter, fields, at));
      continue;
    }
    try {
      conditions.push(fieldCondition(field, filter, visibility));
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      const member = error.code === 'OPERATOR_NOT_ALLOWED' ? 'typeId' : 'parameters';
      errors.push({
        field: `${at}.${member}`,
        code: error.code,
        defaultMessage: error.message,
        customFieldId: field.id,
      });
    }
  }
  return conditions;
}

function problemOf(field: FieldDefinition | undefined, columnId: number | undefined): [ErrorCode, string] {
  if (field) return ['FIELD_NOT_SEARCHABLE', `Field ${field.id} (${field.label}) cannot be filtered by`];
  if (columnId === undefined) return ['REQUIRED_FIELD', 'A filter needs the id of its field'];
  return ['UNKNOWN_FIELD', `There is no field ${columnId} here`];
}

function refusal(
  field: FieldDefinition | undefined,
  filter: CustomFieldFilter,
  fields: readonly FieldDefinition[],
  at: string,
): FieldError {
  const searchable = fields.filter((candidate) => candidate.searchable);
  const choice =
    searchable.length === 0
      ? 'there are none'
      : searchable.map((candidate) => `${candidate.id} (${candidate.label})`).join(', ');
  const [code, problem] = problemOf(field, filter.columnId);
  return {
    field: `${at}.columnId`,
    code,
    defaultMessage: `${problem}; searchable fields: ${choice}.`,
    args: searchable.map((candidate) => candidate.id),
    ...(field && { customFieldId: field.id }),
  };
}

function fieldCondition(field: FieldDefinition, filter: CustomFieldFilter, visibility: ReferenceVisibility): Condition {
  const operator = readOperator(field.type, filter.typeId);
  const parameters = filter.parameters ?? [];
  checkCount(operator, parameters);
  const key = JSON.stringify(['field', field.id, operator, parameters]);
  const type = typeOf(field);
  if (namesPosts(field)) return postCondition(key, field, operator, parameters.map(readFilterId), visibility);
  if (operator === FilterType.IS_EMPTY) return emptyCondition(key, field);
  switch (type.filter) {
    case 'text':
      return textCondition(key, field, operator, readText(parameters[0] as JsonValue, longestText(operator)));
    case 'choice':
    case 'objects':
      return referenceCondition(key, field, operator, parameters.map(readFilterId));
    case 'flag': {
      const [wanted] = type.columnValues(type.parse(parameters[0], field, 1) as StoredValue);
      return valueCondition(key, field, type.column, (value) => `${value} = ${wanted}`);
    }
    case 'number':
      return numberCondition(key, field, type, operator, parameters);
  }
}

/** SQL of a boolean about a value, given SQL of the value. */
type ValueTest = (value: string, sql: Statement) => string;

/**
 * Returns SQL of the rows of the field that pass a test. Screens belong to workflows, which several
 * communities may share.
 * @param range true when the test is about more than one value, see {@link RowProbe}
 */
function rowsOf(
  key: string,
  field: FieldDefinition,
  where: (v: string, sql: Statement) => string,
  { bound, range = false, each }: { bound?: Bound; range?: boolean; each?: ValueLookup } = {},
): Condition {
  const ofField = (v: string, sql: Statement) => `${v}.field_id = ${sql.bigint(field.id)}`;
  // Orders by the primary key: no other index leads to the rows of one post and field at once.
  const probe: RowProbe = (v, sql) => `${ofField(v, sql)} ORDER BY ${v}.ord`;
  return rowCondition(key, 'post_values', (v, sql) => `${ofField(v, sql)} AND ${where(v, sql)}`, {
    distinct: !typeOf(field).list,
    ownCommunity: field.owner === 'post',
    ...(bound && { bound }),
    ...(range && { probe }),
    ...(each && {
      each: {
        ...each,
        equals: (value: string, sql: Statement) => `${ofField('x', sql)} AND ${each.equals(value, sql)}`,
      },
    }),
  });
}

/** A condition on one value of the field. */
function valueCondition(
  key: string,
  field: FieldDefinition,
  column: string,
  about: ValueTest,
  range = false,
): Condition {
  const bound = { column: fieldValue(field.id), sql: about, empty: false };
  return rowsOf(key, field, (v, sql) => about(`${v}.${column}`, sql), { bound, range });
}

/** Several values, one of which a field must hold. */
interface Among {
  readonly column: string;
  /** PostgreSQL type of the values. */
  readonly type: string;
  readonly wanted: readonly (number | string)[];
}

/** A condition that the value is one of several. */
function amongCondition(key: string, field: FieldDefinition, among: Among): Condition {
  const { column, type } = among;
  const wanted = [...new Set(among.wanted)];
  const several = wanted.length > 1;
  const about: ValueTest = (value, sql) =>
    wanted.length === 1
      ? `${value} = ${sql.add(wanted[0])}::${type}`
      : `${value} = ANY (${sql.add(wanted)}::${type}[])`;
  const values = (sql: Statement) => `${sql.add(wanted)}::${type}[]`;
  return rowsOf(key, field, (v, sql) => about(`${v}.${column}`, sql), {
    bound: { column: fieldValue(field.id), sql: about, empty: false },
    range: several,
    ...(several && { each: { values, equals: (value) => `x.${column} = ${value}` } }),
  });
}

function emptyCondition(key: string, field: FieldDefinition): Condition {
  const bound = { column: fieldValue(field.id), sql: () => 'false', empty: true };
  return rowsOf(key, field, (v) => `${v}.empty`, { bound });
}

/** Empty, or one of several values: index ranges of their own, so the candidates are a union. */
function emptyOrAmong(key: string, field: FieldDefinition, among: Among): Condition {
  const empty = emptyCondition(key, field);
  const held = amongCondition(key, field, among);
  const bound = { ...(held.bound as Bound), empty: true };
  const either = (v: string, sql: Statement) => `(${v}.empty OR ${bound.sql(`${v}.${among.column}`, sql)})`;
  return condition({
    ...held,
    test: rowsOf(key, field, either, { range: true }).test,
    candidates: (sql) => `${empty.candidates?.(sql)} UNION ALL ${held.candidates?.(sql)}`,
    bound,
  });
}

function numberCondition(
  key: string,
  field: FieldDefinition,
  { column, readParameter, readBound = readParameter }: NumberType,
  operator: FilterType,
  parameters: readonly JsonValue[],
): Condition {
  const cast = columnTypes[column];
  if (operator === FilterType.INTERVAL) {
    const [from, to] = parameters.map((value) => (value === null ? null : readBound(value)));
    const within: ValueTest = (value, sql) =>
      [
        `${value} IS NOT NULL`,
        ...(from === null || from === undefined ? [] : [`${value} >= ${sql.add(from)}::${cast}`]),
        ...(to === null || to === undefined ? [] : [`${value} <= ${sql.add(to)}::${cast}`]),
      ].join(' AND ');
    return valueCondition(key, field, column, within, true);
  }
  if (operator === FilterType.EQUAL) {
    const wanted = readParameter(parameters[0] as JsonValue);
    return valueCondition(key, field, column, (value, sql) => `${value} = ${sql.add(wanted)}::${cast}`);
  }
  const wanted = parameters.map(readParameter);
  return (operator === FilterType.IS_NULL_OR_IN ? emptyOrAmong : amongCondition)(key, field, {
    column,
    type: cast,
    wanted,
  });
}

/**
 * EQUAL on a list means that it holds this id and no other; on single values it is the plain
 * equality. CONTAINS and IN test whether the field holds the id, or one of the ids
 * (docs/decisions/lists.md).
 */
function referenceCondition(
  key: string,
  field: FieldDefinition,
  operator: FilterType,
  ids: readonly number[],
): Condition {
  const among = { column: 'ref', type: 'bigint', wanted: ids };
  if (operator === FilterType.IS_NULL_OR_IN) return emptyOrAmong(key, field, among);
  const held = amongCondition(key, field, among);
  if (operator !== FilterType.EQUAL || !typeOf(field).list || ids.length === 0) return held;
  const other = rowsOf(key, field, (v, sql) => `${v}.ref <> ${sql.bigint(ids[0] as number)}`, { range: true });
  // Elements are numbered and differ, so a list with a second element holds another id; few lists
  // of a field have one.
  const longer = (sql: Statement) =>
    `SELECT x.post_id FROM post_values x WHERE x.tenant_id = $1 AND x.field_id = ${sql.bigint(field.id)} AND x.ord = 1`;
  return condition(
    {
      ...held,
      test: (sql) => `(${held.test(sql)} AND NOT ${other.test(sql)})`,
      recheck: (sql) => `NOT ${other.test(sql)}`,
      excluded: longer,
    },
    true,
  );
}

/** Maximum length of a text to compare with: a whole value, or a part of it. */
const longestText = (operator: FilterType) => (operator === FilterType.EQUAL ? MAX_TEXT_LENGTH : maximumFilterText);

/** The same on references to posts, limited to posts that the caller sees. */
function postCondition(
  key: string,
  field: FieldDefinition,
  operator: FilterType,
  named: readonly number[],
  visibility: ReferenceVisibility,
): Condition {
  const ids = named.filter((id) => visibility.seen.has(id));
  const held = amongCondition(key, field, { column: 'ref', type: 'bigint', wanted: ids });
  if (operator === FilterType.IS_EMPTY) return noVisibleReference(key, field, visibility, emptyCondition(key, field));
  if (operator === FilterType.IS_NULL_OR_IN) {
    return noVisibleReference(key, field, visibility, emptyCondition(key, field), { ...held, ids });
  }
  const [only] = ids;
  return operator === FilterType.EQUAL && only !== undefined
    ? onlyVisibleReference(field, only, visibility, held)
    : held;
}

function textCondition(key: string, field: FieldDefinition, operator: FilterType, text: string): Condition {
  if (operator !== FilterType.EQUAL) {
    return rowCondition(
      key,
      'post_texts_view',
      (t, sql) =>
        `${t}.field_id = ${sql.bigint(field.id)} AND ${t}.norm LIKE ${sql.text(likePattern(normaliseText(text)))}`,
      { trigramIndex: true, distinct: true, ownCommunity: field.owner === 'post' },
    );
  }
  // The sort key leads to the few posts with a possibly equal text; the text itself decides.
  const start = sortKey(text);
  const similar = valueCondition(
    key,
    field,
    'txt',
    (value, sql) => `${value} >= ${sql.text(start)} AND ${value} < ${sql.text(`${start}${PAST_TIES}`)}`,
    true,
  );
  const data = field.owner === 'post' ? 'p.custom_data' : 'p.screen_data';
  const exactly = (sql: Statement) => {
    const stored = `${data} ->> ${sql.text(String(field.id))}`;
    return `${textTypeOf(field)?.plainTextSql(stored)} = ${sql.text(storableText(text))}`;
  };
  return condition(
    { ...similar, byId: false, recheck: exactly, test: (sql) => `(${similar.test(sql)} AND ${exactly(sql)})` },
    true,
  );
}

/**
 * Sorts after the keys of a text with any tie-breaker (which begins with U+0001), and before any
 * longer text.
 */
const PAST_TIES = '\u0002';
