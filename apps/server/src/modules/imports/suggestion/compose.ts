/** Writes the mapping of chosen columns. */
import { FieldType, fieldTypes, type ImportTarget } from '@portico/contract';
import { sortKey } from '@portico/platform/text';
import type { Chooser, ChosenColumn } from './choose.ts';
import { typeOfNew } from './choose.ts';
import type { Entry } from './known-exports.ts';
import type { Sample } from './sample.ts';

/** The community and the file that a mapping connects. */
interface Composed extends Chooser {
  readonly sample: Sample;
  readonly columns: readonly ChosenColumn[];
  readonly communityId: number;
  readonly timezone: string;
  readonly addStates: boolean;
  /** Distinguishes the file from others, where its rows are known by their lines. */
  readonly fileMark: string;
}

/** Returns the mapping as JSON, an entry to a line. */
export function composeMapping(composed: Composed): string {
  const { sample, columns, known, definition } = composed;
  const of = (target: ImportTarget) => columns.filter((column) => column.target === target);
  const entry = (target: ImportTarget): Entry | undefined => {
    const chosen = of(target);
    return chosen.length === 0 ? undefined : sourceOf(chosen, PARTS[target] ?? 'text', composed);
  };
  const body = entry('body');
  const bodyFormat = of('body')[0]?.preset?.entry['format'];
  const state = composed.addStates || definition.workflow ? entry('state') : undefined;
  const title = definition.workflow?.title ?? (known?.workflowTitle || 'Workflow');
  const fields = fieldsOf(composed);
  const mapping: Record<string, unknown> = {
    format: sample.format,
    csv: sample.format === 'csv' ? { delimiter: sample.delimiter, encoding: sample.encoding } : undefined,
    json: jsonOf(sample),
    externalId: externalIdOf(composed),
    title: entry('title'),
    body: body && { ...body, ...(bodyFormat !== undefined && { format: bodyFormat }) },
    state,
    workflow: state && composed.addStates ? { title } : undefined,
    hashtags: entry('hashtags'),
    watchers: entry('watchers'),
    visibility: entry('visibility'),
    author: entry('author'),
    modifier: entry('modifier'),
    created: entry('created'),
    modified: entry('modified'),
    comments: commentsOf(composed),
  };
  const lines = Object.entries(mapping).flatMap(([key, value]) =>
    value === undefined ? [] : [`  ${JSON.stringify(key)}: ${JSON.stringify(value)}`],
  );
  if (fields.length > 0) {
    const written = fields.map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    lines.push(`  "fields": {\n${written.join(',\n')}\n  }`);
  }
  return `{\n${lines.join(',\n')}\n}\n`;
}

function jsonOf({ format, document: { path = [], shape } }: Sample): Entry | undefined {
  if (format !== 'json') return undefined;
  if (shape !== undefined) return { shape };
  return path.length > 0 ? { rows: path.join('.') } : undefined;
}

/** Without a column that identifies rows, rows are known by their lines in this file. */
function externalIdOf(composed: Composed): Entry {
  const { columns, communityId, known, fileMark } = composed;
  const chosen = columns.filter(({ target }) => target === 'externalId');
  // Ids are unique in the tenant: the community and the program tell them apart from others.
  const prefix = `${known?.preset ?? 'import'}-${communityId}-`;
  if (chosen.length === 0) return { line: true, prefix: `${prefix}${fileMark}-` };
  return { ...sourceOf(chosen, 'id', composed), prefix };
}

/** How a mapping reads a value. */
type Kind = 'text' | 'id' | 'list' | 'time' | 'number' | 'flag' | 'day';

const PARTS: Partial<Record<ImportTarget, Kind>> = {
  created: 'time',
  modified: 'time',
  hashtags: 'list',
  watchers: 'list',
};

/** Keys of a preset's source that hold for a kind of value. */
const PRESET_KEYS: Readonly<Record<Kind, readonly string[]>> = {
  text: ['map', 'empty'],
  id: [],
  list: ['split', 'map', 'empty'],
  time: ['date', 'timezone'],
  day: ['date', 'timezone'],
  number: ['decimal', 'thousands'],
  flag: ['yes', 'no'],
};

/** The source that reads some columns, as the first of them. */
function sourceOf(chosen: readonly ChosenColumn[], kind: Kind, { timezone }: Composed): Entry {
  const ordered = chosen.toSorted((a, b) => (a.preset?.rank ?? 0) - (b.preset?.rank ?? 0));
  const [first] = ordered as [ChosenColumn];
  const { sampled, detected } = first;
  const repeats = sampled.count > 1 && ordered.length === 1;
  const names = ordered.map((column) => column.sampled.name);
  const isOne = kind !== 'list';
  const preset = Object.entries(first.preset?.entry ?? {}).filter(([key]) => PRESET_KEYS[kind].includes(key));
  const own: Record<string, unknown> = names.length > 1 ? { columns: names } : { column: names[0] };
  if (repeats) {
    own['repeated'] = sampled.name;
    delete own['column'];
  }
  if (isOne && (names.length > 1 || repeats || sampled.isList)) own['pick'] = 'first';
  if (kind === 'list' && !sampled.isList && detected.split !== undefined) own['split'] = detected.split;
  if (kind === 'time' || kind === 'day') {
    const form = first.dateForm ?? detected.dateForms[0];
    if (form !== undefined && form !== 'auto') own['date'] = form;
    if (detected.language !== undefined) own['language'] = detected.language;
    if (timezone !== 'UTC') own['timezone'] = timezone;
  }
  if (kind === 'number') {
    if (detected.decimal !== undefined) own['decimal'] = detected.decimal;
    if (detected.thousands !== undefined) own['thousands'] = detected.thousands;
  }
  if (kind === 'flag' && detected.yes && detected.no) {
    own['yes'] = detected.yes;
    own['no'] = detected.no;
  }
  const chosenForm = first.dateForm !== undefined;
  return { ...own, ...Object.fromEntries(preset.filter(([key]) => key !== 'date' || !chosenForm)) };
}

const KINDS = {
  number: 'number',
  day: 'day',
  instant: 'time',
  text: 'text',
  richText: 'text',
  flag: 'flag',
  choice: 'text',
  objects: 'list',
} as const;

const kindOf = (type: FieldType): Kind => (fieldTypes[type].list ? 'list' : KINDS[fieldTypes[type].kind]);

/** The entries of fields by their keys. */
function fieldsOf(composed: Composed): [string, Entry][] {
  const { columns, definition } = composed;
  const known = Map.groupBy(
    columns.filter(({ target, field }) => target === 'field' && field),
    ({ field }) => field!.id,
  );
  // A field comes after the one above it.
  const inOrder = [...known].toSorted(([a], [b]) => depthOf(a, definition) - depthOf(b, definition));
  const entries: [string, Entry][] = inOrder.map(([, chosen]) => {
    const [{ field, addValues }] = chosen as [ChosenColumn];
    const entry = sourceOf(chosen, kindOf(field!.type), composed);
    return [field!.externalId ?? field!.label, { ...entry, ...(addValues && { addValues: true }) }];
  });
  const taken = new Set(
    [...definition.fields, ...definition.hidden].flatMap(({ externalId, label }) => [externalId ?? label]),
  );
  const made = Map.groupBy(
    columns.filter(({ target }) => target === 'newField'),
    (column) => column.preset?.key ?? `${column.label} ${column.sampled.name}`,
  );
  for (const chosen of made.values()) entries.push(newField(chosen, taken, composed));
  return entries;
}

/** Number of fields above a hierarchical one. */
function depthOf(fieldId: number, definition: Chooser['definition']): number {
  const parentId = definition.fields.find(({ id }) => id === fieldId)?.parentId ?? null;
  return parentId === null ? 0 : 1 + depthOf(parentId, definition);
}

/** Keys of a preset's field that describe the field. */
const FIELD_KEYS = ['of', 'digits', 'sortable', 'maximum', 'format'];

function newField(chosen: readonly ChosenColumn[], taken: Set<string>, composed: Composed): [string, Entry] {
  const [first] = chosen as [ChosenColumn];
  const type = first.type ?? typeOfNew(first);
  const label = first.label ?? first.sampled.name;
  const key = freeKey(first.preset?.key ?? keyOf(label), taken);
  const name = Object.keys(FieldType).find((one) => FieldType[one as keyof typeof FieldType] === type)!;
  const preset = first.preset?.entry ?? {};
  const asInPreset = preset['type'] === name ? FIELD_KEYS.filter((one) => preset[one] !== undefined) : [];
  const entry: Record<string, unknown> = {
    ...sourceOf(chosen, kindOf(type), composed),
    type: name,
    label,
    ...(fieldTypes[type].kind === 'objects' && { of: 'user' }),
    ...Object.fromEntries(asInPreset.map((one) => [one, preset[one]])),
  };
  // Without the right to create people, an import keeps the rows of unknown people.
  if (fieldTypes[type].kind === 'objects' && !composed.withPeople) entry['onError'] = 'drop';
  return [key, entry];
}

/** A key from a label: `Story points` is `storyPoints`. */
function keyOf(label: string): string {
  const words = sortKey(label)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const key = words.map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('');
  return key.slice(0, 60) || 'field';
}

function freeKey(key: string, taken: Set<string>): string {
  let free = key;
  for (let number = 2; taken.has(free); number++) free = `${key}${number}`;
  taken.add(free);
  return free;
}

function commentsOf(composed: Composed): unknown {
  const { columns, known, withHistory } = composed;
  const chosen = columns.filter(({ target }) => target === 'comments');
  if (chosen.length === 0) return undefined;
  return chosen.map(({ sampled, preset }) => {
    const given = known?.comments;
    if (given && preset?.target === 'comments') {
      const { author: _author, at: _at, ...others } = given;
      return withHistory ? given : others;
    }
    return sampled.count > 1 ? { repeated: sampled.name, text: { item: 'text' } } : { text: sampled.name };
  });
}
