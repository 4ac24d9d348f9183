/** Edits of a community file. Pure: each returns another file. */
import type {
  CommunityFile,
  CommunityFileAccess,
  CommunityFileCondition,
  CommunityFileField,
  CommunityFileScreen,
  CommunityFileState,
  CommunityFileTransition,
  CommunityFileWorkflow,
} from '@portico/sdk';
import { equalJson } from './merge-files.ts';

/** The two forms: fields of posts, and fields of the screens of the workflow. */
export type Form = 'fields' | 'screenFields';

/** Returns the fields of a form. */
export const fieldsOf = (file: CommunityFile, form: Form): readonly CommunityFileField[] =>
  (form === 'fields' ? file.fields : file.workflow?.screenFields) ?? [];

/** Returns the file with other fields of a form. */
function withFields(file: CommunityFile, form: Form, fields: readonly CommunityFileField[]): CommunityFile {
  if (form === 'fields') return { ...file, fields: [...fields] };
  return { ...file, workflow: { ...file.workflow, screenFields: [...fields] } };
}

/**
 * Returns a key for a new object: its label in small letters and digits, with a number where it is
 * taken.
 */
export function keyFor(label: string, taken: Iterable<string | undefined>, fallback: string): string {
  const plain = label.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const word = plain.replaceAll(/[^\p{L}\p{N}]+/gu, '_').replaceAll(/^_+|_+$/g, '') || fallback;
  const known = new Set(taken);
  let key = word;
  for (let n = 2; known.has(key); n++) key = `${word}_${n}`;
  return key;
}

/** Returns an object without the members that are undefined. */
export function defined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/** Changes of members; undefined removes a member, so that its default counts. */
export type Change<T> = { readonly [K in keyof T]?: T[K] | undefined };

const changed = <T extends object>(object: T, change: Change<T>): T => defined({ ...object, ...change } as T);

/** Adds a field at the end of a form. @returns the file, and the key of the field */
export function addField(
  file: CommunityFile,
  form: Form,
  field: Pick<CommunityFileField, 'label' | 'type' | 'metadata' | 'section'>,
): readonly [CommunityFile, string] {
  const fields = fieldsOf(file, form);
  const key = keyFor(
    field.label ?? '',
    fields.map((one) => one.key),
    'field',
  );
  return [withFields(file, form, [...fields, defined({ key, ...field })]), key];
}

/** Changes members of a field. */
export function changeField(
  file: CommunityFile,
  form: Form,
  key: string,
  change: Change<CommunityFileField>,
): CommunityFile {
  return withFields(
    file,
    form,
    fieldsOf(file, form).map((field) => (field.key === key ? changed(field, change) : field)),
  );
}

/** Moves a field to the place of another, into the section of that. */
export function moveField(file: CommunityFile, form: Form, key: string, target: string): CommunityFile {
  const fields = fieldsOf(file, form);
  const from = fields.findIndex((field) => field.key === key);
  const to = fields.findIndex((field) => field.key === target);
  if (from < 0 || to < 0 || from === to) return file;
  const { section: _former, sectionTranslations: _words, ...moving } = fields[from]!;
  const { section, sectionTranslations } = fields[to]!;
  const others = fields.toSpliced(from, 1);
  return withFields(file, form, others.toSpliced(to, 0, defined({ ...moving, section, sectionTranslations }) as never));
}

/** Returns the labels of the objects that name a field, and that therefore keep it from being removed. */
export function usersOf(file: CommunityFile, form: Form, key: string): string[] {
  const { states = [], transitions = [] } = file.workflow ?? {};
  const inAccess = (access: Readonly<Record<string, unknown>> | undefined) =>
    (access?.[form] as readonly string[] | undefined)?.includes(key) === true;
  const names = ({ field, screenField }: CommunityFileCondition) => (form === 'fields' ? field : screenField) === key;
  return [
    ...fieldsOf(file, form)
      .filter(({ parent, conditions = [] }) => parent === key || conditions.some(({ field }) => field === key))
      .map(({ label = '' }) => label),
    ...states.filter(({ edit }) => inAccess(edit as never)).map(({ name = '' }) => name),
    ...transitions
      .filter(({ run, conditions = [], sets = [] }) => {
        const isSet = form === 'screenFields' && sets.some(({ field }) => field === key);
        return inAccess(run as never) || conditions.some(names) || isSet;
      })
      .map(({ name = '' }) => name),
  ];
}

/** Removes a field, also from views and screens. */
export function removeField(file: CommunityFile, form: Form, key: string): CommunityFile {
  const without = withFields(
    file,
    form,
    fieldsOf(file, form).filter((field) => field.key !== key),
  );
  if (form === 'fields')
    return defined({
      ...without,
      views: file.views?.map(
        (view) => defined({ ...view, fields: view.fields?.filter((one) => one !== key) }) as never,
      ),
    } as CommunityFile);
  const screens = file.workflow?.screens?.map((screen) => ({
    ...screen,
    fields: (screen.fields ?? []).filter(({ field }) => field !== key),
  }));
  return { ...without, workflow: defined({ ...without.workflow, screens }) as CommunityFileWorkflow };
}

/** Returns the file with a changed workflow. */
export const withWorkflow = (file: CommunityFile, change: Change<CommunityFileWorkflow>): CommunityFile => ({
  ...file,
  workflow: changed(file.workflow ?? {}, change),
});

/** Adds a state. @returns the file, and the key of the state */
export function addState(file: CommunityFile, name: string): readonly [CommunityFile, string] {
  const { states = [] } = file.workflow ?? {};
  const key = keyFor(
    name,
    states.map((state) => state.key),
    'state',
  );
  const state = { key, name, ...(states.length === 0 && { initial: true }) };
  return [withWorkflow(file, { states: [...states, state] }), key];
}

/** Changes members of a state. */
export function changeState(file: CommunityFile, key: string, change: Change<CommunityFileState>): CommunityFile {
  const states = (file.workflow?.states ?? []).map((state) => (state.key === key ? changed(state, change) : state));
  return withWorkflow(file, { states });
}

/** Removes a state with its transitions. */
export function removeState(file: CommunityFile, key: string): CommunityFile {
  const { states = [], transitions = [] } = file.workflow ?? {};
  return withWorkflow(file, {
    states: states.filter((state) => state.key !== key),
    transitions: transitions.filter(({ from, to }) => from !== key && to !== key),
  });
}

/** Moves an item of a list by one place. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const to = index + by;
  if (index < 0 || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(index, 1).toSpliced(to, 0, list[index]!);
}

/** Adds a transition. @returns the file, and the key of the transition */
export function addTransition(
  file: CommunityFile,
  { name, from, to }: { name: string; from: string; to: string },
): readonly [CommunityFile, string] {
  const { transitions = [] } = file.workflow ?? {};
  const key = keyFor(
    name,
    transitions.map((transition) => transition.key),
    'transition',
  );
  return [withWorkflow(file, { transitions: [...transitions, { key, name, from, to }] }), key];
}

/** Changes members of a transition. */
export function changeTransition(
  file: CommunityFile,
  key: string,
  change: Change<CommunityFileTransition>,
): CommunityFile {
  const transitions = (file.workflow?.transitions ?? []).map((transition) =>
    transition.key === key ? changed(transition, change) : transition,
  );
  return withWorkflow(file, { transitions });
}

/** Removes a transition. */
export function removeTransition(file: CommunityFile, key: string): CommunityFile {
  const { transitions = [] } = file.workflow ?? {};
  return withWorkflow(file, { transitions: transitions.filter((transition) => transition.key !== key) });
}

/** Adds a screen; a screen of that name stays as it is. */
export function addScreen(file: CommunityFile, name: string): CommunityFile {
  const { screens = [] } = file.workflow ?? {};
  return screens.some((screen) => screen.name === name)
    ? file
    : withWorkflow(file, { screens: [...screens, { name, fields: [] }] });
}

/** Changes members of a screen; states and transitions follow a new name. */
export function changeScreen(file: CommunityFile, name: string, change: Change<CommunityFileScreen>): CommunityFile {
  const { screens = [], states = [], transitions = [] } = file.workflow ?? {};
  const follow = <T extends { screen?: string }>(one: T): T =>
    one.screen === name && change.name !== undefined ? { ...one, screen: change.name } : one;
  return withWorkflow(file, {
    screens: screens.map((screen) =>
      screen.name === name
        ? changed(screen, { ...change, message: (change.message ?? screen.message) || undefined })
        : screen,
    ),
    states: states.map(follow),
    transitions: transitions.map(follow),
  });
}

/** Removes a screen. */
export function removeScreen(file: CommunityFile, name: string): CommunityFile {
  const { screens = [] } = file.workflow ?? {};
  return withWorkflow(file, { screens: screens.filter((screen) => screen.name !== name) });
}

/** Returns whether two accesses let in the same people. */
export const equalAccess = (a: CommunityFileAccess, b: CommunityFileAccess): boolean => equalJson(a, b);

/** Members of a file and of its objects in the order in which exports have them. */
const ORDER = [
  ...['$schema', 'version', 'workspace', 'roles', 'catalogs', 'community', 'groupRoles', 'hashtags'],
  ...['hashtagExternalIds', 'key', 'name', 'label', 'title', 'states', 'transitions', 'screens', 'screenFields'],
  ...['fields', 'workflow', 'views', 'moved', 'relations', 'templates', 'field', 'screenField', 'state', 'type'],
  ...[
    'from',
    'to',
    'default',
    'translations',
    'section',
    'sectionTranslations',
    'description',
    'color',
    'initial',
    'terminal',
  ],
  ...['required', 'readonly', 'searchable', 'sortable', 'metadata', 'catalog', 'parent', 'values', 'parents'],
  ...['screen', 'message', 'edit', 'run', 'rules', 'rule', 'parameter', 'visibleToRoles', 'conditions', 'operator'],
];

/** Returns a value with the members of its objects in the order of exports, for people who read the file. */
export function inFileOrder<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inFileOrder) as T;
  if (typeof value !== 'object' || value === null) return value;
  const rank = (name: string) => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1);
  const members = Object.entries(value).toSorted(([a], [b]) => rank(a) - rank(b));
  return Object.fromEntries(members.map(([name, member]) => [name, inFileOrder(member)])) as T;
}
