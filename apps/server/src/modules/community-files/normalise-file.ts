/** The file of a community as it is compared: checked, and without what has its default. */

import { isDeepStrictEqual } from 'node:util';
import {
  type CommunityFile,
  type CommunityFileAccess,
  type CommunityFileCondition,
  type CommunityFileField,
  type CommunityFileWorkflow,
  FieldType,
  fileLimits,
  type JsonValue,
  TextFormat,
} from '@portico/contract';
import { bitsOf, permissionsIn } from '../../kernel/access/index.ts';
import { type FieldError, ValidationError } from '../../kernel/errors.ts';
import { typeOf, ValueError } from '../fields/index.ts';
import { withImplied } from '../roles/index.ts';
import { withoutViewDefaults } from './describe-views.ts';
import {
  defaultRun,
  fieldDefaults,
  roleWords,
  settingDefaults,
  withoutDefaults,
  withoutImplied,
} from './file-names.ts';

/** The version of the form that this server reads and writes. */
export const FILE_VERSION = 1;

/**
 * Checks that keys are there and tell objects apart, and that references lead somewhere; what else is wrong is found when the
 * file is applied or planned.
 * @returns the file without properties that have their default
 * @throws ValidationError with everything that is wrong
 */
export function normaliseFile(file: CommunityFile | undefined): CommunityFile {
  const errors: FieldError[] = [];
  const checked = file ?? {};
  if (file === undefined) errors.push({ field: 'file', code: 'REQUIRED_FIELD' });
  else {
    if (checked.version !== FILE_VERSION)
      errors.push({
        field: 'file.version',
        code: checked.version === undefined ? 'REQUIRED_FIELD' : 'INVALID_VALUE',
        defaultMessage: `The version of the file must be ${FILE_VERSION}.`,
      });
    for (const part of ['workspace', 'community'] as const) {
      if (!checked[part]?.key?.trim()) errors.push({ field: `file.${part}.key`, code: 'REQUIRED_FIELD' });
    }
    checkReferences(checked, errors);
  }
  if (errors.length > 0) throw new ValidationError(errors);
  const {
    workspace,
    roles,
    catalogs,
    community,
    groupRoles,
    hashtags,
    hashtagExternalIds,
    fields,
    workflow,
    views,
    relations,
  } = checked;
  return {
    version: FILE_VERSION,
    workspace: withoutDefaults(workspace ?? {}),
    ...(roles?.length && {
      roles: roles.map(({ permissions = [], ...role }) =>
        withoutDefaults({ ...role, permissions: permissionsIn(bitsOf(withImplied(permissions))) }),
      ),
    }),
    ...(catalogs?.length && {
      catalogs: catalogs.map((catalog) => ({
        ...withoutDefaults(catalog),
        ...(catalog.entries?.length && { entries: catalog.entries.map((entry) => withoutDefaults(entry)) }),
      })),
    }),
    community: withoutDefaults(community ?? {}, settingDefaults),
    groupRoles: [...(groupRoles ?? [])],
    hashtags: [...(hashtags ?? [])],
    ...withoutDefaults({ hashtagExternalIds: withoutDefaults(hashtagExternalIds ?? {}) }),
    fields: (fields ?? []).map(normaliseField),
    ...(workflow && { workflow: normaliseWorkflow(workflow) }),
    ...(views && { views: views.map(withoutViewDefaults) }),
    ...(relations && { relations: relations.map((relation) => withoutDefaults(relation)) }),
  };
}

function normaliseField(field: CommunityFileField): CommunityFileField {
  const { rules: _rules, conditions: _conditions, default: begins, ...others } = field;
  return {
    // No value is left out for being false or 0.
    ...(begins !== undefined && begins !== null && begins !== '' && { default: normaliseDefault(field, begins) }),
    ...withoutDefaults(field.section ? others : { ...others, sectionTranslations: {} }, fieldDefaults(field)),
    ...(field.values?.length && { values: field.values.map((value) => withoutDefaults(value)) }),
    ...withoutDefaults({
      rules: withoutImplied(field.rules ?? [], field.conditions),
      conditions: (field.conditions ?? []).map((condition) => withoutDefaults(condition)),
    }),
  };
}

/** One value, or a list of them, as the type has it, such as a date in milliseconds. */
function normaliseDefault({ type, metadata = {} }: CommunityFileField, value: JsonValue): JsonValue {
  if (type === undefined) return value;
  const spec = typeOf({ type: FieldType[type] });
  if (spec.kind === 'choice') {
    if (spec.list) return Array.isArray(value) ? value : [value];
    return Array.isArray(value) && value.length === 1 ? value[0]! : value;
  }
  if (spec.kind === 'objects') return value;
  try {
    return (spec.parse(value, { metadata }, TextFormat.DELTA) as JsonValue | undefined) ?? value;
  } catch (error) {
    // It is refused when it is written.
    if (!(error instanceof ValueError)) throw error;
    return value;
  }
}

function normaliseWorkflow(workflow: CommunityFileWorkflow): CommunityFileWorkflow {
  const access = (open: CommunityFileAccess | undefined) => withoutDefaults(open ?? {});
  return {
    title: workflow.title ?? '',
    states: (workflow.states ?? []).map(({ edit, ...state }) => withoutDefaults({ ...state, edit: access(edit) })),
    transitions: (workflow.transitions ?? []).map(({ run, conditions = [], sets = [], ...transition }) => ({
      ...withoutDefaults(transition),
      ...(run && !isDeepStrictEqual(access(run), defaultRun) && { run: access(run) }),
      ...withoutDefaults({
        conditions: conditions.map((condition) => withoutDefaults(condition)),
        sets: sets.map((value) => withoutDefaults(value, { source: 'value' })),
      }),
    })),
    screens: (workflow.screens ?? []).map((screen) => ({
      ...withoutDefaults(screen),
      fields: (screen.fields ?? []).map((field) => withoutDefaults(field)),
    })),
    screenFields: (workflow.screenFields ?? []).map(normaliseField),
  };
}

/** Collects what is wrong with the keys of one list, and says which keys there are. */
function keysIn(path: string, items: readonly { key?: string }[], errors: FieldError[]): Set<string> {
  return textsIn(
    path,
    'key',
    items.map(({ key }) => key),
    errors,
  );
}

/** As {@link keysIn}, where another member tells the objects apart. */
function textsIn(
  path: string,
  member: 'key' | 'name',
  texts: readonly (string | undefined)[],
  errors: FieldError[],
): Set<string> {
  const seen = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const field = `${path}[${index}].${member}`;
    if (!text?.trim()) errors.push({ field, code: 'REQUIRED_FIELD' });
    else if (seen.has(text)) errors.push({ field, code: 'DUPLICATE_VALUE' });
    seen.add(text ?? '');
  }
  return seen;
}

function checkReferences(file: CommunityFile, errors: FieldError[]): void {
  const unknown = (field: string, what: string) =>
    errors.push({ field, code: 'UNKNOWN_REFERENCE', defaultMessage: `The file has no such ${what}.` });
  const catalogs = file.catalogs ?? [];
  const catalogKeys = keysIn('file.catalogs', catalogs, errors);
  const entries = new Map(
    catalogs.map(({ key, entries = [] }, index) => [key, keysIn(`file.catalogs[${index}].entries`, entries, errors)]),
  );
  if ([...entries.values()].reduce((sum, { size }) => sum + size, 0) > fileLimits.entries)
    errors.push({ field: 'file.catalogs', code: 'TOO_MANY_ITEMS', args: [fileLimits.entries] });
  for (const [index, { parent, entries: own = [] }] of catalogs.entries()) {
    const path = `file.catalogs[${index}]`;
    const before = catalogs.slice(0, index).some(({ key }) => key === parent);
    if (parent !== undefined && !before) unknown(`${path}.parent`, 'catalog before this one');
    for (const [n, { parents = [] }] of own.entries())
      if (parents.some((key) => !entries.get(parent ?? '')?.has(key)))
        unknown(`${path}.entries[${n}].parents`, 'entry in the catalog above');
  }
  const roles = new Set<string>([...roleWords, ...keysIn('file.roles', file.roles ?? [], errors)]);
  const checkRoles = (at: string, named: readonly string[] = []) => {
    for (const [index, role] of named.entries()) if (!roles.has(role)) unknown(`${at}[${index}]`, 'role');
  };
  for (const [index, { key = '' }] of (file.roles ?? []).entries())
    if ((roleWords as readonly string[]).includes(key))
      errors.push({
        field: `file.roles[${index}].key`,
        code: 'INVALID_VALUE',
        defaultMessage: 'This word names a built-in role.',
      });
  for (const [index, { role = '' }] of (file.groupRoles ?? []).entries())
    if (!roles.has(role)) unknown(`file.groupRoles[${index}].role`, 'role');
  for (const [path, list] of Object.entries({
    'file.fields': file.fields ?? [],
    'file.workflow.screenFields': file.workflow?.screenFields ?? [],
  }))
    for (const [index, { visibleToRoles }] of list.entries())
      checkRoles(`${path}[${index}].visibleToRoles`, visibleToRoles);
  const fields = checkFields('file.fields', file.fields ?? [], catalogKeys, errors);
  for (const name of Object.keys(file.hashtagExternalIds ?? {}))
    if (!file.hashtags?.includes(name)) unknown(`file.hashtagExternalIds.${name}`, 'hashtag');
  const namesIn = (path: string, items: readonly { name?: string }[] = []) =>
    textsIn(
      path,
      'name',
      items.map(({ name }) => name),
      errors,
    );
  namesIn('file.views', file.views);
  for (const [index, { fields: shown = [] }] of (file.views ?? []).entries())
    for (const [n, key] of shown.entries()) if (!fields.has(key)) unknown(`file.views[${index}].fields[${n}]`, 'field');
  namesIn('file.relations', file.relations);
  const { workflow } = file;
  if (!workflow) return;
  const path = 'file.workflow';
  const screenFields = checkFields(`${path}.screenFields`, workflow.screenFields ?? [], catalogKeys, errors);
  const states = keysIn(`${path}.states`, workflow.states ?? [], errors);
  const screens = new Set((workflow.screens ?? []).flatMap(({ name }) => name ?? []));
  const checkScreen = (at: string, screen: string | undefined) => {
    if (screen !== undefined && !screens.has(screen)) unknown(`${at}.screen`, 'screen');
  };
  const checkAccess = (at: string, open: CommunityFileAccess = {}) => {
    checkRoles(`${at}.roles`, open.roles);
    for (const [index, key] of (open.fields ?? []).entries())
      if (!fields.has(key)) unknown(`${at}.fields[${index}]`, 'field');
    for (const [index, key] of (open.screenFields ?? []).entries())
      if (!screenFields.has(key)) unknown(`${at}.screenFields[${index}]`, 'screen field');
  };
  for (const [index, { screen, edit }] of (workflow.states ?? []).entries()) {
    checkScreen(`${path}.states[${index}]`, screen);
    checkAccess(`${path}.states[${index}].edit`, edit);
  }
  keysIn(`${path}.transitions`, workflow.transitions ?? [], errors);
  for (const [index, { from, to, screen, run, conditions, sets = [] }] of (workflow.transitions ?? []).entries()) {
    const at = `${path}.transitions[${index}]`;
    for (const [end, key] of Object.entries({ from, to }))
      if (key === undefined) errors.push({ field: `${at}.${end}`, code: 'REQUIRED_FIELD' });
      else if (!states.has(key)) unknown(`${at}.${end}`, 'state');
    checkScreen(at, screen);
    checkAccess(`${at}.run`, run);
    checkConditions(at, conditions, { field: fields, screenField: screenFields }, errors);
    for (const [n, { field }] of sets.entries())
      if (!screenFields.has(field ?? '')) unknown(`${at}.sets[${n}].field`, 'screen field');
  }
  for (const [index, { fields = [] }] of (workflow.screens ?? []).entries())
    for (const [n, { field }] of fields.entries())
      if (!screenFields.has(field ?? '')) unknown(`${path}.screens[${index}].fields[${n}].field`, 'screen field');
}

/** @param named keys of fields, by the member of the condition that names one */
function checkConditions(
  path: string,
  conditions: readonly CommunityFileCondition[] = [],
  named: Readonly<Record<'field' | 'screenField', ReadonlySet<string>>>,
  errors: FieldError[],
): void {
  for (const [index, condition] of conditions.entries()) {
    const at = `${path}.conditions[${index}]`;
    const given = (['field', 'screenField'] as const).filter((name) => condition[name] !== undefined);
    const [name = 'field', other] = given;
    if (given.length === 0) errors.push({ field: `${at}.field`, code: 'REQUIRED_FIELD' });
    else if (other !== undefined || !named[name].has(condition[name] ?? ''))
      errors.push({
        field: `${at}.${other ?? name}`,
        code: other === undefined ? 'UNKNOWN_REFERENCE' : 'INVALID_VALUE',
        defaultMessage: other === undefined ? 'The file has no such field here.' : 'A condition names one field.',
      });
    if (condition.operator === undefined) errors.push({ field: `${at}.operator`, code: 'REQUIRED_FIELD' });
  }
}

const NONE: ReadonlySet<string> = new Set();

function checkFields(
  path: string,
  fields: readonly CommunityFileField[],
  catalogs: ReadonlySet<string>,
  errors: FieldError[],
): Set<string> {
  const keys = keysIn(path, fields, errors);
  const values = new Map<string | undefined, Set<string>>();
  for (const [index, field] of fields.entries()) {
    const at = `${path}[${index}]`;
    if (field.type === undefined) errors.push({ field: `${at}.type`, code: 'REQUIRED_FIELD' });
    if (field.catalog !== undefined && !catalogs.has(field.catalog))
      errors.push({
        field: `${at}.catalog`,
        code: 'UNKNOWN_REFERENCE',
        defaultMessage: 'The file has no such catalog.',
      });
    if (field.parent !== undefined && !values.has(field.parent))
      errors.push({
        field: `${at}.parent`,
        code: 'UNKNOWN_REFERENCE',
        defaultMessage: 'The file has no such field before this one.',
      });
    values.set(field.key, keysIn(`${at}.values`, field.values ?? [], errors));
    for (const begins of [field.default ?? []].flat())
      if (field.values?.length && !values.get(field.key)?.has(String(begins)))
        errors.push({
          field: `${at}.default`,
          code: 'UNKNOWN_REFERENCE',
          defaultMessage: 'The field has no such value.',
        });
    const above = values.get(field.parent);
    for (const [n, { parents = [] }] of (field.values ?? []).entries())
      if (parents.some((key) => field.parent === undefined || !above?.has(key)))
        errors.push({
          field: `${at}.values[${n}].parents`,
          code: 'UNKNOWN_REFERENCE',
          defaultMessage: 'The field above has no such value.',
        });
    checkConditions(at, field.conditions, { field: keys, screenField: NONE }, errors);
    for (const [n, { rule }] of (field.rules ?? []).entries())
      if (rule === undefined) errors.push({ field: `${at}.rules[${n}].rule`, code: 'REQUIRED_FIELD' });
  }
  return keys;
}
