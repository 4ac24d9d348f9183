/** Reads a mapping (YAML; docs/importing.md describes every key). */
import {
  definitionLimits,
  FieldType,
  oneLine,
  PartUse,
  RoleId,
  sortableFieldTypes,
  ValidationType,
  Visibility,
  validationRules,
  validationTypeOf,
} from '@portico/contract';
import type { OpenToRole } from '../../../kernel/scope.ts';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { type FieldTypeSpec, isChoice, typeNamesWhere, typeOf } from '../../fields/index.ts';
import { PRESET_NAMES, presetText } from '../presets/index.ts';
import {
  type ChangesMapping,
  type CommentMapping,
  type CommunityMapping,
  type EntityTarget,
  type FieldMapping,
  INPUT_FORMATS,
  type Mapping,
  type StateMapping,
  type TransitionMapping,
} from '../source/mapping-types.ts';
import type { YamlTree } from '../yaml/yaml-tree.ts';
import { loadPatterns } from './date-pattern.ts';
import { Cursor, parseMapping } from './mapping-cursor.ts';
import { readCsv, readDocument } from './read-file-options.ts';
import {
  missingSource,
  readBody,
  readPerson,
  readSource,
  readSourceProperties,
  SOURCE_KEYS,
  TEXT_FORMATS,
  zoneOf,
} from './read-source.ts';
import { composed } from './values.ts';

/** Keys of a post's properties with one source each. */
const SOURCES = [
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
] as const;
const OTHER_KEYS = ['body', 'author', 'modifier', 'workflow', 'fields', 'comments', 'changes'] as const;
const FILE_KEYS = ['preset', 'timezone', 'format', 'csv', 'json', 'xlsx'] as const;
const TOP_KEYS = ['name', ...FILE_KEYS, 'community', 'externalId', ...SOURCES, ...OTHER_KEYS] as const;
type Given = Partial<Record<(typeof TOP_KEYS)[number], Cursor>>;

const ROLES: Readonly<Record<string, OpenToRole>> = {
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

/**
 * @param file name of the mapping, for messages
 * @param given text of the mapping, or the result of {@link parseMapping}
 * @param community target, if it exists: its fields need no definition in the mapping, and its
 * workflow need not be named
 * @param withHistory whether authors, times and comments of a preset apply
 * @throws MappingError with every error and its line
 */
export async function readMapping(
  file: string,
  given: string | YamlTree,
  community?: CommunityDefinition,
  withHistory = true,
): Promise<Mapping> {
  const tree = typeof given === 'string' ? await parseMapping(given) : given;
  // It brings the parser of YAML, which most processes do without. Presets are texts of the program.
  const { parseTree } = await import('../yaml/yaml-tree.ts');
  await loadPatterns();
  return Cursor.read(file, tree, (root): Mapping => {
    const own = root.properties(TOP_KEYS);
    const preset = own.preset?.choice(PRESET_NAMES);
    if (!own.preset) own.timezone?.fail('timezone is for a preset; without one, each source of times has its own');
    if (preset === undefined) return readGiven(root, own, {}, community, withHistory);
    const zone = own.timezone ? zoneOf(own.timezone) : 'UTC';
    return Cursor.read(`preset ${preset}`, parseTree(presetText(preset, zone), 1), (base) =>
      readGiven(root, own, basedOn(base.properties(TOP_KEYS), withHistory), community, withHistory),
    );
  });
}

/** The keys of a preset that apply. */
function basedOn(preset: Given, withHistory: boolean): Given {
  if (withHistory) return preset;
  const { author: _author, modifier: _modifier, created: _created, modified: _modified, ...others } = preset;
  return others;
}

/**
 * @param own keys of the mapping itself; `null` removes a key of the preset
 * @param preset keys of the preset
 */
function readGiven(
  root: Cursor,
  own: Given,
  preset: Given,
  community: CommunityDefinition | undefined,
  withHistory: boolean,
): Mapping {
  const given: Given = { ...preset, ...own };
  for (const key of TOP_KEYS) if (preset[key] && own[key]?.isNull) delete given[key];
  if (!given.externalId) {
    root.fail('externalId is missing: name the column that identifies rows, so that a repeated import finds them');
  }
  const head = { name: given.name?.text(), format: given.format?.choice(INPUT_FORMATS) };
  const sources = Object.fromEntries(SOURCES.flatMap((key) => (given[key] ? [[key, readSource(given[key])]] : [])));
  const fields = readFields([preset.fields, own.fields], community);
  if (given.state && !given.workflow && !community?.workflow)
    given.state.fail('a state needs a workflow: add "workflow: {title: …}"');
  return {
    ...head,
    csv: readCsv(given.csv),
    document: readDocument(given.json, given.xlsx),
    externalId: given.externalId ? readSource(given.externalId) : missingSource(root),
    ...sources,
    body: given.body && readBody(given.body),
    author: given.author && readPerson(given.author),
    modifier: given.modifier && readPerson(given.modifier),
    workflow: given.workflow ? readWorkflow(given.workflow) : presentWorkflow(community),
    community: given.community ? readCommunity(given.community) : { managers: [] },
    fields,
    comments: given.comments ? readComments(given.comments, withHistory || own.comments !== undefined) : [],
    changes: given.changes && readChanges(given.changes),
  };
}

/** Returns the workflow of an existing community: rows name its states, and add none. */
function presentWorkflow(community: CommunityDefinition | undefined): Mapping['workflow'] {
  return community?.workflow
    ? { title: community.workflow.title, states: [], transitions: [], addStates: false }
    : undefined;
}

function readCommunity(cursor: Cursor): CommunityMapping {
  const given = cursor.properties([
    'description',
    'color',
    'externalId',
    'defaultVisibility',
    'title',
    'body',
    'events',
    'authorRole',
    'managers',
  ]);
  const oneOf = <T>(values: Readonly<Record<string, T>>, item: Cursor | undefined) => {
    const name = item?.choice(Object.keys(values));
    return name === undefined ? undefined : values[name];
  };
  return {
    description: given.description?.text(),
    color: given.color && readColor(given.color),
    externalId: given.externalId?.text(),
    defaultVisibility: oneOf(VISIBILITIES, given.defaultVisibility),
    title: oneOf(USES, given.title),
    body: oneOf(USES, given.body),
    events: given.events?.flag(),
    authorRole: oneOf({ ...ROLES, none: null }, given.authorRole),
    managers: given.managers?.items().map((item) => item.text() ?? '') ?? [],
  };
}

function readColor(cursor: Cursor): string | undefined {
  const text = cursor.text();
  if (text !== undefined && !/^#[0-9a-fA-F]{6}$/.test(text)) cursor.fail('a colour is "#" and six hexadecimal digits');
  return text;
}

function readWorkflow(cursor: Cursor): NonNullable<Mapping['workflow']> {
  const given = cursor.properties(['title', 'states', 'transitions', 'addStates']);
  const states = given.states?.items().map(readState) ?? [];
  const names = new Set(states.map((state) => state.name));
  const addStates = given.addStates?.flag() ?? true;
  const transitions =
    given.transitions?.items().map((item) => readTransition(item, addStates ? undefined : names)) ?? [];
  if (names.size < states.length) given.states?.fail('two states have the same name');
  if (states.length > 0 && !states.some((state) => state.initial)) {
    given.states?.fail('one state at least is "initial: true": posts that people write begin there');
  }
  if (!given.title) cursor.fail('title is missing: the name of the workflow');
  return { title: given.title?.name() ?? '', states, transitions, addStates };
}

function readState(cursor: Cursor): StateMapping {
  if (cursor.isText) return { name: composed(cursor.name() ?? ''), initial: false, terminal: false };
  const given = cursor.properties(['name', 'description', 'color', 'initial', 'terminal']);
  if (!given.name) cursor.fail('name is missing');
  return {
    name: composed(given.name?.name() ?? ''),
    description: given.description?.text(),
    color: given.color && readColor(given.color),
    initial: given.initial?.flag() ?? false,
    terminal: given.terminal?.flag() ?? false,
  };
}

function readTransition(cursor: Cursor, known: ReadonlySet<string> | undefined): TransitionMapping {
  const given = cursor.properties(['name', 'from', 'to', 'roles', 'byAuthor']);
  for (const key of ['name', 'from', 'to'] as const) if (!given[key]) cursor.fail(`${key} is missing`);
  const state = (item: Cursor) => {
    const name = composed(item.name() ?? '');
    if (known && !known.has(name)) item.fail(`"${name}" is not one of the states: ${[...known].join(', ')}`);
    return name;
  };
  const roles = given.roles?.items().map((item) => item.choice(Object.keys(ROLES)));
  return {
    name: given.name?.name() ?? '',
    from: given.from ? (given.from.isList ? given.from.items() : [given.from]).map(state) : [],
    to: given.to ? state(given.to) : '',
    roles: roles?.flatMap((role) => (role === undefined ? [] : ROLES[role]!)) ?? [ROLES['contributor']!],
    byAuthor: given.byAuthor?.flag() ?? false,
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

/**
 * @param given fields of a preset and of the mapping; of two with one key the later counts, and
 * `null` removes it
 */
function readFields(
  given: readonly (Cursor | undefined)[],
  community: CommunityDefinition | undefined,
): FieldMapping[] {
  const pairs = [...new Map(given.flatMap((cursor) => cursor?.pairs() ?? []))].filter(([, value]) => !value.isNull);
  if (pairs.length > definitionLimits.fields) {
    given.at(-1)?.fail(`a community has at most ${definitionLimits.fields} fields`);
    return [];
  }
  const read = pairs.map(([key, value]) => ({ cursor: value, field: readField(key, value, community) }));
  const fields = read.map(({ cursor: at, field }) => {
    const parentId = field.known?.parentId ?? null;
    const parent = parentId === null ? undefined : read.find((other) => other.field.known?.id === parentId);
    return { cursor: at, field: parent ? { ...field, parent: parent.field.key } : field };
  });
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

/** The field of a community that a key names: by its external id, or else by its label. */
function findField(key: string, { fields }: CommunityDefinition): FieldDefinition | undefined {
  const wanted = composed(key);
  return fields.find(({ externalId }) => externalId === key) ?? fields.find(({ label }) => composed(label) === wanted);
}

function readField(key: string, cursor: Cursor, community: CommunityDefinition | undefined): FieldMapping {
  const source = cursor.isMap ? undefined : readSource(cursor);
  const given: Partial<Record<(typeof FIELD_KEYS)[number], Cursor>> = cursor.isMap ? cursor.properties(FIELD_KEYS) : {};
  const known = given.type || !community ? undefined : findField(key, community);
  if (community?.hidden.some(({ externalId }) => externalId === key)) cursor.fail('another field has this key');
  const typeName = given.type
    ? given.type.choice(TYPE_NAMES)
    : TYPE_NAMES.find((name) => FieldType[name] === known?.type);
  if (!given.type && !known) {
    const there =
      community && `the community has no field with this external id or label; it has: ${namesOf(community)}`;
    cursor.fail(`${there ? `${there}. For a new field, ` : ''}type is missing: one of ${TYPE_NAMES.join(', ')}`);
  }
  // A mapping without a type is refused; the rest of the field is read for its faults.
  const type = FieldType[typeName ?? TYPE_NAMES[0]!];
  const only = (part: keyof typeof given, holds: boolean, where: string) => {
    if (given[part] && !holds) given[part].fail(`only for ${where}`);
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
  const onlyWith = (part: keyof typeof given, key: string) => {
    const has = ({ metadata }: FieldTypeSpec) => metadata?.[key] !== undefined;
    only(part, has(spec), typeNamesWhere(has));
  };
  onlyWith('digits', 'decimal_digits');
  onlyWith('maximum', 'feedback_max_value');
  const sortable = given.sortable?.flag() ?? false;
  if (sortable && !sortableFieldTypes.includes(type)) given.sortable?.fail(`fields of type ${typeName} have no order`);
  if (spec.kind === 'objects' && !given.of && !known)
    cursor.fail('of is missing: "of: user", "of: group" or "of: post"');
  const entity = known ? entityOf(known, cursor) : given.of?.choice(['user', 'group', 'post']);
  const metadata: Record<string, string> = Object.fromEntries(
    given.metadata?.pairs().map(([name, value]) => [name, String(value.scalar() ?? '')]) ?? [],
  );
  const digits = given.digits?.whole(0, 15);
  const maximum = given.maximum?.whole(1, 1000);
  if (digits !== undefined) metadata['decimal_digits'] = String(digits);
  if (maximum !== undefined) metadata['feedback_max_value'] = String(maximum);
  if (given.extendsVisibility?.flag()) metadata['extends_post_visibility'] = 'true';
  if (entity) metadata['generic_entity_list_config_id'] = ENTITIES[entity];
  return {
    key,
    known,
    type,
    label: given.label?.name() ?? key,
    description: given.description?.text(),
    required: given.required?.flag() ?? false,
    readonly: given.readonly?.flag(),
    searchable: given.searchable?.flag() ?? true,
    sortable,
    preview: given.preview?.flag() ?? true,
    metadata,
    validations: given.validations?.items().map(readValidation) ?? [],
    catalog: catalogOf(given.catalog, known),
    values: given.values?.items().map((item) => oneLine(String(item.scalar() ?? ''))) ?? [],
    // The definition of a field restricts its values, unless the mapping wants more.
    addValues: given.addValues?.flag() ?? known === undefined,
    parent: given.parent?.name(),
    entity,
    format: given.format?.choice(TEXT_FORMATS) ?? 'plain',
    source: source ?? readSourceProperties(cursor, given),
    onError: given.onError?.choice(['refuse', 'drop']) ?? 'refuse',
  };
}

/** Labels of the fields of a community, as far as a message has room for them. */
function namesOf({ fields }: CommunityDefinition): string {
  const names = fields.slice(0, 50).map(({ externalId, label }) => externalId ?? label);
  return `${names.join(', ')}${fields.length > names.length ? ', …' : ''}` || 'none';
}

/** Metadata values of reference fields whose targets rows can name, by kind of target. */
const ENTITIES: Readonly<Record<EntityTarget, string>> = {
  user: 'core.user',
  group: 'core.group',
  post: 'communication.post',
};

function entityOf({ type, metadata }: FieldDefinition, cursor: Cursor): EntityTarget | undefined {
  if (typeOf({ type }).kind !== 'objects') return undefined;
  const kind = metadata['generic_entity_list_config_id'];
  const entity = (Object.keys(ENTITIES) as EntityTarget[]).find((name) => ENTITIES[name] === kind);
  return entity ?? cursor.fail('rows can name people, groups and posts only, and the field holds something else');
}

function catalogOf(given: Cursor | undefined, known: FieldDefinition | undefined): FieldMapping['catalog'] {
  if (given) return readCatalog(given);
  return known && known.catalogId !== null ? { name: '' } : undefined;
}

function readCatalog(cursor: Cursor): NonNullable<FieldMapping['catalog']> {
  if (cursor.isText) return { name: cursor.name() ?? '' };
  const given = cursor.properties(['name', 'externalId']);
  if (!given.name) cursor.fail('name is missing');
  return { name: given.name?.name() ?? '', externalId: given.externalId?.text() };
}

function readValidation(cursor: Cursor): FieldMapping['validations'][number] {
  const given = cursor.properties(['rule', 'parameter']);
  if (!given.rule) cursor.fail('rule is missing');
  const typeId = given.rule && readRule(given.rule);
  const parameter = given.parameter?.scalar() ?? undefined;
  return {
    // A mapping without the rule is refused.
    typeId: typeId ?? ValidationType.REQUIRED,
    ...(parameter !== undefined && { parameter: String(parameter) }),
  };
}

/** Reads a rule by name or number; also accepts the older numbers of existing definitions. */
function readRule(cursor: Cursor): ValidationType | undefined {
  const names = validationRules.map((rule) => rule.name);
  if (cursor.isText) return ValidationType[cursor.choice(names) ?? 'REQUIRED'];
  const given = cursor.scalar();
  const typeId = typeof given === 'number' ? validationTypeOf(given) : undefined;
  return (
    typeId ??
    cursor.fail(`${given} is no rule; allowed: ${validationRules.map(({ id, name }) => `${name} (${id})`).join(', ')}`)
  );
}

/** @param withHistory whether authors and times apply */
function readComments(cursor: Cursor, withHistory: boolean): CommentMapping[] {
  return (cursor.isList ? cursor.items() : [cursor]).map((item) => {
    const given = item.properties([
      'forEach',
      'repeated',
      'parts',
      'separator',
      'text',
      'format',
      'author',
      'at',
      'externalId',
    ]);
    if (!given.text) item.fail('text is missing: the column (or {item: …} of the list) that holds the comment');
    if (given.forEach && given.repeated) given.repeated.fail('forEach or repeated, not both');
    if (given.parts && !given.repeated) given.parts.fail('only with repeated, which names the columns');
    const names = given.parts?.items().map((part) => part.text() ?? '');
    return {
      forEach: given.forEach?.text(),
      repeated: given.repeated?.text(),
      parts: names && { names, separator: given.separator?.separator() ?? ';' },
      text: given.text ? readSource(given.text) : missingSource(item),
      format: given.format?.choice(TEXT_FORMATS) ?? 'plain',
      author: withHistory && given.author ? readPerson(given.author) : undefined,
      at: withHistory && given.at ? readSource(given.at) : undefined,
      externalId: given.externalId && readSource(given.externalId),
    };
  });
}

function readChanges(cursor: Cursor): ChangesMapping {
  const given = cursor.properties(['forEach', 'externalId', 'at', 'author', 'note']);
  if (!given.externalId) cursor.fail('externalId is missing: whose history the change belongs to');
  if (!given.at) cursor.fail('at is missing: when the change was made');
  return {
    forEach: given.forEach?.text(),
    externalId: given.externalId ? readSource(given.externalId) : missingSource(cursor),
    at: given.at ? readSource(given.at) : missingSource(cursor),
    author: given.author && readPerson(given.author),
    note: given.note && readSource(given.note),
  };
}
