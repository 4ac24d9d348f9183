/** The groupings and measures that the figures of a community offer. */
import { fieldTypes, type GetPostDefinitionResponse, type PostSummaryKey } from '@portico/sdk';
import type { Texts, useFormats } from '../../texts/index.ts';
import type { FigureTexts } from './texts.ts';

/** A grouping or a measured value: its name in the interface, and its label. */
export interface Offer {
  readonly name: string;
  readonly label: string;
}

const FIELD = 'postCustomField-';
const periods = ['day', 'week', 'month', 'year'] as const;
export const TIME_IN_STATE = 'timeInState';
/** The groupings of the ready figures. */
export const BY_STATE = 'currentWorkflowState';
export const BY_MONTH = 'creationTimestamp.month';
export const BY_PERSON = 'creatorUser';

const fieldsOf = ({ fieldDefinitions = [], workflowDefinition }: GetPostDefinitionResponse) => [
  ...fieldDefinitions,
  ...(workflowDefinition?.screenFieldMetadatas ?? []),
];
const dated = (name: string, label: string, words: FigureTexts): Offer[] =>
  periods.map((period) => ({ name: `${name}.${period}`, label: `${label}, ${words.periods[period]}` }));

/** The groupings of a community, in the order of the menu. */
export function groupingsOf(definition: GetPostDefinitionResponse, words: FigureTexts): Offer[] {
  const ofFields = fieldsOf(definition).flatMap(({ id, label = '', type, metadata }) => {
    const { kind } = fieldTypes[type!];
    const name = `${FIELD}${id}`;
    if (kind === 'day' || kind === 'instant') return dated(name, label, words);
    const people = kind === 'objects' && metadata?.['generic_entity_list_config_id'] !== 'communication.post';
    return kind === 'flag' || kind === 'choice' || people ? [{ name, label }] : [];
  });
  return [
    ...(definition.workflowDefinition ? [{ name: BY_STATE, label: words.state }] : []),
    { name: BY_PERSON, label: words.author },
    ...((definition.hashtags?.length ?? 0) > 0 ? [{ name: 'hashtags', label: words.hashtags }] : []),
    { name: 'type', label: words.kind },
    ...dated('creationTimestamp', words.created, words),
    ...dated('lastModifyTimestamp', words.changed, words),
    ...ofFields,
  ];
}

/** The values of a community that can be measured. */
export function measuredOf(definition: GetPostDefinitionResponse, words: FigureTexts): Offer[] {
  return [
    ...(definition.workflowDefinition ? [{ name: TIME_IN_STATE, label: words.timeInState }] : []),
    ...fieldsOf(definition)
      .filter(({ type }) => fieldTypes[type!].kind === 'number')
      .map(({ id, label = '' }) => ({ name: `${FIELD}${id}`, label })),
  ];
}

/** Returns whether a grouping makes periods, which follow one another. */
export const isDated = (name: string | undefined): boolean => name?.includes('.') === true;

/** Returns the name of a group for people. */
export function nameOfKey(
  { value, name }: PostSummaryKey,
  by: string,
  { texts, words, formats }: { texts: Texts; words: FigureTexts; formats: ReturnType<typeof useFormats> },
): string {
  if (name !== undefined) return name;
  if (value === undefined) return words.none;
  if (by === 'type') return texts.kinds[Number(value) - 1] ?? value;
  if (value === 'true' || value === 'false') return value === 'true' ? words.yes : words.no;
  if (!isDated(by)) return value;
  const day = Date.parse(`${value}T00:00:00Z`);
  if (by.endsWith('.year')) return value.slice(0, 4);
  if (by.endsWith('.month')) return formats.month(day);
  return by.endsWith('.week') ? words.weekOf(formats.day(day)) : formats.day(day);
}

const HOUR = 3_600_000;

/** Returns a figure for people; a time in the largest unit that fits. */
export function figureText(
  value: number | undefined,
  of: string | undefined,
  words: FigureTexts,
  formats: ReturnType<typeof useFormats>,
): string {
  if (value === undefined) return '–';
  const rounded = (number: number, digits: number) => formats.number(Number(number.toFixed(digits)));
  if (of !== TIME_IN_STATE) return rounded(value, 2);
  return value < 48 * HOUR ? words.hours(rounded(value / HOUR, 1)) : words.days(rounded(value / HOUR / 24, 1));
}
