/** Chooses a destination for each column of a file. */
import { FieldType, fieldTypes, type ImportReason, type ImportTarget } from '@portico/contract';
import { editDistance } from '@portico/platform/text';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { composed } from '../mapping/values.ts';
import { holdsPeople, plainName, usualTarget } from './column-names.ts';
import { type Detected, PEOPLE_TYPE, SHORT_TEXT } from './detect.ts';
import type { KnownExport, PresetColumn } from './known-exports.ts';
import type { SampledColumn } from './sample.ts';

/** A column with all that is known of it. */
export interface StudiedColumn {
  readonly sampled: SampledColumn;
  readonly detected: Detected;
  /** The preset of a recognised export. */
  readonly preset?: PresetColumn | undefined;
}

/** A column with its destination. */
export interface ChosenColumn extends StudiedColumn {
  readonly target: ImportTarget;
  readonly reason?: ImportReason;
  /** For `field`. */
  readonly field?: FieldDefinition;
  /** For `newField`. */
  readonly label?: string;
  readonly type?: FieldType;
  readonly dateForm?: string;
  readonly addValues?: boolean;
}

/** Rights and circumstances of the importing person. */
export interface Chooser {
  readonly definition: CommunityDefinition;
  readonly known: KnownExport | undefined;
  /** Whether authors and times may be taken from the file. */
  readonly withHistory: boolean;
  /** Whether missing people may be created. */
  readonly withPeople: boolean;
}

/** Parts that only holders of the right to write histories take from files. */
export const HISTORY: ReadonlySet<ImportTarget> = new Set(['author', 'modifier', 'created', 'modified']);

/** Parts that one column at most is suggested for. */
type Claim = (target: string) => boolean;

/** Suggests destinations. */
export function chooseTargets(columns: readonly StudiedColumn[], chooser: Chooser): ChosenColumn[] {
  const taken = new Set<string>();
  const claim: Claim = (target) => !taken.has(target) && Boolean(taken.add(target));
  const chosen = new Map<StudiedColumn, ChosenColumn>();
  const rounds = [byFields, byPreset, byUsualName, byNearName, byValues];
  for (const round of rounds) {
    const left = columns.filter(
      (column) => !chosen.has(column) && column.sampled.values.some(({ length }) => length > 0),
    );
    for (const one of round(left, chooser, claim))
      if (one.target !== 'none') chosen.set(findStudied(columns, one), one);
  }
  // Rows need something that identifies them: a column where each is filled and different.
  if (!taken.has('externalId')) {
    const free = columns.find((column) => !chosen.has(column) && isNamedId(column) && identifies(column.sampled));
    if (free) chosen.set(free, { ...free, target: 'externalId', reason: 'values' });
  }
  const all = columns.map((column): ChosenColumn => chosen.get(column) ?? { ...column, target: 'none' });
  return all.map((column) => (lacksParent(column, all) ? without(column) : column));
}

const without = ({ sampled, detected, preset }: ChosenColumn): ChosenColumn => ({
  sampled,
  detected,
  preset,
  target: 'none',
});

/** Whether a value depends on that of a field which the file does not have. */
function lacksParent({ field }: ChosenColumn, all: readonly ChosenColumn[]): boolean {
  const parentId = field?.parentId ?? null;
  return parentId !== null && !all.some((other) => other.field?.id === parentId && !lacksParent(other, all));
}

const findStudied = (columns: readonly StudiedColumn[], { sampled }: ChosenColumn) =>
  columns.find((column) => column.sampled === sampled)!;

type Round = (columns: readonly StudiedColumn[], chooser: Chooser, claim: Claim) => ChosenColumn[];

/** Fields whose key or label, in any language, is the name of the column. */
const byFields: Round = (columns, { definition }, claim) => {
  const byKey = new Map(
    definition.fields.flatMap((field) => (field.externalId === null ? [] : [[field.externalId, field]])),
  );
  const byLabel = new Map<string, FieldDefinition>();
  for (const field of definition.fields) {
    for (const label of [field.label, ...Object.values(field.translations)])
      if (!byLabel.has(plainName(label))) byLabel.set(plainName(label), field);
  }
  return columns.flatMap((column): ChosenColumn[] => {
    const { name } = column.sampled;
    const key = byKey.get(name) ?? byKey.get(column.preset?.key ?? '');
    const field =
      key ?? byLabel.get(plainName(name)) ?? byLabel.get(plainName(String(column.preset?.entry['label'] ?? '')));
    // Several columns of a source are read together.
    if (!field || !(claim(`field ${field.id}`) || (column.preset?.rank ?? 0) > 0)) return [];
    return [{ ...column, target: 'field', field, reason: key ? 'key' : 'label' }];
  });
};

/** Destinations that the preset of a recognised export has. */
const byPreset: Round = (columns, { known, withHistory, withPeople }, claim) =>
  columns.flatMap((column): ChosenColumn[] => {
    const { preset } = column;
    if (!known || !preset) return [];
    const { target, entry } = preset;
    if (HISTORY.has(target) && !withHistory) return [];
    if (target === 'watchers' && !withPeople) return [];
    if (target !== 'field') {
      claim(target);
      return [{ ...column, target, reason: 'preset' }];
    }
    const type = FieldType[entry['type'] as keyof typeof FieldType];
    return [{ ...column, target: 'newField', type, label: String(entry['label']), reason: 'preset' }];
  });

/** Parts of posts that columns of this name usually hold. */
const byUsualName: Round = (columns, chooser, claim) => {
  const { definition, known, withHistory, withPeople } = chooser;
  // A recognised export says itself which columns count.
  if (known && known.preset !== 'portico') return [];
  const named = columns.flatMap((column) => {
    const usual = usualTarget(column.sampled.name);
    return usual && fits(usual.target, column) ? [{ column, ...usual }] : [];
  });
  return named
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ column, target }): ChosenColumn[] => {
      if (HISTORY.has(target) && !withHistory) return [];
      if (target === 'watchers' && !withPeople) return [];
      if (target === 'state' && !definition.workflow && fieldTypes[column.detected.type].kind !== 'choice') return [];
      return claim(target) ? [{ ...column, target, reason: 'name' }] : [];
    });
};

/** Whether the values of a column suit a part of the post. */
function fits(target: ImportTarget, { sampled, detected }: StudiedColumn): boolean {
  const isDate = detected.dateForms.length > 0;
  if (target === 'created' || target === 'modified') return isDate;
  if (target === 'externalId') return identifies(sampled);
  if (target === 'state' || target === 'title')
    return !isDate && fieldTypes[detected.type].kind !== 'flag' && !sampled.isList;
  return target !== 'comments' || !isNumber(detected.type);
}

const isNumber = (type: FieldType) => fieldTypes[type].kind === 'number';

/** Whether each row has a value of its own. */
function identifies({ values }: SampledColumn): boolean {
  const all = values.map((cells) => (cells.length === 1 ? String(cells[0]).trim() : ''));
  return all.every((value) => value !== '' && value.length <= 200) && new Set(all).size === all.length;
}

const isNamedId = ({ sampled }: StudiedColumn) => /(^|[\s_.-])(id|key|code|nr|no)$|Id$|ID$/u.test(sampled.name);

/** Longest names that are compared letter by letter. */
const COMPARED = 60;

/** Fields with a similar name whose type can hold the values. */
const byNearName: Round = (columns, { definition, known }, claim) => {
  if (known && known.preset !== 'portico') return [];
  const fields = definition.fields.flatMap((field) =>
    [field.label, ...Object.values(field.translations)].map((label) => ({
      field,
      name: plainName(label).slice(0, COMPARED),
    })),
  );
  return columns.flatMap((column): ChosenColumn[] => {
    const name = plainName(column.sampled.name).slice(0, COMPARED);
    const near = fields.find(
      (other) => isNear(name, other.name) && holds(other.field, column.detected.type, column.sampled),
    );
    if (!near || !claim(`field ${near.field.id}`)) return [];
    return [{ ...column, target: 'field', field: near.field, reason: 'near' }];
  });
};

/** Whether one name is almost the other, or a part of it. */
function isNear(name: string, other: string): boolean {
  const [short, long] = name.length < other.length ? [name, other] : [other, name];
  if (short.length < 4) return false;
  if (long.startsWith(short) || long.endsWith(short)) return short.length * 2 >= long.length;
  return long.length - short.length <= 2 && editDistance(short, long) <= (short.length > 6 ? 2 : 1);
}

/** Whether a field can hold values of a detected type. */
function holds(field: FieldDefinition, type: FieldType, { values }: SampledColumn): boolean {
  const { kind } = fieldTypes[field.type];
  const found = fieldTypes[type].kind;
  if (kind === 'text' || kind === 'richText') return true;
  if (kind === 'day' || kind === 'instant') return found === 'day' || found === 'instant';
  if (kind === 'choice') {
    if (field.catalogId !== null || field.enumValues.length === 0) return found === 'choice' || found === 'text';
    const labels = new Set(field.enumValues.map(({ label }) => composed(label)));
    return values.some((cells) => cells.some((value) => labels.has(composed(value).trim())));
  }
  if (kind === 'objects') return found === 'choice' || found === 'text';
  return kind === found;
}

/** A title for each row, and new fields in a community that has none. */
const byValues: Round = (columns, { definition, known }, claim) => {
  if (known) return [];
  const left = [...columns];
  const found: ChosenColumn[] = [];
  const at = left.findIndex(
    ({ detected, sampled }) =>
      detected.type === SHORT_TEXT &&
      sampled.values.filter(({ length }) => length > 0).length * 2 > sampled.values.length,
  );
  if (at >= 0 && claim('title')) found.push({ ...left.splice(at, 1)[0]!, target: 'title', reason: 'values' });
  if (definition.fields.length > 0) return found;
  return [
    ...found,
    ...left
      .filter((column) => !isNamedId(column) || !identifies(column.sampled))
      .map(
        (column): ChosenColumn => ({
          ...column,
          target: 'newField',
          type: typeOfNew(column),
          label: column.sampled.name,
          reason: 'values',
        }),
      ),
  ];
};

/** The type of a field that is created for a column. */
export function typeOfNew({ detected, sampled, preset }: StudiedColumn): FieldType {
  const named = preset?.entry['type'] as keyof typeof FieldType | undefined;
  if (named !== undefined) return FieldType[named];
  const { kind } = fieldTypes[detected.type];
  if (holdsPeople(sampled.name) && (kind === 'text' || kind === 'choice')) return PEOPLE_TYPE;
  return detected.type;
}
