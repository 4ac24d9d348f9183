/** The file of a community in its normal form for comparison: checked, and without defaults. */

import { isDeepStrictEqual } from 'node:util';
import {
  type CommunityFile,
  type CommunityFileAccess,
  type CommunityFileCatalog,
  type CommunityFileCondition,
  type CommunityFileField,
  type CommunityFileWorkflow,
  FieldType,
  fileLimits,
  type JsonValue,
  TextFormat,
} from '@portico/contract';
import { unknownName } from '@portico/platform/text';
import { bitsOf, permissionsIn } from '../../../kernel/access/index.ts';
import { type FieldError, FieldErrors, invalid } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { withImplied } from '../../communities/index.ts';
import { typeOf, ValueError } from '../../fields/index.ts';

import { withoutViewDefaults } from './describe-views.ts';
import {
  defaultRun,
  fieldDefaults,
  roleWords,
  settingDefaults,
  withoutDefaults,
  withoutImplied,
} from './file-names.ts';
import { checkTemplates, normaliseTemplate } from './file-templates.ts';

/** Version of the file format that this server reads and writes. */
export const FILE_VERSION = 1;

/**
 * Checks that keys exist and are unique, and that references are valid. Applying or planning the
 * file finds other errors.
 * @returns the file without properties that have their default
 * @throws ValidationError with all errors
 */
export function normaliseFile(file: CommunityFile | undefined, missing: Scope['missing']): CommunityFile {
  if (file === undefined)
    throw invalid('file', 'REQUIRED_FIELD', 'Send a file, or the communityId of a draft or of a version.');
  const check = new FileCheck(missing);
  if (file.version !== FILE_VERSION)
    check.refuse(
      'file.version',
      `The version of the file must be ${FILE_VERSION}.`,
      file.version === undefined ? 'REQUIRED_FIELD' : 'INVALID_VALUE',
    );
  for (const part of ['workspace', 'community'] as const)
    check.required(`file.${part}.key`, file[part]?.key?.trim() || undefined);
  check.references(file);
  checkTemplates(file, (...fault) => check.refuse(...fault));
  check.errors.throwIfAny();
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
    templates,
    moved,
  } = file;
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
    ...(templates && {
      templates: templates.map((template) => normaliseTemplate(template, fields ?? [], normaliseDefault)),
    }),
    ...(moved?.length && { moved: [...moved] }),
  };
}

function normaliseField(field: CommunityFileField): CommunityFileField {
  const { rules: _rules, conditions: _conditions, default: begins, ...others } = field;
  return {
    // The values false and 0 are kept.
    ...(begins !== undefined && begins !== null && begins !== '' && { default: normaliseDefault(field, begins) }),
    ...withoutDefaults(field.section ? others : { ...others, sectionTranslations: {} }, fieldDefaults(field)),
    ...(field.values?.length && { values: field.values.map((value) => withoutDefaults(value)) }),
    ...withoutDefaults({
      rules: withoutImplied(field.rules ?? [], field.conditions),
      conditions: (field.conditions ?? []).map((condition) => withoutDefaults(condition)),
    }),
  };
}

/**
 * Returns a default in its normal form: a value or a list, depending on the type, such as a date in
 * milliseconds.
 */
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
    // The write will reject it.
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

const NONE: ReadonlySet<string> = new Set();

/** Collects errors of keys and of references. */
class FileCheck {
  readonly errors: FieldErrors;

  constructor(missing: Scope['missing']) {
    this.errors = new FieldErrors(missing);
  }

  refuse(field: string, defaultMessage: string, code: FieldError['code'] = 'UNKNOWN_REFERENCE'): void {
    this.errors.add(field, code, defaultMessage);
  }

  required(field: string, value: unknown): void {
    if (value === undefined) this.errors.add(field, 'REQUIRED_FIELD');
  }

  /**
   * Rejects references to unknown keys. @param member of the elements of the list, if they are
   * objects
   */
  #refuseUnknown(
    at: string,
    names: readonly (string | undefined)[],
    known: ReadonlySet<string>,
    what: string,
    member = '',
  ): void {
    for (const [index, name = ''] of names.entries())
      if (!known.has(name)) this.unknown(`${at}[${index}]${member}`, what, name, known);
  }

  /** Rejects a reference to a key that the file does not have. */
  unknown(field: string, what: string, name: string, known: Iterable<string>, where = 'The file'): void {
    this.refuse(field, unknownName(where, what, name, [...known]));
  }

  /** Requires a unique key or name for each object of the list. */
  #keysOf<K extends 'key' | 'name'>(
    member: K,
    path: string,
    objects: readonly { readonly [M in K]?: string }[] = [],
  ): Set<string> {
    const seen = new Set<string>();
    for (const [index, { [member]: text }] of objects.entries()) {
      const field = `${path}[${index}].${member}`;
      if (!text?.trim()) this.errors.add(field, 'REQUIRED_FIELD');
      else if (seen.has(text)) this.errors.add(field, 'DUPLICATE_VALUE');
      seen.add(text ?? '');
    }
    return seen;
  }

  references({ fields = [], views = [], relations, hashtags, hashtagExternalIds = {}, ...file }: CommunityFile): void {
    const { catalogs = [], groupRoles = [], workflow } = file;
    const catalogKeys = this.#keysOf('key', 'file.catalogs', catalogs);
    this.#entries(catalogs);
    const roles = new Set<string>([...roleWords, ...this.#keysOf('key', 'file.roles', file.roles)]);
    for (const [index, { key = '' }] of (file.roles ?? []).entries())
      if ((roleWords as readonly string[]).includes(key))
        this.refuse(`file.roles[${index}].key`, 'This word names a built-in role.', 'INVALID_VALUE');
    this.#refuseUnknown(
      'file.groupRoles',
      groupRoles.map(({ role }) => role),
      roles,
      'role',
      '.role',
    );
    for (const [path, list] of Object.entries({
      'file.fields': fields,
      'file.workflow.screenFields': workflow?.screenFields ?? [],
    }))
      for (const [index, { visibleToRoles = [] }] of list.entries())
        this.#refuseUnknown(`${path}[${index}].visibleToRoles`, visibleToRoles, roles, 'role');
    const fieldKeys = this.#fields('file.fields', fields, catalogKeys);
    for (const name of Object.keys(hashtagExternalIds))
      if (!hashtags?.includes(name)) this.unknown(`file.hashtagExternalIds.${name}`, 'hashtag', name, hashtags ?? []);
    this.#keysOf('name', 'file.views', views);
    for (const [index, { fields: shown = [] }] of views.entries())
      this.#refuseUnknown(`file.views[${index}].fields`, shown, fieldKeys, 'field');
    this.#keysOf('name', 'file.relations', relations);
    this.#keysOf('name', 'file.templates', file.templates);
    for (const [index, { values = [] }] of (file.templates ?? []).entries()) {
      const named = values.map(({ field }) => field);
      this.#refuseUnknown(`file.templates[${index}].values`, named, fieldKeys, 'field', '.field');
    }
    if (!workflow) return;
    const screenFields = this.#fields('file.workflow.screenFields', workflow.screenFields ?? [], catalogKeys);
    this.#workflow(workflow, roles, { field: fieldKeys, screenField: screenFields });
  }

  #entries(catalogs: readonly CommunityFileCatalog[]): void {
    const entries = new Map(
      catalogs.map(({ key, entries: own }, index) => [
        key,
        this.#keysOf('key', `file.catalogs[${index}].entries`, own),
      ]),
    );
    if ([...entries.values()].reduce((sum, { size }) => sum + size, 0) > fileLimits.entries)
      this.errors.add('file.catalogs', 'TOO_MANY_ITEMS', undefined, [fileLimits.entries]);
    for (const [index, { parent, entries: own = [] }] of catalogs.entries()) {
      const path = `file.catalogs[${index}]`;
      const before = catalogs.slice(0, index).flatMap(({ key }) => key ?? []);
      if (parent !== undefined && !before.includes(parent))
        this.unknown(`${path}.parent`, 'catalog', parent, before, 'The file, before this catalog,');
      const above = entries.get(parent ?? '') ?? NONE;
      for (const [n, { parents = [] }] of own.entries())
        for (const [place, key] of parents.entries())
          if (!above.has(key))
            this.unknown(`${path}.entries[${n}].parents[${place}]`, 'entry', key, above, 'The catalog above');
    }
  }

  #workflow(
    { states = [], transitions = [], screens = [] }: CommunityFileWorkflow,
    roles: ReadonlySet<string>,
    fields: FieldNames,
  ): void {
    const path = 'file.workflow';
    const stateKeys = this.#keysOf('key', `${path}.states`, states);
    const screenNames = new Set(screens.flatMap(({ name }) => name ?? []));
    const checkScreen = (at: string, screen: string | undefined) => {
      if (screen !== undefined && !screenNames.has(screen)) this.unknown(`${at}.screen`, 'screen', screen, screenNames);
    };
    const checkAccess = (at: string, open: CommunityFileAccess = {}) => {
      this.#refuseUnknown(`${at}.roles`, open.roles ?? [], roles, 'role');
      this.#refuseUnknown(`${at}.fields`, open.fields ?? [], fields.field, 'field');
      this.#refuseUnknown(`${at}.screenFields`, open.screenFields ?? [], fields.screenField, 'screen field');
    };
    for (const [index, { screen, edit }] of states.entries()) {
      checkScreen(`${path}.states[${index}]`, screen);
      checkAccess(`${path}.states[${index}].edit`, edit);
    }
    this.#keysOf('key', `${path}.transitions`, transitions);
    for (const [index, { from, to, screen, run, conditions, sets = [] }] of transitions.entries()) {
      const at = `${path}.transitions[${index}]`;
      for (const [end, key] of Object.entries({ from, to }))
        if (key === undefined) this.required(`${at}.${end}`, key);
        else if (!stateKeys.has(key)) this.unknown(`${at}.${end}`, 'state', key, stateKeys);
      checkScreen(at, screen);
      checkAccess(`${at}.run`, run);
      this.#conditions(at, conditions, fields);
      const setFields = sets.map(({ field }) => field);
      this.#refuseUnknown(`${at}.sets`, setFields, fields.screenField, 'screen field', '.field');
    }
    for (const [index, { fields: shown = [] }] of screens.entries()) {
      const names = shown.map(({ field }) => field);
      this.#refuseUnknown(`${path}.screens[${index}].fields`, names, fields.screenField, 'screen field', '.field');
    }
  }

  #conditions(path: string, conditions: readonly CommunityFileCondition[] = [], named: FieldNames): void {
    for (const [index, condition] of conditions.entries()) {
      const at = `${path}.conditions[${index}]`;
      const [name, other] = (['field', 'screenField'] as const).filter((each) => condition[each] !== undefined);
      if (name === undefined) this.required(`${at}.field`, name);
      else if (other !== undefined) this.refuse(`${at}.${other}`, 'A condition names one field.', 'INVALID_VALUE');
      else if (!named[name].has(condition[name] ?? ''))
        this.unknown(`${at}.${name}`, 'field', condition[name] ?? '', named[name], 'The form');
      this.required(`${at}.operator`, condition.operator);
    }
  }

  #fields(path: string, fields: readonly CommunityFileField[], catalogs: ReadonlySet<string>): Set<string> {
    const keys = this.#keysOf('key', path, fields);
    const values = new Map<string | undefined, Set<string>>();
    for (const [index, field] of fields.entries()) {
      const at = `${path}[${index}]`;
      this.required(`${at}.type`, field.type);
      if (field.catalog !== undefined && !catalogs.has(field.catalog))
        this.unknown(`${at}.catalog`, 'catalog', field.catalog, catalogs);
      if (field.parent !== undefined && !values.has(field.parent))
        this.unknown(
          `${at}.parent`,
          'field',
          field.parent,
          [...values.keys()].flatMap((key) => key ?? []),
          'The form, before this field,',
        );
      values.set(field.key, this.#keysOf('key', `${at}.values`, field.values));
      for (const begins of [field.default ?? []].flat())
        if (field.values?.length && !values.get(field.key)?.has(String(begins)))
          this.unknown(`${at}.default`, 'value', String(begins), values.get(field.key) ?? NONE, 'The field');
      const above = values.get(field.parent);
      for (const [n, { parents = [] }] of (field.values ?? []).entries())
        for (const [place, key] of parents.entries())
          if (field.parent === undefined || !above?.has(key))
            this.unknown(`${at}.values[${n}].parents[${place}]`, 'value', key, above ?? NONE, 'The field above');
      this.#conditions(at, field.conditions, { field: keys, screenField: NONE });
      for (const [n, { rule }] of (field.rules ?? []).entries()) this.required(`${at}.rules[${n}].rule`, rule);
    }
    return keys;
  }
}

/** Keys of fields, by the member of a condition that refers to them. */
type FieldNames = Readonly<Record<'field' | 'screenField', ReadonlySet<string>>>;
