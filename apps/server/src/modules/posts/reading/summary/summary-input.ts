/** Reads the groupings and the measure of a summary. */
import {
  customFieldOf,
  customFieldOrderPrefix,
  fieldTypes,
  type SummarisePostsRequest,
  type SummaryMeasure,
  type SummaryPeriod,
  summaryDates,
  summaryGroups,
  summaryPeriods,
  timeInState,
} from '@portico/contract';
import type { FieldErrors } from '../../../../kernel/errors.ts';
import type { CommunityDefinition, FieldDefinition } from '../../../communities/index.ts';
import { holdsObjects } from '../../../fields/index.ts';
import { namesPosts } from '../list/shown-references.ts';

/** A property by which posts are grouped. */
export type Grouping =
  | { readonly kind: (typeof summaryGroups)[number] }
  | { readonly kind: (typeof summaryDates)[number]; readonly period: SummaryPeriod }
  | { readonly kind: 'values'; readonly field: FieldDefinition }
  | { readonly kind: 'dates'; readonly field: FieldDefinition; readonly period: SummaryPeriod };

/** Groupings and measure of a summary. */
export interface Figures {
  readonly groupings: readonly Grouping[];
  readonly measure: SummaryMeasure;
  /** The measured number; undefined for the count. */
  readonly of: FieldDefinition | typeof timeInState | undefined;
}

/** Returns the fields of posts and of workflow screens. */
function fieldsOf(definition: CommunityDefinition): readonly FieldDefinition[] {
  return [...definition.fields, ...(definition.workflow?.fields ?? [])];
}

const kindOf = ({ type }: FieldDefinition) => fieldTypes[type].kind;
const holdsDates = (field: FieldDefinition) => ['day', 'instant'].includes(kindOf(field));
const holdsNumbers = (field: FieldDefinition) => kindOf(field) === 'number';
/** References to posts make no groups: a group would tell of posts that the caller does not see. */
const holdsGroups = (field: FieldDefinition) =>
  ['flag', 'choice'].includes(kindOf(field)) || (holdsObjects(field) && !namesPosts(field));

const isIn = <T extends string>(words: readonly T[], word: string): word is T =>
  (words as readonly string[]).includes(word);

/** Reads groupings and measure. @param errors gets every error found */
export function readFigures(
  { groupBy, measure = 'count', measureOf }: SummarisePostsRequest,
  definition: CommunityDefinition,
  errors: FieldErrors,
): Figures {
  const groupings = (groupBy ?? []).flatMap(
    (name, index) => readGrouping(name, `groupBy[${index}]`, definition, errors) ?? [],
  );
  if (groupBy?.length === 2 && groupBy[0] === groupBy[1]) {
    errors.add('groupBy[1]', 'INVALID_VALUE', 'Group by two different properties.');
  }
  return { groupings, measure: measure as SummaryMeasure, of: readMeasured(measure, measureOf, definition, errors) };
}

function readGrouping(
  name: string,
  place: string,
  definition: CommunityDefinition,
  errors: FieldErrors,
): Grouping | undefined {
  const dot = name.indexOf('.');
  const [word, period] = dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
  const known = period !== undefined && isIn(summaryPeriods, period) ? period : undefined;
  if (dot < 0 && isIn(summaryGroups, word)) return { kind: word };
  if (known && isIn(summaryDates, word)) return { kind: word, period: known };
  const fieldId = customFieldOf(word);
  const fields = fieldsOf(definition);
  const field = fields.find(({ id }) => id === fieldId);
  if (field && dot < 0 && holdsGroups(field)) return { kind: 'values', field };
  if (field && known && holdsDates(field)) return { kind: 'dates', field, period: known };
  const dates = [...summaryDates, ...fields.filter(holdsDates).map(({ id }) => `${customFieldOrderPrefix}${id}`)];
  const choice = [
    ...summaryGroups,
    ...fields.filter(holdsGroups).map(({ id }) => `${customFieldOrderPrefix}${id}`),
    ...dates.map((date) => `${date}.{${summaryPeriods.join('|')}}`),
  ];
  errors.push({
    field: place,
    code: fieldId !== null && !field ? 'UNKNOWN_FIELD' : 'INVALID_VALUE',
    defaultMessage: `Posts cannot be grouped by ${JSON.stringify(name)}. Possible values: ${choice.join(', ')}.`,
    args: choice,
    ...(fieldId !== null && { customFieldId: fieldId }),
  });
  return undefined;
}

function readMeasured(
  measure: string,
  measureOf: string | undefined,
  definition: CommunityDefinition,
  errors: FieldErrors,
): Figures['of'] {
  if (measure === 'count') {
    if (measureOf !== undefined) {
      errors.add(
        'measureOf',
        'INVALID_VALUE',
        'The measure count takes no measureOf: omit it, or send another measure.',
      );
    }
    return undefined;
  }
  if (measureOf === timeInState) return timeInState;
  const fields = fieldsOf(definition);
  const fieldId = measureOf === undefined ? null : customFieldOf(measureOf);
  const field = fields.find(({ id }) => id === fieldId);
  if (field && holdsNumbers(field)) return field;
  const choice = [timeInState, ...fields.filter(holdsNumbers).map(({ id }) => `${customFieldOrderPrefix}${id}`)];
  const code = fieldId !== null && !field ? 'UNKNOWN_FIELD' : 'INVALID_VALUE';
  errors.push({
    field: 'measureOf',
    code: measureOf === undefined ? 'REQUIRED_FIELD' : code,
    defaultMessage: `The measure ${measure} needs one of these values: ${choice.join(', ')}.`,
    args: choice,
    ...(fieldId !== null && { customFieldId: fieldId }),
  });
  return undefined;
}
