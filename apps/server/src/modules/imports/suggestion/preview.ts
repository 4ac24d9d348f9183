/** The first rows of a file as an import will read them, in words. */
import {
  fieldTypes,
  type ImportPreviewPart,
  type ImportPreviewRow,
  type ImportTarget,
  importLimits,
  Visibility,
} from '@portico/contract';
import { deltaToPlainText, parseDelta } from '@portico/platform/richtext';
import { cutCodePoints } from '@portico/platform/text';
import { Turns } from '@portico/platform/turns';
import type { PersonName } from '../mapping/values.ts';
import { type RowData, readRow } from '../rows.ts';
import type { FieldMapping, Mapping } from '../source/mapping-types.ts';
import type { InputRecord } from '../source/records.ts';

/** Reads the first rows by a mapping. */
export async function previewRows(mapping: Mapping, records: readonly InputRecord[]): Promise<ImportPreviewRow[]> {
  const turns = new Turns();
  const rows: ImportPreviewRow[] = [];
  for (const record of records.slice(0, importLimits.previewRows)) {
    if (turns.isOver) await turns.next();
    rows.push(previewRow(mapping, record));
  }
  return rows;
}

const cut = (text: string): string => cutCodePoints(text, importLimits.sampleText);

function previewRow(mapping: Mapping, { line, values, error }: InputRecord): ImportPreviewRow {
  if (!values) {
    const { reason, column, text } = error!;
    return { line, parts: [], problems: [{ line, file: 'rows', column, value: cut(text), reason, lost: 'row' }] };
  }
  const { data, problems, dropped } = readRow(mapping, values, line);
  const listed = (lost: 'row' | 'value') => (problem: (typeof problems)[number]) => ({
    line,
    file: 'rows' as const,
    column: problem.column || undefined,
    value: problem.value === null || problem.value === undefined ? undefined : cut(String(problem.value)),
    reason: problem.message,
    lost,
  });
  return {
    line,
    parts: data ? partsOf(mapping, data) : [],
    problems: [...problems.map(listed('row')), ...dropped.map(listed('value'))],
  };
}

function partsOf(mapping: Mapping, data: RowData): ImportPreviewPart[] {
  const text = (target: ImportTarget, value: string | undefined): ImportPreviewPart[] =>
    value === undefined || value === '' ? [] : [{ target, text: cut(value) }];
  const time = (target: ImportTarget, value: number | undefined): ImportPreviewPart[] =>
    value === undefined ? [] : [{ target, time: value }];
  const { visibility } = data;
  return [
    ...text('externalId', mapping.externalId.line ? undefined : withoutMarks(mapping, data.externalId)),
    ...text('title', data.title),
    ...text('body', data.body === undefined ? undefined : plainText(data.body)),
    ...text('state', data.state),
    ...text('visibility', visibility && (visibility === Visibility.PRIVATE ? 'private' : 'public')),
    ...text('watchers', names(data.watchers)),
    ...text('author', data.author && names([data.author])),
    ...time('created', data.created),
    ...text('modifier', data.modifier && names([data.modifier])),
    ...time('modified', data.modified),
    ...mapping.fields.flatMap((field) => fieldPart(field, data.fields[field.key])),
    ...text('comments', data.comments.map((comment) => plainText(comment.text).trim()).join(' · ')),
  ];
}

/** The id as the file has it. */
function withoutMarks({ externalId: { prefix, suffix } }: Mapping, id: string): string {
  return id.slice(prefix.length, id.length - suffix.length);
}

const plainText = (delta: string): string => deltaToPlainText(parseDelta(delta));
const names = (people: readonly PersonName[]): string => people.map(({ name }) => name).join(', ');

function fieldPart(field: FieldMapping, value: RowData['fields'][string] | undefined): ImportPreviewPart[] {
  if (!value) return [];
  const about = {
    target: field.known ? ('field' as const) : ('newField' as const),
    label: field.known?.label ?? field.label,
  };
  const { kind } = fieldTypes[field.type];
  if (value.kind !== 'plain') return [{ ...about, text: cut(listText(value)) }];
  if (kind === 'instant') return [{ ...about, time: Number(value.value) }];
  if (kind === 'day') return [{ ...about, text: new Date(Number(value.value)).toISOString().slice(0, 10) }];
  return [{ ...about, text: cut(kind === 'richText' ? plainText(String(value.value)) : String(value.value)) }];
}

function listText(value: Exclude<RowData['fields'][string], { kind: 'plain' }>): string {
  if (value.kind === 'people') return names(value.people);
  if (value.kind === 'labels') return value.labels.join(', ');
  return (value.kind === 'groups' ? value.names : value.externalIds).join(', ');
}
