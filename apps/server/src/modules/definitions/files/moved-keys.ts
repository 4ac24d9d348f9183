/**
 * Keys that a file renames (its list `moved`): the present community is described with the new keys,
 * so that the objects stay and only their keys change. Other entries of the list move values and
 * posts, see choices.ts.
 */
import type {
  CommunityFile,
  CommunityFileAccess,
  CommunityFileCondition,
  CommunityFileField,
  CommunityFileMove,
  CommunityFileWorkflow,
  JsonValue,
} from '@portico/contract';
import { unknownName } from '@portico/platform/text';
import { FieldErrors } from '../../../kernel/errors.ts';
import { valueKeysOf } from './describe-community.ts';
import type { Present, RenamedKeys } from './file-types.ts';

type MovedKind = 'field' | 'screenField' | 'state' | 'transition';
type FieldKind = 'field' | 'screenField';
const KINDS = ['field', 'screenField', 'state', 'transition'] as const;

/** An entry of `moved` with its kind and place in the request. */
export interface Moved {
  readonly path: string;
  readonly kind: MovedKind;
  readonly from: string;
  readonly to: string;
  readonly move: CommunityFileMove;
}

/** The present community with the renamed keys, and the entries that move values or posts. */
interface SortedMoves {
  readonly present: Present;
  readonly data: readonly Moved[];
}

/**
 * Applies the renamed keys to the present community.
 * @throws ValidationError for entries that name no object, or several
 */
export function applyMovedKeys(present: Present, file: CommunityFile): SortedMoves {
  const errors = new FieldErrors();
  const data: Moved[] = [];
  const renamed = { field: new Map(), screenField: new Map(), state: new Map(), transition: new Map() } as RenamedKeys;
  const values = { field: new Map(), screenField: new Map() } as RenamedKeys['values'];
  const wanted = keysIn(file);
  const entries = readMoves(file, errors);
  for (const moved of entries) {
    const { kind, from, to, move, path } = moved;
    const known = keysIn(present.file);
    if (!known[kind].has(from)) continue;
    if (move.value !== undefined) {
      const own = kind === 'field' ? file.fields : file.workflow?.screenFields;
      const field = own?.find(({ key }) => key === from || key === renamed[kind].get(from));
      const before = present.ids[kind === 'field' ? 'fields' : 'screenFields'].get(from)!;
      const keys = new Set(
        [...valueKeysOf(before)].flatMap(([id, key]) => (before.enumValueById.get(id)?.deleted ? [] : key)),
      );
      if (!keys.has(move.value)) continue;
      const offered = (field?.values ?? []).flatMap(({ key }) => key ?? []);
      if (!offered.includes(to))
        errors.add(`${path}.to`, 'UNKNOWN_REFERENCE', unknownName('The field', 'value', to, offered));
      else {
        const others = values[kind as 'field'].get(from) ?? new Map<string, string>();
        if (keys.has(to) || [...others.values()].includes(to)) data.push(moved);
        else values[kind as 'field'].set(from, new Map(others).set(move.value, to));
      }
      continue;
    }
    if (!wanted[kind].has(to)) {
      errors.add(`${path}.to`, 'UNKNOWN_REFERENCE', unknownName('The file', words[kind], to, [...wanted[kind]]));
      continue;
    }
    const several = entries.filter((other) => other.kind === kind && other.from === from).length > 1;
    const taken = known[kind].has(to) || [...renamed[kind].values()].includes(to);
    const merges = taken || (kind === 'state' && (several || move.conditions !== undefined));
    if (kind === 'transition' && merges) continue;
    if (merges) data.push(moved);
    else renamed[kind].set(from, to);
  }
  errors.throwIfAny();
  return { present: withKeys(present, { ...renamed, values }), data };
}

/** Returns the keys of renamed values of a field, by their former keys. @param key its new key */
export function renamedValues(
  { renamed }: Present,
  kind: 'field' | 'screenField',
  key: string,
): ReadonlyMap<string, string> | undefined {
  if (!renamed) return undefined;
  const former = [...renamed[kind]].find(([, to]) => to === key)?.[0] ?? key;
  return renamed.values[kind].get(former);
}

/** Returns whether the file gives an object a new key. @param key the new key */
export const isRenamed = ({ renamed }: Present, kind: MovedKind, key: string): boolean =>
  renamed !== undefined && [...renamed[kind].values()].includes(key);

/** Names of the kinds in messages. */
const words = { field: 'field', screenField: 'screen field', state: 'state', transition: 'transition' };

function readMoves({ moved = [] }: CommunityFile, errors: FieldErrors): Moved[] {
  return moved.flatMap((move, index) => {
    const path = `file.moved[${index}]`;
    const named = KINDS.filter((kind) => move[kind] !== undefined);
    const [kind] = named;
    if (kind === undefined || named.length > 1)
      errors.add(`${path}.field`, 'INVALID_VALUE', `An entry has one of ${KINDS.join(', ')}.`);
    if (!move.to?.trim()) errors.add(`${path}.to`, 'REQUIRED_FIELD');
    const misplaced = kind === 'state' || kind === 'transition' ? 'value' : 'conditions';
    if (kind !== 'state' && move[misplaced] !== undefined && kind !== undefined)
      if (misplaced === 'value' || move.conditions !== undefined)
        errors.add(`${path}.${misplaced}`, 'INVALID_VALUE', `An entry for a ${words[kind]} has no ${misplaced}.`);
    return kind === undefined ? [] : [{ path, kind, from: move[kind]!, to: move.to ?? '', move }];
  });
}

const keysOfList = (objects: readonly { readonly key?: string }[] = []) =>
  new Set(objects.flatMap(({ key }) => key ?? []));

function keysIn({ fields, workflow }: Partial<CommunityFile>): Readonly<Record<MovedKind, ReadonlySet<string>>> {
  return {
    field: keysOfList(fields),
    screenField: keysOfList(workflow?.screenFields),
    state: keysOfList(workflow?.states),
    transition: keysOfList(workflow?.transitions),
  };
}

/** Returns the present community with other keys. */
function withKeys(present: Present, renamed: RenamedKeys): Present {
  const { field, screenField, state, transition, values } = renamed;
  const maps = [field, screenField, state, transition, values.field, values.screenField];
  if (maps.every(({ size }) => size === 0)) return present;
  const rekeyed = <V>(ids: ReadonlyMap<string, V>, keys: ReadonlyMap<string, string>) =>
    new Map([...ids].map(([key, value]) => [keys.get(key) ?? key, value]));
  const { ids } = present;
  return {
    ...present,
    file: fileWithKeys(present.file, renamed),
    ids: {
      ...ids,
      fields: rekeyed(ids.fields, field),
      screenFields: rekeyed(ids.screenFields, screenField),
      states: rekeyed(ids.states, state),
      transitions: rekeyed(ids.transitions, transition),
    },
    renamed,
  };
}

/** Functions that replace the keys in parts of a file. */
function rekeying(renamed: RenamedKeys) {
  const other = (keys: ReadonlyMap<string, string>, key: string) => keys.get(key) ?? key;
  const newValue = (kind: FieldKind, key: string | undefined, value: JsonValue) =>
    renamed.values[kind].get(key ?? '')?.get(String(value)) ?? value;
  const condition = (one: CommunityFileCondition, kind: FieldKind): CommunityFileCondition => {
    const of = one.screenField === undefined ? kind : 'screenField';
    const named = one.screenField ?? one.field;
    return {
      ...one,
      ...(one.field !== undefined && { field: other(renamed[kind], one.field) }),
      ...(one.screenField !== undefined && { screenField: other(renamed.screenField, one.screenField) }),
      ...(one.values && { values: one.values.map((value) => newValue(of, named, value)) }),
    };
  };
  return {
    other,
    newValue,
    condition,
    access: (open: CommunityFileAccess): CommunityFileAccess => ({
      ...open,
      ...(open.fields && { fields: open.fields.map((key) => other(renamed.field, key)) }),
      ...(open.screenFields && { screenFields: open.screenFields.map((key) => other(renamed.screenField, key)) }),
    }),
    field: (one: CommunityFileField, kind: FieldKind): CommunityFileField => ({
      ...one,
      key: other(renamed[kind], one.key ?? ''),
      ...(one.parent !== undefined && { parent: other(renamed[kind], one.parent) }),
      ...(one.default !== undefined && {
        default: Array.isArray(one.default)
          ? one.default.map((value) => newValue(kind, one.key, value))
          : newValue(kind, one.key, one.default),
      }),
      ...(one.values && {
        values: one.values.map((value) => ({
          ...value,
          key: String(newValue(kind, one.key, value.key ?? '')),
          ...(value.parents && { parents: value.parents.map((key) => String(newValue(kind, one.parent, key))) }),
        })),
      }),
      ...(one.conditions && { conditions: one.conditions.map((each) => condition(each, kind)) }),
    }),
  };
}

function fileWithKeys(file: Partial<CommunityFile>, renamed: RenamedKeys): Partial<CommunityFile> {
  const { other, newValue, field } = rekeying(renamed);
  return {
    ...file,
    ...(file.fields && { fields: file.fields.map((one) => field(one, 'field')) }),
    ...(file.views && {
      views: file.views.map((view) => ({
        ...view,
        ...(view.fields && { fields: view.fields.map((key) => other(renamed.field, key)) }),
      })),
    }),
    ...(file.templates && {
      templates: file.templates.map((template) => ({
        ...template,
        ...(template.values && {
          values: template.values.map((one) => ({
            field: other(renamed.field, one.field ?? ''),
            ...(one.values && { values: one.values.map((value) => newValue('field', one.field, value)) }),
          })),
        }),
      })),
    }),
    ...(file.workflow && { workflow: workflowWithKeys(file.workflow, renamed) }),
  };
}

function workflowWithKeys(workflow: CommunityFileWorkflow, renamed: RenamedKeys): CommunityFileWorkflow {
  const { other, newValue, condition, access, field } = rekeying(renamed);
  const { screenFields = [], screens = [], states = [], transitions = [] } = workflow;
  return {
    ...workflow,
    screenFields: screenFields.map((one) => field(one, 'screenField')),
    screens: screens.map((screen) => ({
      ...screen,
      fields: (screen.fields ?? []).map((one) => ({ ...one, field: other(renamed.screenField, one.field ?? '') })),
    })),
    states: states.map((one) => ({
      ...one,
      key: other(renamed.state, one.key ?? ''),
      ...(one.edit && { edit: access(one.edit) }),
    })),
    transitions: transitions.map((one) => ({
      ...one,
      key: other(renamed.transition, one.key ?? ''),
      from: other(renamed.state, one.from ?? ''),
      to: other(renamed.state, one.to ?? ''),
      ...(one.run && { run: access(one.run) }),
      ...(one.conditions && { conditions: one.conditions.map((each) => condition(each, 'field')) }),
      ...(one.sets && {
        sets: one.sets.map((set) => ({
          ...set,
          field: other(renamed.screenField, set.field ?? ''),
          ...(set.values && { values: set.values.map((value) => newValue('screenField', set.field, value)) }),
        })),
      }),
    })),
  };
}
