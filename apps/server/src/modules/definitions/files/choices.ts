/**
 * Treatment of the data of posts that a planned change leaves without a place: entries of the request
 * (`fieldChanges`, `stateChanges`, `onExisting`) and of the list `moved` of the file.
 */
import type {
  ApplyCommunityRequest,
  CommunityFile,
  CommunityFileCondition,
  CommunityFileField,
  CommunityFileFieldChange,
} from '@portico/contract';
import { unknownName } from '@portico/platform/text';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { Choice } from '../../communities/index.ts';
import { valueKeysOf } from './describe-community.ts';
import type { Present } from './file-types.ts';
import { type Moved, renamedValues } from './moved-keys.ts';

type Form = 'posts' | 'screens';

/** Members of a request that treat data. */
type Treatments = Pick<ApplyCommunityRequest, 'onExisting' | 'fieldChanges' | 'stateChanges'>;

/** Posts of a state that go to another one. */
interface StateMoveEntry {
  /** Place of the entry in the request. */
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly conditions: readonly CommunityFileCondition[];
}

interface FieldEntry {
  readonly path: string;
  readonly entry: CommunityFileFieldChange;
}

/** Treatments by the objects that they are about. */
export class Choices {
  readonly #fields: readonly FieldEntry[];
  readonly #kept: ReadonlySet<string>;
  readonly #keepsAll: boolean;
  readonly moves: readonly StateMoveEntry[];

  /** @throws ValidationError for entries that name no object, or one whose data have a place */
  constructor(sent: Treatments, moved: readonly Moved[], file: CommunityFile, present: Present) {
    const errors = new FieldErrors();
    this.#fields = [
      ...(sent.fieldChanges ?? []).map((entry, index) => ({ path: `fieldChanges[${index}]`, entry })),
      ...movedFields(moved, file),
    ];
    for (const entry of this.#fields) checkField(entry, file, present, errors);
    const states = sent.stateChanges ?? [];
    const [before, after] = [present.file, file].map(({ workflow }) =>
      (workflow?.states ?? []).flatMap(({ key }) => key ?? []),
    ) as [string[], string[]];
    for (const [index, { state = '', onExisting, into, conditions }] of states.entries()) {
      const path = `stateChanges[${index}]`;
      if (!before.includes(state))
        errors.add(`${path}.state`, 'UNKNOWN_REFERENCE', unknownName('The community', 'state', state, before));
      if (onExisting === undefined) errors.add(`${path}.onExisting`, 'REQUIRED_FIELD');
      else if (onExisting === 'keep' && after.includes(state))
        errors.add(`${path}.state`, 'INVALID_VALUE', 'The definition keeps this state.');
      else if (onExisting === 'keep' && (into !== undefined || conditions?.length))
        errors.add(`${path}.onExisting`, 'INVALID_VALUE', 'With `into` or `conditions` send map.');
      if (onExisting === 'map' && !into?.trim()) errors.add(`${path}.into`, 'REQUIRED_FIELD');
    }
    this.moves = [
      ...states.flatMap(({ state = '', onExisting, into = '', conditions = [] }, index) =>
        onExisting === 'map' ? { path: `stateChanges[${index}]`, from: state, to: into, conditions } : [],
      ),
      ...moved.flatMap(({ kind, path, from, to, move }) =>
        kind === 'state' ? { path, from, to, conditions: move.conditions ?? [] } : [],
      ),
    ];
    for (const { path, to } of this.moves)
      if (to !== '' && !after.includes(to))
        errors.add(
          `${path}.${path.startsWith('file.') ? 'to' : 'into'}`,
          'UNKNOWN_REFERENCE',
          unknownName('The definition', 'state', to, after),
        );
    this.#kept = new Set(states.flatMap(({ state = '', onExisting }) => (onExisting === 'keep' ? state : [])));
    this.#keepsAll = sent.onExisting === 'keep';
    errors.throwIfAny();
  }

  /** Returns the entry of a field, and its path in the request. */
  of(form: Form, key: string): { path: string; entry: CommunityFileFieldChange | undefined } {
    const found = this.#fields.find(({ entry }) => (form === 'posts' ? entry.field : entry.screenField) === key);
    return found ?? { path: 'fieldChanges', entry: undefined };
  }

  /** Returns the treatment of omitted values of lists without an entry. */
  get ofValues(): 'keep' | undefined {
    return this.#keepsAll ? 'keep' : undefined;
  }

  /** Returns the treatment of the posts in removed states, by id. */
  statesOf(ids: ReadonlyMap<string, number>): Map<number, Choice> {
    const all = this.moves.filter(({ conditions }) => conditions.length === 0);
    const mapped = new Set(all.map(({ from }) => from));
    return new Map(
      [...ids].flatMap(([key, id]): [number, Choice][] => {
        if (mapped.has(key)) return [[id, 'map']];
        return this.#keepsAll || this.#kept.has(key) ? [[id, 'keep']] : [];
      }),
    );
  }
}

/** Returns the entries of `moved` about fields and their values, as the request would send them. */
function movedFields(moved: readonly Moved[], file: CommunityFile): FieldEntry[] {
  const entries: FieldEntry[] = [];
  const ofField = new Map<string, CommunityFileFieldChange & { values: { value: string; into: string }[] }>();
  for (const { kind, path, from, to, move } of moved) {
    if (kind !== 'field' && kind !== 'screenField') continue;
    if (move.value === undefined) {
      entries.push({ path, entry: { [kind]: from, onExisting: 'map', into: to } });
      continue;
    }
    const known = ofField.get(`${kind} ${from}`);
    if (known) known.values.push({ value: move.value, into: to });
    else {
      const entry = {
        [kind]: renamedTo(file, from),
        onExisting: 'map' as const,
        values: [{ value: move.value, into: to }],
      };
      ofField.set(`${kind} ${from}`, entry);
      entries.push({ path, entry });
    }
  }
  return entries;
}

/** Returns the key that the file gives a field. */
const renamedTo = ({ moved = [] }: CommunityFile, key: string): string =>
  moved.find(({ field, screenField, value }) => value === undefined && (field ?? screenField) === key)?.to ?? key;

function checkField({ path, entry }: FieldEntry, file: CommunityFile, present: Present, errors: FieldErrors): void {
  const { field, screenField, onExisting, into, values } = entry;
  const member = screenField === undefined ? 'field' : 'screenField';
  if ((field === undefined) === (screenField === undefined))
    errors.add(`${path}.field`, 'INVALID_VALUE', 'An entry names one field.');
  const key = screenField ?? field ?? '';
  const [before, after] = (
    member === 'field'
      ? [present.file.fields, file.fields]
      : [present.file.workflow?.screenFields, file.workflow?.screenFields]
  ).map((fields) => fields ?? []) as [CommunityFileField[], CommunityFileField[]];
  const [was, is] = [before, after].map((fields) => fields.find((one) => one.key === key));
  const definition = present.ids[member === 'field' ? 'fields' : 'screenFields'].get(key);
  if (!was || !definition) {
    const known = before.flatMap((one) => one.key ?? []);
    errors.add(`${path}.${member}`, 'UNKNOWN_REFERENCE', unknownName('The community', 'field', key, known));
    return;
  }
  const newKeys = renamedValues(present, member, key);
  const keys = valueKeysOf(definition);
  const omitted = definition.enumValues.flatMap(({ id, deleted }) => {
    const value = newKeys?.get(keys.get(id)!) ?? keys.get(id)!;
    return deleted || !is || is.values?.some((one) => one.key === value) ? [] : value;
  });
  if (is && was.type === is.type && (is.catalog !== undefined || omitted.length === 0))
    errors.add(`${path}.${member}`, 'UNKNOWN_REFERENCE', 'The definition leaves the values of this field in place.');
  if (onExisting === undefined) errors.add(`${path}.onExisting`, 'REQUIRED_FIELD');
  if (is && was.type !== is.type && onExisting !== undefined && onExisting !== 'clear')
    errors.add(`${path}.onExisting`, 'INVALID_VALUE', 'When the type changes, the only allowed value is clear.');
  if (into !== undefined && !after.some((one) => one.key === into))
    errors.add(
      `${path}.into`,
      'UNKNOWN_REFERENCE',
      unknownName(
        'The form',
        'field',
        into,
        after.flatMap((one) => one.key ?? []),
      ),
    );
  const treated = new Set(values?.map(({ value }) => value));
  const missing = omitted.filter((value) => !treated.has(value));
  if (is && onExisting === 'map' && missing.length > 0)
    errors.add(
      `${path}.values`,
      'REQUIRED_FIELD',
      `Say what these values become, too: ${missing.join(', ')}.`,
      missing,
    );
  const offered = (is?.values ?? []).flatMap((one) => one.key ?? []);
  for (const [index, { value = '', into: to }] of (values ?? []).entries()) {
    if (!omitted.includes(value))
      errors.add(
        `${path}.values[${index}].value`,
        'UNKNOWN_REFERENCE',
        unknownName('The change', 'omitted value', value, omitted),
      );
    if (to !== undefined && !offered.includes(to))
      errors.add(`${path}.values[${index}].into`, 'UNKNOWN_REFERENCE', unknownName('The field', 'value', to, offered));
  }
}
