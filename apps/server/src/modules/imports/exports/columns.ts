/** Columns of exports: their labels, and the values of their cells for readers. */
import {
  auditChangeInWords,
  fieldsWithIds,
  isAuditChange,
  type JsonValue,
  type Operation,
  postListFields,
  TaskPriority,
  TaskState,
  TaskType,
  Visibility,
} from '@portico/contract';
import { formatZoned } from '@portico/platform/time';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { elementsInWords, nameOf, typeOf, valueInWords } from '../../fields/index.ts';
import type { Cell } from './sheets/index.ts';

/** An item of a list, as the operation returns it. */
export type Item = Readonly<Record<string, JsonValue | undefined>>;

export interface Column {
  /** Name of the column in requests. */
  readonly name: string;
  readonly label: string;
  cell(item: Item, timezone: string): Cell;
}

/** Default columns of posts before the custom fields. */
const POST_COLUMNS: Readonly<Record<string, string>> = {
  customId: 'Number',
  title: 'Title',
  currentWorkflowState: 'State',
  creatorUser: 'Author',
  creationTimestamp: 'Created',
  lastModifyUser: 'Edited by',
  lastModifyTimestamp: 'Edited',
  lastOperationTimestamp: 'Last activity',
  visibility: 'Visibility',
  descriptionPlainText: 'Text',
  attachmentsCount: 'Attachments',
  commentsCount: 'Comments',
  likesCount: 'Likes',
};

/** Codes that lists show, in words. */
const CODES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  visibility: Visibility,
  state: TaskState,
  priority: TaskPriority,
  type: TaskType,
};

/**
 * Returns the columns of a list of posts: the requested ones, else the default ones and every
 * custom field. @throws ValidationError
 */
export function postColumns(definition: CommunityDefinition, asked: readonly string[] | undefined): Column[] {
  const [values] = fieldsWithIds;
  const names = asked ?? [...Object.keys(POST_COLUMNS), ...definition.fields.map(({ id }) => `${values}.${id}`)];
  const fields = new Map(definition.fields.map((field) => [`${values}.${field.id}`, field]));
  // Omit fields without a single value.
  const known: readonly string[] = postListFields.filter(
    (name) => !['customData', 'capabilities', 'mainAttachment', 'coverImage', 'event'].includes(name),
  );
  const choice = [...known, ...definition.fields.map((field) => `${values}.${field.id} (${field.label})`)];
  return distinct(
    columnsFrom(names, choice, (name) => {
      const field = fields.get(name);
      if (field) return fieldColumn(name, field);
      return known.includes(name) ? plainColumn(name, POST_COLUMNS[name]) : undefined;
    }),
  );
}

/**
 * Returns the columns of any other list: the requested ones, else the columns of the command line.
 * @throws ValidationError
 */
export function plainColumns({ command }: Operation, asked: readonly string[] | undefined): Column[] {
  const known = command.columns ?? [];
  return distinct(columnsFrom(asked ?? known, known, (name) => (known.includes(name) ? plainColumn(name) : undefined)));
}

function columnsFrom(
  names: readonly string[],
  choice: readonly string[],
  make: (name: string) => Column | undefined,
): Column[] {
  const errors = new FieldErrors();
  const columns = [...new Set(names)].flatMap((name) => {
    const column = make(name);
    if (column) return column;
    errors.add(
      'columns',
      'UNRECOGNIZED_FIELD',
      `There is no column ${JSON.stringify(name)}; columns: ${choice.join(', ')}.`,
      choice,
    );
    return [];
  });
  errors.throwIfAny();
  return columns;
}

/** Appends the column name to labels that several columns have. */
function distinct(columns: readonly Column[]): Column[] {
  const counts = new Map<string, number>();
  for (const { label } of columns) counts.set(label, (counts.get(label) ?? 0) + 1);
  return columns.map((column) =>
    (counts.get(column.label) ?? 0) > 1
      ? { ...column, label: `${column.label} (${column.name.replace(/^\w+\./, '')})` }
      : column,
  );
}

function plainColumn(name: string, label = labelOf(name)): Column {
  const path = name.split('.');
  const codes = CODES[name];
  return {
    name,
    label,
    cell: (item, timezone) => {
      const value = path.reduce<JsonValue | undefined>(
        (part, step) => (typeof part === 'object' && part !== null ? (part as Item)[step] : undefined),
        item as JsonValue,
      );
      if (codes && typeof value === 'number') return codeWords(codes, value);
      return plainCell(name, value, timezone);
    },
  };
}

/** `lastModifyUser` → `Last modify user` */
function labelOf(name: string): string {
  const words = name
    .replaceAll('.', ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function codeWords(codes: Readonly<Record<string, number>>, value: number): string {
  const [name] = Object.entries(codes).find(([, code]) => code === value) ?? [];
  return name === undefined ? String(value) : labelOf(name.replaceAll('_', '.'));
}

function plainCell(name: string, value: JsonValue | undefined, timezone: string): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return /timestamp$/i.test(name) ? momentOf(value, timezone) : value;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return elementsOf(value);
  const { zonedDatetime, localDatetime } = value;
  if (typeof zonedDatetime === 'string' && typeof localDatetime === 'string')
    return {
      kind: 'moment',
      local: localDatetime,
      zoned: zonedDatetime,
      timezone: String(value['timezone'] ?? timezone),
    };
  return nameOf(value);
}

/** Elements by name; changes of the audit log as one text, since their lists have commas. */
function elementsOf(values: readonly JsonValue[]): Cell {
  const changes = values.filter((value) => typeof value === 'object' && value !== null && isAuditChange(value));
  return changes.length > 0 ? changes.map(auditChangeInWords).join('; ') : values.map(nameOf);
}

function fieldColumn(name: string, field: FieldDefinition): Column {
  const { kind } = typeOf(field);
  return {
    name,
    label: field.label,
    cell: ({ customData }, timezone) => {
      const value = (customData as Item | undefined)?.[field.id];
      if (value === undefined || value === null) return null;
      if (Array.isArray(value)) return elementsInWords(field, value);
      if (kind === 'instant') return momentOf(Number(value), timezone);
      if (kind === 'day') return { kind: 'day', date: valueInWords(field, value) };
      if (typeof value === 'boolean' || (typeof value === 'number' && kind === 'number')) return value;
      return valueInWords(field, value);
    },
  };
}

function momentOf(at: number, timezone: string): Cell {
  const { localDatetime, zonedDatetime } = formatZoned(at, timezone);
  // At the ends of the years 0001 to 9999 the clocks of a zone may show another year, for which no
  // format has room.
  const local = /^(?!0000)\d{4}-/.test(localDatetime) ? localDatetime : undefined;
  // RFC 3339 has no seconds in offsets, but local mean times before 1900 do.
  const exact = local !== undefined && /T[\d:.]+[+-]\d\d:\d\d$/.test(zonedDatetime);
  return { kind: 'moment', local, zoned: exact ? zonedDatetime : new Date(at).toISOString(), timezone };
}
