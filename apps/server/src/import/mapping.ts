/** Reads a mapping (YAML; docs/importing.md describes every key). */
import {
  FieldType,
  PartUse,
  RoleId,
  sortableFieldTypes,
  ValidationType,
  Visibility,
  validationRules,
  validationTypeOf,
} from '@portico/contract';
import type { CommunityRole } from '../kernel/scope.ts';
import { type FieldTypeSpec, isChoice, typeNamesWhere, typeOf } from '../modules/fields/index.ts';
import { Cursor } from './mapping-cursor.ts';
import type {
  ChangesMapping,
  CommentMapping,
  CommunityMapping,
  CsvOptions,
  FieldMapping,
  Mapping,
  StateMapping,
  TransitionMapping,
} from './mapping-types.ts';
import {
  missingSource,
  readBody,
  readPerson,
  readSource,
  readSourceParts,
  SOURCE_KEYS,
  TEXT_FORMATS,
} from './read-source.ts';

const TOP_KEYS = [
  'name',
  'format',
  'csv',
  'community',
  'externalId',
  'title',
  'body',
  'author',
  'created',
  'modified',
  'modifier',
  'visibility',
  'draft',
  'pinned',
  'announcement',
  'watchers',
  'hashtags',
  'state',
  'workflow',
  'fields',
  'comments',
  'changes',
] as const;

const ROLES: Readonly<Record<string, CommunityRole>> = {
  manager: RoleId.MANAGER,
  contributor: RoleId.CONTRIBUTOR,
  reader: RoleId.READER,
};
const USES: Readonly<Record<string, PartUse>> = {
  disabled: PartUse.DISABLED,
  optional: PartUse.OPTIONAL,
  required: PartUse.REQUIRED,
};
const VISIBILITIES: Readonly<Record<string, Visibility>> = {
  private: Visibility.PRIVATE,
  public: Visibility.PUBLIC,
};
const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252', 'iso-8859-1'] as const;

/**
 * @param file name of the mapping, for messages
 * @throws MappingError that lists every error with its line
 */
export function readMapping(file: string, text: string): Mapping {
  return Cursor.read(file, text, (root): Mapping => {
    const parts = root.parts(TOP_KEYS);
    if (!parts.externalId) {
      root.fail('externalId is missing: name the column that identifies rows, so that a repeated import finds them');
    }
    const name = parts.name?.text();
    const format = parts.format?.choice(['csv', 'ndjson']);
    const sources = Object.fromEntries(
      (
        [
          'title',
          'created',
          'modified',
          'visibility',
          'draft',
          'pinned',
          'announcement',
          'watchers',
          'hashtags',
          'state',
        ] as const
      ).flatMap((key) => (parts[key] ? [[key, readSource(parts[key])]] : [])),
    );
    const fields = parts.fields ? readFields(parts.fields) : [];
    if (parts.state && !parts.workflow) parts.state.fail('a state needs a workflow: add "workflow: {title: …}"');
    return {
      ...(name !== undefined && { name }),
      ...(format && { format }),
      csv: readCsv(parts.csv),
      externalId: parts.externalId ? readSource(parts.externalId) : missingSource(root),
      ...sources,
      ...(parts.body && { body: readBody(parts.body) }),
      ...(parts.author && { author: readPerson(parts.author) }),
      ...(parts.modifier && { modifier: readPerson(parts.modifier) }),
      ...(parts.workflow && { workflow: readWorkflow(parts.workflow) }),
      community: parts.community ? readCommunity(parts.community) : { managers: [] },
      fields,
      comments: parts.comments ? readComments(parts.comments) : [],
      ...(parts.changes && { changes: readChanges(parts.changes) }),
    };
  });
}

function readCsv(cursor: Cursor | undefined): CsvOptions {
  const parts = cursor?.parts(['delimiter', 'quote', 'encoding', 'header']) ?? {};
  const delimiter = parts.delimiter?.separator();
  const header = parts.header?.items().map((item) => item.text() ?? '');
  return {
    ...(delimiter !== undefined && { delimiter }),
    quote: parts.quote?.separator() ?? '"',
    encoding: parts.encoding?.choice(ENCODINGS) ?? 'utf-8',
    ...(header && { header }),
  };
}

const COMMUNITY_KEYS = [
  'description',
  'color',
  'externalId',
  'defaultVisibility',
  'title',
  'body',
  'events',
  'authorRole',
  'managers',
] as const;

function readCommunity(cursor: Cursor): CommunityMapping {
  const parts = cursor.parts([...COMMUNITY_KEYS]);
  const description = parts.description?.text();
  const color = parts.color && readColor(parts.color);
  const externalId = parts.externalId?.text();
  const visibility = parts.defaultVisibility?.choice(Object.keys(VISIBILITIES));
  const title = parts.title?.choice(Object.keys(USES));
  const body = parts.body?.choice(Object.keys(USES));
  const events = parts.events?.flag();
  const authorRole = parts.authorRole?.choice([...Object.keys(ROLES), 'none']);
  return {
    ...(description !== undefined && { description }),
    ...(color !== undefined && { color }),
    ...(externalId !== undefined && { externalId }),
    ...(visibility !== undefined && { defaultVisibility: VISIBILITIES[visibility] }),
    ...(title !== undefined && { title: USES[title] }),
    ...(body !== undefined && { body: USES[body] }),
    ...(events !== undefined && { events }),
    ...(authorRole !== undefined && { authorRole: ROLES[authorRole] ?? null }),
    managers: parts.managers?.items().map((item) => item.text() ?? '') ?? [],
  };
}

function readColor(cursor: Cursor): string | undefined {
  const text = cursor.text();
  if (text !== undefined && !/^#[0-9a-fA-F]{6}$/.test(text)) cursor.fail('a colour is "#" and six hexadecimal digits');
  return text;
}

function readWorkflow(cursor: Cursor): NonNullable<Mapping['workflow']> {
  const parts = cursor.parts(['title', 'states', 'transitions', 'addStates']);
  const states = parts.states?.items().map(readState) ?? [];
  const names = new Set(states.map((state) => state.name));
  const addStates = parts.addStates?.flag() ?? true;
  const transitions =
    parts.transitions?.items().map((item) => readTransition(item, addStates ? undefined : names)) ?? [];
  if (names.size < states.length) parts.states?.fail('two states have the same name');
  if (states.length > 0 && !states.some((state) => state.initial)) {
    parts.states?.fail('one state at least is "initial: true": posts that people write begin there');
  }
  const title = parts.title?.text();
  if (!parts.title) cursor.fail('title is missing: the name of the workflow');
  return { title: title ?? '', states, transitions, addStates };
}

function readState(cursor: Cursor): StateMapping {
  if (cursor.isText) return { name: cursor.text() ?? '', initial: false, terminal: false };
  const parts = cursor.parts(['name', 'description', 'color', 'initial', 'terminal']);
  if (!parts.name) cursor.fail('name is missing');
  const description = parts.description?.text();
  const color = parts.color && readColor(parts.color);
  return {
    name: parts.name?.text() ?? '',
    ...(description !== undefined && { description }),
    ...(color !== undefined && { color }),
    initial: parts.initial?.flag() ?? false,
    terminal: parts.terminal?.flag() ?? false,
  };
}

function readTransition(cursor: Cursor, known: ReadonlySet<string> | undefined): TransitionMapping {
  const parts = cursor.parts(['name', 'from', 'to', 'roles', 'byAuthor']);
  for (const key of ['name', 'from', 'to'] as const) if (!parts[key]) cursor.fail(`${key} is missing`);
  const state = (item: Cursor) => {
    const name = item.text() ?? '';
    if (known && !known.has(name)) item.fail(`"${name}" is not one of the states: ${[...known].join(', ')}`);
    return name;
  };
  const roles = parts.roles?.items().map((item) => item.choice(Object.keys(ROLES)));
  return {
    name: parts.name?.text() ?? '',
    from: parts.from ? (parts.from.isList ? parts.from.items() : [parts.from]).map(state) : [],
    to: parts.to ? state(parts.to) : '',
    roles: roles?.flatMap((role) => (role === undefined ? [] : ROLES[role]!)) ?? [ROLES['contributor']!],
    byAuthor: parts.byAuthor?.flag() ?? false,
  };
}

const FIELD_KEYS = [
  ...SOURCE_KEYS,
  'type',
  'label',
  'description',
  'required',
  'readonly',
  'searchable',
  'sortable',
  'preview',
  'metadata',
  'validations',
  'catalog',
  'values',
  'addValues',
  'parent',
  'of',
  'format',
  'digits',
  'maximum',
  'extendsVisibility',
  'onError',
] as const;

function readFields(cursor: Cursor): FieldMapping[] {
  const fields = cursor.pairs().map(([key, value]) => ({ cursor: value, field: readField(key, value) }));
  for (const { cursor: at, field } of fields) {
    if (!typeOf(field).hierarchical) {
      if (field.parent !== undefined)
        at.fail(`only a ${typeNamesWhere(({ hierarchical }) => hierarchical === true)} can have a parent field`);
      continue;
    }
    const parent = fields.find((other) => other.field.key === field.parent)?.field;
    if (!parent || !isChoice(parent)) at.fail('parent names the enumerated field above this one, by its key');
    else if (fields.findIndex((other) => other.field === parent) > fields.findIndex((other) => other.field === field)) {
      at.fail('its parent must come first');
    } else if ((parent.catalog === undefined) !== (field.catalog === undefined)) {
      at.fail('parent and child both take their values from catalogs, or both have lists of their own');
    }
  }
  return fields.map(({ field }) => field);
}

const TYPE_NAMES = Object.keys(FieldType) as (keyof typeof FieldType)[];

function readField(key: string, cursor: Cursor): FieldMapping {
  const parts = cursor.parts(FIELD_KEYS);
  const typeName = parts.type?.choice(TYPE_NAMES);
  if (!parts.type) cursor.fail(`type is missing: one of ${TYPE_NAMES.join(', ')}`);
  // A mapping without a type is refused; the rest of the field is read for its faults.
  const type = FieldType[typeName ?? TYPE_NAMES[0]!];
  const only = (part: keyof typeof parts, holds: boolean, where: string) => {
    if (parts[part] && !holds) parts[part].fail(`only for ${where}`);
  };
  const spec = typeOf({ type });
  const choice = spec.kind === 'choice';
  only('catalog', choice, `enumerated types (${typeNamesWhere(({ kind }) => kind === 'choice')})`);
  only('values', choice, 'enumerated types');
  only('addValues', choice, 'enumerated types');
  const objects = typeNamesWhere(({ kind }) => kind === 'objects');
  only('of', spec.kind === 'objects', objects);
  only('extendsVisibility', spec.kind === 'objects', `${objects} of users`);
  only(
    'format',
    spec.kind === 'richText',
    typeNamesWhere(({ kind }) => kind === 'richText'),
  );
  const onlyWith = (part: keyof typeof parts, key: string) => {
    const has = ({ metadata }: FieldTypeSpec) => metadata?.[key] !== undefined;
    only(part, has(spec), typeNamesWhere(has));
  };
  onlyWith('digits', 'decimal_digits');
  onlyWith('maximum', 'feedback_max_value');
  const sortable = parts.sortable?.flag() ?? false;
  if (sortable && !sortableFieldTypes.includes(type)) parts.sortable?.fail(`fields of type ${typeName} have no order`);
  if (spec.kind === 'objects' && !parts.of) cursor.fail('of is missing: "of: user" or "of: post"');
  const entity = parts.of?.choice(['user', 'post']);
  const description = parts.description?.text();
  const catalog = parts.catalog && readCatalog(parts.catalog);
  const parent = parts.parent?.text();
  const metadata: Record<string, string> = Object.fromEntries(
    parts.metadata?.pairs().map(([name, value]) => [name, String(value.scalar() ?? '')]) ?? [],
  );
  const digits = parts.digits?.whole(0, 15);
  const maximum = parts.maximum?.whole(1, 1000);
  const readonly = parts.readonly?.flag();
  if (digits !== undefined) metadata['decimal_digits'] = String(digits);
  if (maximum !== undefined) metadata['feedback_max_value'] = String(maximum);
  if (parts.extendsVisibility?.flag()) metadata['extends_post_visibility'] = 'true';
  if (entity) metadata['generic_entity_list_config_id'] = entity === 'user' ? 'core.user' : 'communication.post';
  return {
    key,
    type,
    label: parts.label?.text() ?? key,
    ...(description !== undefined && { description }),
    required: parts.required?.flag() ?? false,
    ...(readonly !== undefined && { readonly }),
    searchable: parts.searchable?.flag() ?? true,
    sortable,
    preview: parts.preview?.flag() ?? true,
    metadata,
    validations: parts.validations?.items().map(readValidation) ?? [],
    ...(catalog && { catalog }),
    values: parts.values?.items().map((item) => String(item.scalar() ?? '')) ?? [],
    addValues: parts.addValues?.flag() ?? true,
    ...(parent !== undefined && { parent }),
    ...(entity && { entity }),
    format: parts.format?.choice(TEXT_FORMATS) ?? 'plain',
    source: readSourceParts(cursor, parts),
    onError: parts.onError?.choice(['refuse', 'drop']) ?? 'refuse',
  };
}

function readCatalog(cursor: Cursor): NonNullable<FieldMapping['catalog']> {
  if (cursor.isText) return { name: cursor.text() ?? '' };
  const parts = cursor.parts(['name', 'externalId']);
  if (!parts.name) cursor.fail('name is missing');
  const externalId = parts.externalId?.text();
  return { name: parts.name?.text() ?? '', ...(externalId !== undefined && { externalId }) };
}

function readValidation(cursor: Cursor): FieldMapping['validations'][number] {
  const parts = cursor.parts(['rule', 'parameter']);
  if (!parts.rule) cursor.fail('rule is missing');
  const typeId = parts.rule === undefined ? undefined : readRule(parts.rule);
  const parameter = parts.parameter?.scalar();
  return {
    typeId: typeId ?? 0,
    ...(parameter !== undefined && parameter !== null && { parameter: String(parameter) }),
  };
}

/** A rule by its name or its number; numbers of before they were those of existing definitions are taken too. */
function readRule(cursor: Cursor): number | undefined {
  const names = validationRules.map((rule) => rule.name);
  if (cursor.isText) return ValidationType[cursor.choice(names) ?? 'REQUIRED'];
  const given = cursor.scalar();
  const typeId = typeof given === 'number' ? validationTypeOf(given) : undefined;
  if (typeId !== undefined) return typeId;
  return cursor.fail(
    `${given} is no rule; allowed: ${validationRules.map(({ id, name }) => `${name} (${id})`).join(', ')}`,
  );
}

function readComments(cursor: Cursor): CommentMapping[] {
  return (cursor.isList ? cursor.items() : [cursor]).map((item) => {
    const parts = item.parts(['forEach', 'text', 'format', 'author', 'at', 'externalId']);
    if (!parts.text) item.fail('text is missing: the column (or {item: …} of the list) that holds the comment');
    const forEach = parts.forEach?.text();
    return {
      ...(forEach !== undefined && { forEach }),
      text: parts.text ? readSource(parts.text) : missingSource(item),
      format: parts.format?.choice(TEXT_FORMATS) ?? 'plain',
      ...(parts.author && { author: readPerson(parts.author) }),
      ...(parts.at && { at: readSource(parts.at) }),
      ...(parts.externalId && { externalId: readSource(parts.externalId) }),
    };
  });
}

function readChanges(cursor: Cursor): ChangesMapping {
  const parts = cursor.parts(['forEach', 'externalId', 'at', 'author', 'note']);
  if (!parts.externalId) cursor.fail('externalId is missing: whose history the change belongs to');
  if (!parts.at) cursor.fail('at is missing: when the change was made');
  const forEach = parts.forEach?.text();
  return {
    ...(forEach !== undefined && { forEach }),
    externalId: parts.externalId ? readSource(parts.externalId) : missingSource(cursor),
    at: parts.at ? readSource(parts.at) : missingSource(cursor),
    ...(parts.author && { author: readPerson(parts.author) }),
    ...(parts.note && { note: readSource(parts.note) }),
  };
}
