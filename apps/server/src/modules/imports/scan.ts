/**
 * First reading of the input: finds the rows that cannot be imported, and collects everything that
 * has to exist before posts can be created (people, values, states, hashtags). Its memory grows
 * with the number of rows and of distinct values, not with their size.
 */
import { createHash } from 'node:crypto';
import { sortKey } from '@portico/platform/text';
import { groupKey } from './groups.ts';
import {
  composed,
  type PersonName,
  type Place,
  personKey,
  readPersonOf,
  readText,
  readTime,
} from './mapping/values.ts';
import type { Reporter } from './report.ts';
import { likeExternalId, placesOf, type RowData, readRow } from './rows.ts';
import { ValueProblem } from './source/errors.ts';
import type { FieldMapping, Mapping } from './source/mapping-types.ts';
import type { InputRecord } from './source/records.ts';

/** Value of an enumerated field, and the key of the parent value if there is one. */
export interface WantedLabel {
  readonly label: string;
  readonly parent?: string;
}

/** Key of a value of a field: its label, prefixed by that of its parent value. */
export function labelKey(label: string, parent: string | undefined): string {
  return parent === undefined ? composed(label) : `${parent}\0${composed(label)}`;
}

export interface Survey {
  rows: number;
  /** Line of the row with each external id. */
  readonly lines: Map<string, number>;
  /** By {@link personKey}. */
  readonly people: Map<string, PersonName>;
  /** Authors of posts or comments, without deleted people. */
  readonly authors: Set<string>;
  /** Names of groups by {@link groupKey}. */
  readonly groups: Map<string, string>;
  /** By key of the field. */
  readonly labels: Map<string, Map<string, WantedLabel>>;
  readonly states: Set<string>;
  /** By sort key. */
  readonly hashtags: Map<string, string>;
  /** External ids that rows refer to. */
  readonly referredTo: Set<string>;
  /** Columns that any row had, to distinguish a misspelt column from an empty one. */
  readonly columns: Set<string>;
  /** First change, by external id. */
  readonly firstChanges: Map<string, { at: number; key: string }>;
}

/** The key of the value that the field above a hierarchical one has; only single values have one. */
export function parentKey(mapping: Mapping, data: RowData, field: FieldMapping): string | undefined {
  if (field.parent === undefined) return undefined;
  const above = mapping.fields.find((other) => other.key === field.parent);
  const value = above && data.fields[above.key];
  if (value?.kind !== 'labels' || value.labels[0] === undefined) return undefined;
  return labelKey(value.labels[0], parentKey(mapping, data, above!));
}

/** Reads all rows once. Invalid rows go to the report; the second reading leaves them out by `lines`. */
export async function surveyRows(
  mapping: Mapping,
  records: AsyncIterable<InputRecord>,
  reporter: Reporter,
): Promise<Survey> {
  const survey: Survey = {
    rows: 0,
    lines: new Map(),
    people: new Map(),
    authors: new Set(),
    groups: new Map(),
    labels: new Map(mapping.fields.map((field) => [field.key, new Map()])),
    states: new Set(),
    hashtags: new Map(),
    referredTo: new Set(),
    columns: new Set(),
    firstChanges: new Map(),
  };
  let damaged = false;
  for await (const record of records) {
    survey.rows++;
    if (!record.values) {
      const { reason, column, text } = record.error!;
      reporter.row(record.line, reason, column, text);
      continue;
    }
    for (const column of Object.keys(record.values)) survey.columns.add(column);
    if (record.damaged && !damaged) {
      damaged = true;
      reporter.notes.add(
        `the text at line ${record.line} holds "\ufffd", which programs write in place of text that they cannot read`,
      );
    }
    const { data, problems, dropped } = readRow(mapping, record.values, record.line);
    for (const problem of problems) reporter.row(record.line, problem.message, problem.column, problem.value);
    if (!data) continue;
    const earlier = survey.lines.get(data.externalId);
    if (earlier !== undefined) {
      const reason = `the row at line ${earlier} has the same external id`;
      reporter.row(record.line, reason, mapping.externalId.name, data.externalId);
      continue;
    }
    survey.lines.set(data.externalId, record.line);
    for (const problem of dropped) reporter.value(record.line, problem.message, problem.column, problem.value);
    note(mapping, survey, data);
  }
  return survey;
}

function notePerson(survey: Survey, person: PersonName | undefined): void {
  if (person && !survey.people.has(personKey(person))) survey.people.set(personKey(person), person);
}

/** Collects the objects that the post of the row needs. */
function note(mapping: Mapping, survey: Survey, data: RowData): void {
  for (const author of [data.author, ...data.comments.map((comment) => comment.author)]) {
    notePerson(survey, author);
    if (author && !author.deleted) survey.authors.add(personKey(author));
  }
  for (const person of [data.modifier, ...data.watchers]) notePerson(survey, person);
  for (const name of data.hashtags) if (!survey.hashtags.has(sortKey(name))) survey.hashtags.set(sortKey(name), name);
  if (data.state !== undefined) survey.states.add(data.state);
  for (const field of mapping.fields) {
    const value = data.fields[field.key];
    if (value?.kind === 'people') for (const who of value.people) notePerson(survey, who);
    else if (value?.kind === 'groups') for (const name of value.names) survey.groups.set(groupKey(name), name);
    else if (value?.kind === 'posts') for (const id of value.externalIds) survey.referredTo.add(id);
    else if (value?.kind === 'labels') {
      const parent = parentKey(mapping, data, field);
      const wanted = survey.labels.get(field.key)!;
      for (const label of value.labels) {
        wanted.set(labelKey(label, parent), { label, parent });
      }
    }
  }
}

/** Change of a post in the file of changes. */
export interface ChangeData {
  readonly externalId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly author?: PersonName;
  readonly note?: string;
  /** Tells it apart from the other changes of its post, on every reading of the file. */
  readonly key: string;
}

/**
 * Streams the changes of a file; reports invalid ones if there is a reporter (the first reading).
 */
export async function* readChanges(
  mapping: Mapping,
  records: AsyncIterable<InputRecord>,
  reporter: Reporter | undefined,
): AsyncGenerator<{ line: number; change?: ChangeData | undefined }> {
  const changes = mapping.changes!;
  const idSource = likeExternalId(changes.externalId, mapping.externalId);
  /** The same author may have changed the same post twice in a second. */
  const copies = new Map<string, number>();
  const readChange = (place: Place): ChangeData => {
    const externalId = readText(idSource, place)?.trim();
    const at = readTime(changes.at, place);
    if (externalId === undefined) throw new ValueProblem(idSource.name, null, 'it does not say which post it is of');
    if (at === undefined) throw new ValueProblem(changes.at.name, null, 'it does not say when it was made');
    const author = readPersonOf(changes.author, place);
    const note = readText(changes.note, place);
    const hash = createHash('sha256')
      .update(JSON.stringify([externalId, at, author && personKey(author), note]))
      .digest('base64url')
      .slice(0, 22);
    const copy = copies.get(hash) ?? 0;
    copies.set(hash, copy + 1);
    const key = `${externalId}\t${at}.${copy}.${hash}`;
    return { externalId, at, author, note, key };
  };
  const attempt = <T>(line: number, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      reporter?.change(line, error.message, error.column, error.value);
      return undefined;
    }
  };
  for await (const { line, values: row, error } of records) {
    if (!row) reporter?.change(line, error!.reason, error!.column, error!.text);
    // A row with an error counts as one change.
    const places = (row && attempt(line, () => placesOf(changes.forEach, row))) ?? [undefined];
    for (const place of places) yield { line, change: place && attempt(line, () => readChange(place)) };
  }
}

/**
 * Reads all changes once: collects their authors, and the first change of each post.
 * @returns the number of changes
 */
export async function surveyChanges(
  mapping: Mapping,
  records: AsyncIterable<InputRecord>,
  survey: Survey,
  reporter: Reporter,
): Promise<number> {
  let read = 0;
  for await (const { change } of readChanges(mapping, records, reporter)) {
    read++;
    if (!change) continue;
    notePerson(survey, change.author);
    const first = survey.firstChanges.get(change.externalId);
    if (!first || change.at < first.at) survey.firstChanges.set(change.externalId, { at: change.at, key: change.key });
  }
  return read;
}
